#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace ttscope {

/// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. Its cost is
/// the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that differs from `given` by few enough edits to be what was meant, or begins with it; empty
/// if none is near.
std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace ttscope
