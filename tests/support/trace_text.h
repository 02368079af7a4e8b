#pragma once

#include <string>

#include "mem/model/runtime_log.h"

namespace ttscope::testing {

/// Everything a trace holds, as text: two traces are equal when their texts are. Ids are written out as what
/// they stand for, so that the order in which texts were numbered does not matter.
std::string runtime_log_text(const mem::RuntimeLog& log);

}  // namespace ttscope::testing
