#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace ttscope {

/// One row of a device log as it is written. Views are valid during the call that gives it.
struct LogMarker {
  std::string_view timer, time, data, op_id, trace, replay, zone, type, line, file, meta;
};

/// The rows of one processor of a core, in the order of the log.
struct MarkerGroup {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string_view risc;
  std::function<void(const std::function<void(const LogMarker&)>&)> for_each;
};

}  // namespace ttscope
