#pragma once

#include <cstdint>
#include <string_view>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

enum class MarkerType : std::uint8_t { kStart, kEnd, kTotal, kData, kEvent, kOther };

/// What a zone is to the figures of an op.
enum class ZoneRole : std::uint8_t {
  kOther,     ///< a zone of the user, the profiler, the dispatcher, ...
  kFw,        ///< firmware of a processor around an op
  kKernel,    ///< the kernel of a processor
  kCbWait,    ///< sum of waits for input
  kCbReserve  ///< sum of waits for room
};

/// Where a zone stands in its source.
struct SourcePlace {
  std::string_view line;
  std::string_view file;
};

/// One marker of profile_log_device.csv. Views point into the log.
struct LogRow {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  RiscSlot risc = RiscSlot::kCount;
  bool master = false;  ///< the processor that starts the others
  MarkerType type = MarkerType::kOther;
  std::uint32_t timer = 0;
  std::uint64_t time = 0;
  std::uint64_t data = 0;
  std::uint64_t op_id = 0;
  std::int64_t trace = -1;
  std::int64_t replay = -1;
  std::string_view risc_text;
  std::string_view zone;
  std::string_view meta;  ///< JSON with semicolons for commas; may be empty
  std::string_view rest;  ///< what follows the type: line, file and meta data
  SourcePlace source;     ///< where `rest` is empty
};

/// TS_DATA rows with this number are hardware counters, those with the other one NoC events.
inline constexpr std::uint32_t kPerfCounterTimer = 9090;
inline constexpr std::uint32_t kNocEventTimer = 12345;

/// Whether it is a value or an event that the author of a kernel recorded (DeviceTimestampedData,
/// DeviceRecordEvent): meta data are those of counters, NoC events and the dispatcher.
inline bool is_user_mark(const LogRow& row) {
  if (row.type == MarkerType::kEvent) return true;
  return row.type == MarkerType::kData && row.meta.empty() && row.timer != kPerfCounterTimer &&
         row.timer != kNocEventTimer;
}

/// Taken apart only when asked for: most readers of rows have no use for it.
SourcePlace source_of(const LogRow& row);

/// Longer lines are no rows.
inline constexpr std::size_t kMostLineBytes = std::size_t{1} << 20;

/// What a line of the current format says of the processor that it is about: `3,1,1,BRISC,`; empty if that is
/// not there.
std::string_view processor_of(std::string_view line);

/// The slot of `BRISC`, `TRISC_0`, `QUASAR_DM3`, ...; RiscSlot::kCount if the name is not known.
RiscSlot slot_of(std::string_view risc);
MarkerType marker_type(std::string_view text);
/// Exact names, as zones of users may contain `-KERNEL` as well. `substrings`: as the runtime's own report
/// does it.
ZoneRole zone_role(std::string_view zone, bool substrings);

/// Reads lines of the current format:
///   3,1,1,BRISC,61457,11017522886706,0,1027,,,BRISC-FW,ZONE_START,412,/opt/brisc.cc,
/// The lines of a processor stand together, so what the last line began with is compared, not read again. Not
/// thread safe; the lines must stay where they are.
class RowReader {
 public:
  /// False if a field is missing or no number. `row` is that of the last call: what the line repeats stays.
  bool parse(std::string_view line, LogRow& row);

 private:
  std::string_view processor_;  ///< `3,1,1,BRISC,` of the last line
  std::string_view op_;         ///< `1027,,,` of the last line
};

}  // namespace ttscope::perf
