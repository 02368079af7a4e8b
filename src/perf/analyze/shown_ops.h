#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "perf/analyze/critical_path.h"
#include "perf/analyze/kind_facts.h"
#include "perf/analyze/repeats.h"
#include "perf/analyze/roofline.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// What limits a matmul, in the words that users know.
enum class ShownBound : std::uint8_t { kNone, kBoth, kDram, kFlop, kSlow, kHost };

std::string_view name_of(ShownBound bound);

struct ShownOptions {
  std::string start_signpost;
  std::string end_signpost;
  bool ignore_signposts = false;
  bool print_signposts = false;
  std::optional<std::uint32_t> first_id;
  std::optional<std::uint32_t> last_id;
  std::string arch;
  double clock_mhz = 0;  ///< 0: that of the report
  bool tracing_mode = false;
  bool no_host_ops = false;
  bool no_merge_devices = false;
  double active_experts = 0;
  bool keep_warm_up = false;  ///< show passes that made programs too
};

/// What percentages are a share of.
enum class TimeBase : std::uint8_t {
  kSum,             ///< device time and gaps of the rows: they have no cycles
  kWall,            ///< the wall time of the device that took longest
  kWallsOfDevices,  ///< the wall times of all devices together, where they are shown apart
};

std::string_view key_of(TimeBase base);

/// One row of the table: an op, or the same op on several devices.
struct ShownOp {
  std::uint32_t row = 0;  ///< in OpsReport::rows; of a merged op the device that is shown
  std::uint32_t group = kNone;
  ShownBound bound = ShownBound::kNone;
  bool is_signpost = false;
  bool is_host = false;
  bool is_first_run = false;       ///< this program did not run before on this device
  bool waits_for_compile = false;  ///< the host made programs while its device waited for it
  double duration_ns = kNoNumber;  ///< kernel duration; mean over devices for a collective
  double device_us = kNoNumber;    ///< the same; none for what runs on the host
  double gap_us = kNoNumber;       ///< since the previous op on the device; none before the window's first
  double total_percent = kNoNumber;
  double dram_gb_s = kNoNumber;
  double dram_percent = kNoNumber;
  double tflops = kNoNumber;
  double flops_percent = kNoNumber;
};

/// Rows of one op on several devices: members [first, first + count) of ShownOps::members.
struct OpGroup {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct ShownOps {
  std::vector<OpNote> notes;
  DevicePeaks peaks;
  std::vector<KindFacts> facts;  ///< by kind
  std::vector<ShownOp> rows;
  std::vector<OpGroup> groups;            ///< of merged ops
  std::vector<std::uint32_t> members;     ///< in OpsReport::rows
  bool groups_are_programs = false;       ///< told by ids; else by the order of names
  std::vector<std::string> unclassified;  ///< op names that no list knows, in order of appearance
  std::uint32_t device_count = 0;
  std::uint64_t device_ops = 0;
  std::uint64_t host_ops = 0;
  std::uint64_t without_duration = 0;  ///< ops of devices, on all of them
  std::uint64_t signposts = 0;
  double device_us = 0;   ///< sum over the rows
  double gap_us = 0;      ///< sum of all gaps
  double compile_us = 0;  ///< part of it: gaps before the first run of a program; not in Total %
  bool compile_gaps_apart = true;
  std::vector<bool> compile_rows;  ///< by row of the report: the same of its own device
  WarmUp warm_up;                  ///< that was left out
  RunClock clock;                  ///< when each op ran; no lanes without cycles
  CriticalPath path;               ///< that decides the wall time
  TimeBase base = TimeBase::kSum;
  double compile_wall_us = 0;  ///< what compiling takes of the wall
  double counted_time_us = 0;

  const KindFacts& facts_of(const OpsReport& table, const ShownOp& row) const {
    return facts[table.rows[row.row].kind];
  }
  /// What all percentages are a share of: the base without the gaps of compiling.
  double counted_us() const { return counted_time_us; }
};

/// Calls `use(row of the report)` for every device op that a shown row stands for.
template <typename Use>
void for_each_member(const OpsReport& table, const ShownOps& ops, const ShownOp& shown, Use use) {
  if (shown.group == kNone) {
    if (table.rows[shown.row].type == OpRowType::kDevice) use(shown.row);
    return;
  }
  const OpGroup& group = ops.groups[shown.group];
  for (std::uint32_t i = 0; i < group.count; ++i) use(ops.members[group.first + i]);
}

/// A gap of more than this is worth a look, in µs; what cannot be saved of it is kTypicalGapUs.
inline constexpr double kHighGapUs = 6.5;
inline constexpr double kTypicalGapUs = 6;
/// Of a peak, in percent: from here on an op counts as bound by it.
inline constexpr double kBoundPercent = 65;

/// Whether the gap before this op is the compilation of its program: nothing that running it again would
/// cost.
bool is_compile_gap(const ShownOp& row);

// Steps of which perf/compat makes another table.

/// Ops of several devices as one: each round takes the next op from each device whose next op has the name of
/// the first one's.
struct DeviceRounds {
  struct Ended {
    std::int32_t device = 0;
    bool is_name_known = false;  ///< a device before it has an op in this round
  };

  DeviceRounds(const OpsReport& table, const std::vector<std::uint32_t>& window);
  /// False: no device has an op left.
  bool next();
  std::size_t devices() const { return queues_.size(); }

  std::size_t number = 0;            ///< of the next round
  std::uint32_t name = 0;            ///< text of the op
  std::vector<std::uint32_t> rows;   ///< that are this op
  std::vector<Ended> ended;          ///< devices that have no op left
  std::vector<std::int32_t> others;  ///< devices whose next op is another one

 private:
  struct Queue {
    std::int32_t device = 0;
    std::vector<std::uint32_t> rows;
    std::size_t next = 0;
  };

  const OpsReport& report_;
  std::vector<Queue> queues_;
};

/// Adds a row by itself.
void add_row(const OpsReport& table, std::uint32_t row, ShownOps& result);
/// Adds the op of a round, shown by one of its rows; of a collective the mean over devices.
void add_merged(const OpsReport& table, const DeviceRounds& round, std::uint32_t shown, ShownOps& result);
std::uint32_t count_devices(const OpsReport& table, const std::vector<std::uint32_t>& window);
FactOptions fact_options(const OpsReport& table, double active_experts);
/// Reads the clock of the shown ops and finds the path that decides their wall time.
void time_rows(const OpsReport& table, ShownOps& ops);
/// Rates and percentages of a matmul or a convolution.
void measure_matmul(const OpsReport& table, const ShownOps& ops, ShownOp& row);
/// Keeps the rows with the ids that are asked for; false: all.
bool keep_ids(const OpsReport& table, const ShownOptions& options, ShownOps& ops);
/// What limits a matmul by its share of the peaks.
ShownBound bound_by_percents(const ShownOp& row);
void count_missing_durations(const OpsReport& table, ShownOps& ops);

/// The table of a report. An error when a named signpost is not there.
Result<ShownOps> find_shown_ops(const OpsReport& table, const ShownOptions& options);

}  // namespace ttscope::perf
