#pragma once

#include <string_view>
#include <vector>

namespace ttscope::cli {

/// The candidate that differs from `given` by few enough edits to be what was meant; empty if none is near.
std::string_view nearest(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace ttscope::cli
