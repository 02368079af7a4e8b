#pragma once

#include <string_view>

namespace ttscope {

/// The name of a file without what packing appended to it: `run.log.gz` gives `run.log`.
constexpr std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view end : {".gz", ".zst", ".xz", ".bz2"}) {
    if (name.size() > end.size() && name.ends_with(end)) return name.substr(0, name.size() - end.size());
  }
  return name;
}

}  // namespace ttscope
