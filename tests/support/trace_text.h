#pragma once

#include <string>

#include "mem/model/runtime_trace.h"

namespace ttscope::testing {

/// Everything a trace holds, as text: two traces are equal when their texts are. Ids are written out as what
/// they stand for, so that the order in which texts were numbered does not matter.
std::string trace_text(const mem::RuntimeTrace& trace);

}  // namespace ttscope::testing
