#pragma once

#include "mem/model/device_facts.h"
#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// What the memory lines of a rank say of its device; nothing where it has none.
void take_printed_facts(const RuntimeTrace& trace, const RankTrace& rank, DeviceFacts& facts);

}  // namespace ttscope::mem
