#pragma once

#include <string_view>
#include <vector>

#include "model/log_marker.h"

namespace ttscope::input {

/// The rows of a device log by device, core and processor. Keeps the place of each row, not the row; the text
/// must outlive the groups. Rows that cannot be read are left out.
std::vector<MarkerGroup> group_markers(std::string_view text);

}  // namespace ttscope::input
