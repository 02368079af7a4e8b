#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// profile_log_device.csv, also under another name.
bool is_device_log(const io::Beginning& beginning);

}  // namespace ttscope::perf
