#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ttscope::mem {

/// Where the locations of a module stand in its text; lines count from 1.
struct LocIndex {
  struct Entry {
    std::string name;
    std::uint32_t line = 0;            ///< the one to jump to
    std::vector<std::uint32_t> lines;  ///< all ops with this location
  };
  struct Function {
    std::string name;  ///< without `@`
    std::uint32_t first_line = 0;
    std::uint32_t last_line = 0;
  };
  std::vector<Entry>
      entries;  ///< ops with a location alias first, then inline locations, then `@callee` of load_cached
  std::vector<Function> functions;
};

/// Names are those that op records carry as `loc`. Where one is used several times the first op of a main
/// function wins over const-eval functions, and any op over function headers.
LocIndex index_locations(const std::vector<std::string_view>& lines);

}  // namespace ttscope::mem
