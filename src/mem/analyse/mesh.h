#pragma once

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// How many chips the run has: memory lines and layouts are those of one of them. By the get_device ops, else
/// by the device of the module dumps; what nothing tells stays as it is.
void find_mesh(const RuntimeTrace& trace, DeviceFacts& facts);

}  // namespace ttscope::mem
