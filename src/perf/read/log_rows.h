#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_pool.h"
#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Where the line that begins at `at` ends, its line break included.
inline std::size_t line_end(std::string_view text, std::size_t at) {
  const auto* found = static_cast<const char*>(std::memchr(text.data() + at, '\n', text.size() - at));
  return found == nullptr ? text.size() : static_cast<std::size_t>(found - text.data()) + 1;
}

inline std::string_view without_break(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// The next line, without its break; `at` moves behind it.
inline std::string_view next_line(std::string_view text, std::size_t& at) {
  const std::size_t start = at;
  at = line_end(text, start);
  return without_break(text.substr(start, at - start));
}

/// For tables of executions.
struct ExecutionKeyHash {
  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 32)) * 0x9e3779b97f4a7c15ull;  // low bits must see the high ones
    return value ^ (value >> 32);
  }
  std::size_t operator()(const ExecutionKey& key) const {
    std::uint64_t hash = mixed(key.op_id + (std::uint64_t{key.device} << 40));
    hash = mixed(hash ^ static_cast<std::uint64_t>(key.trace));
    return mixed(hash ^ static_cast<std::uint64_t>(key.replay));
  }
};

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
struct SourceLocation {
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
  SourceLocation source;  ///< where `rest` is empty
};

/// TS_DATA rows with this number are hardware counters, those with the other one NoC events.
inline constexpr std::uint32_t kPerfCounterTimer = 9090;
inline constexpr std::uint32_t kNocEventTimer = 12345;

/// Whether it is a value or an event that the author of a kernel recorded (DeviceTimestampedData,
/// DeviceRecordEvent): meta data are those of counters, NoC events and the dispatcher.
inline bool is_user_marker(const LogRow& row) {
  if (row.type == MarkerType::kEvent) return true;
  return row.type == MarkerType::kData && row.meta.empty() && row.timer != kPerfCounterTimer &&
         row.timer != kNocEventTimer;
}

/// Taken apart only when asked for: most readers of rows have no use for it.
SourceLocation source_of(const LogRow& row);

/// Longer lines are no rows.
inline constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

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

/// Reads rows of device logs of other versions, whose columns are known by their names only. Slower than
/// RowReader, and the plain statement of what that one does.
class NamedRowReader {
 public:
  explicit NamedRowReader(const std::vector<std::string>& columns);
  /// Whether the columns that nothing can be computed without are there.
  bool is_usable() const;
  bool parse(std::string_view line, LogRow& row);

 private:
  enum Column {
    kDevice,
    kX,
    kY,
    kRisc,
    kTimer,
    kTime,
    kData,
    kOp,
    kTrace,
    kReplay,
    kZone,
    kType,
    kLine,
    kFile,
    kMeta,
    kColumns
  };
  std::string_view cell(Column column) const;

  std::vector<std::size_t> places_;
  std::size_t last_column_ = 0;
  std::vector<std::string_view> cells_;
};

/// Where the rows of each processor of a device log are. The text must outlive what is returned. Rows that
/// cannot be read are left out; a text that is no device log has none.
MarkerLog find_marker_lanes(std::string_view text);

/// Where the rows of one processor of a core stand in a device log. The runtime writes them together, once a
/// dump, so these are few stretches.
struct ProcessorRows {
  struct Stretch {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string_view risc;
  std::vector<Stretch> stretches;
};

/// The processors of a device log of any version, ordered by device, core and name. The text must outlive
/// them.
class ProcessorRowIndex {
 public:
  ProcessorRowIndex(std::string_view text, unsigned threads);

  std::size_t size() const { return places_.size(); }
  const ProcessorRows& operator[](std::size_t index) const { return places_[index]; }
  std::string_view text() const { return text_; }
  /// The columns, where they are not those of today.
  const std::vector<std::string>* old_columns() const { return current_ ? nullptr : &columns_; }

 private:
  std::string_view text_;
  bool current_ = true;
  std::vector<std::string> columns_;
  std::vector<ProcessorRows> places_;
};

/// Reads the zones of one processor after the other; names and executions are numbered across all that one
/// reader has read. Not thread safe: each thread has its own.
class ZoneGroupReader {
 public:
  explicit ZoneGroupReader(const ProcessorRowIndex& places);

  /// Valid until the next call.
  ZoneGroup& read(const ProcessorRows& place);
  const ZoneCatalog& catalog() const { return catalog_; }

 private:
  /// What followed a marker the last time: kernels go through the same zones again and again.
  struct Follower {
    std::string_view zone;
    std::string_view rest;
    MarkerType type = MarkerType::kOther;  ///< starts and ends are one
    std::uint32_t number = 0;
  };

  void read_stretch(std::string_view text);
  void take(const LogRow& row);
  std::uint32_t zone_number(const LogRow& row);
  std::uint32_t intern_zone(const LogRow& row);
  std::uint32_t execution_number(const LogRow& row);

  const ProcessorRowIndex& places_;
  RowReader reader_;
  LogRow row_;  ///< the reader leaves in it what the next line repeats
  std::unique_ptr<NamedRowReader> old_reader_;
  ZoneCatalog catalog_;
  ZoneGroup group_;
  StringPool zone_keys_;
  StringPool pairs_;
  std::unordered_map<ExecutionKey, std::uint32_t, ExecutionKeyHash> executions_;
  ExecutionKey last_key_;
  std::uint32_t last_execution_ = kNone;
  std::vector<Follower> followers_;  ///< of starts and other markers of each zone
  std::size_t last_marker_ = 0;
  std::string space_;
  std::string key_;
};

}  // namespace ttscope::perf
