#pragma once

#include <string_view>

#include "perf/model/log_marker.h"

namespace ttscope::perf {

/// Where the rows of each processor of a device log are. The text must outlive what is returned. Rows that
/// cannot be read are left out; a text that is no device log has none.
MarkerLog find_marker_lanes(std::string_view text);

}  // namespace ttscope::perf
