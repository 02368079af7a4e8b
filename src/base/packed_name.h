#pragma once

#include <array>
#include <string_view>

namespace ttscope {

/// What packing appends to the name of a file.
inline constexpr std::array<std::string_view, 4> kPackedEnds = {".gz", ".zst", ".xz", ".bz2"};

/// The name of a file without what packing appended to it: `run.log.gz` gives `run.log`.
constexpr std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view end : kPackedEnds) {
    if (name.size() > end.size() && name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return name;
}

}  // namespace ttscope
