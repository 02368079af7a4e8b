#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/none.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Whose time a zone of a device log is.
enum class ZoneKind : std::uint8_t {
  kFirmware,
  kKernel,
  kUser,      ///< put into a kernel by its author, or of a name that is not known
  kDispatch,  ///< of the cores that start programs
  kSync,      ///< of the synchronisation of clocks
  kProfiler,  ///< the profiler's own: what measuring costs
  kSum,       ///< cycles that a processor added up itself (ZONE_TOTAL); no start, no end
  kData,      ///< a value of a kernel's author at a moment (DeviceTimestampedData); no length
  kEvent,     ///< the same without a value (DeviceRecordEvent)
};
/// `firmware`, `kernel`, `user`, ...
std::string_view key_of(ZoneKind kind);

/// Whether the author of a kernel put it there.
inline bool is_of_user(ZoneKind kind) {
  return kind == ZoneKind::kUser || kind == ZoneKind::kSum || kind == ZoneKind::kData ||
         kind == ZoneKind::kEvent;
}

/// One zone as a source has it. Two zones of one name at different lines are two.
struct ZoneSource {
  std::string name;  ///< those of the dispatcher without the program's id
  std::string file;
  std::string line;
  ZoneKind kind = ZoneKind::kUser;
  std::uint32_t pair = 0;  ///< an end closes a start with the same number
};

/// The distinct zones and executions that markers refer to by number. The device of the executions is 0.
struct ZoneCatalog {
  std::vector<ZoneSource> zones;
  std::vector<ExecutionKey> executions;
};

struct ZoneMarker {
  std::uint64_t cycle = 0;  ///< of the timer, as recorded
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
  bool is_start = false;
};

/// A sum of cycles; of a marker its value.
struct ZoneTotal {
  std::uint64_t cycle = 0;  ///< of the timer, as recorded
  std::uint64_t cycles = 0;
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
};

/// What one processor of a core recorded, in the order of the log.
struct ZoneGroup {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string risc;
  std::vector<ZoneMarker> markers;
  std::vector<ZoneTotal> totals;
  bool wraps = true;  ///< the timer has 44 bits; false where a time is beyond them
};

}  // namespace ttscope::perf
