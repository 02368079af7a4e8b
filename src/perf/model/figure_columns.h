#pragma once

#include <string_view>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// The column of a report, ours and the runtime's, that a figure stands in.
std::string_view column_of(Figure figure);
/// The figure of a column; Figure::kCount if it is none.
Figure figure_of(std::string_view column);

}  // namespace ttscope::perf
