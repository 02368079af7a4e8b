#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Whose markers an analysis looks at.
enum class AnalysisScope : std::uint8_t { kCore, kDevice, kOps, kDispatchOps };

/// How it makes durations of them.
enum class AnalysisKind : std::uint8_t {
  kAdjacent,         ///< from the last start marker to the end marker that follows it
  kOpFirstLast,      ///< from the first start marker to the last end marker
  kOpCoreFirstLast,  ///< the same for each core
  kSum,              ///< of the data of the markers
  kEvent,            ///< no durations: a list of the events of a processor
};

/// Which markers take part.
struct MarkerRule {
  std::string_view risc;           ///< ANY: all
  std::string_view phase;          ///< `ZONE_START`; empty: all
  std::vector<std::string> zones;  ///< exact names; an ending `*`: the name contains what is before it
};

struct TimerAnalysis {
  std::string_view name;
  AnalysisScope scope;
  AnalysisKind kind;
  MarkerRule start;  ///< of sums and events: the only rule
  MarkerRule end;
};

/// The analyses of a device log, in the order in which statistics list them.
const std::vector<TimerAnalysis>& timer_analyses();
/// The same by their names.
const std::vector<std::size_t>& analyses_by_name();
/// The processors that the reference lists in its setup, and the names that zones of firmware and kernels
/// begin with.
const std::vector<std::string>& setup_riscs();
const std::vector<std::string>& setup_risc_types();

/// The analyses, a bit each, that a marker may start or end.
struct AnalysisMask {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
};

/// Finds them; remembers the few combinations that there are. Not thread safe; the texts must stay.
class AnalysisMatcher {
 public:
  AnalysisMask mask_of(std::string_view zone, std::string_view type, std::string_view risc);

 private:
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, AnalysisMask> known_;
};

/// A marker on a time line.
struct TimedMarker {
  std::uint64_t at = 0;     ///< its place in the log
  std::uint64_t cycle = 0;  ///< continued where the timer began again from zero
  std::uint32_t processor = 0;
  std::uint32_t op = 0;
};

/// Names that zones of dispatch cores go by, by the places of their markers.
using ZoneNames = std::unordered_map<std::uint64_t, std::string_view>;

/// The rows of a device, as an analysis is to see them.
struct MarkerSource {
  const DeviceMarkers& device;
  const MarkerRows& rows;
  /// As the reference sees them: a timer that passes its 44 bits jumps back, records of an op in two traces
  /// are one, the last record is dropped where nothing ends it, and a dispatch zone without a command has no
  /// name.
  bool as_reference = false;
  const ZoneNames* names = nullptr;  ///< null: those of the log

  LogMarker read(std::uint64_t at) const;
  std::uint64_t cycle_at(std::uint64_t at) const { return continued(rows.cycle_at(at)); }
  std::uint64_t continued(std::uint64_t cycle) const;
  std::string_view risc_of(const TimedMarker& marker) const {
    return device.processors[marker.processor].risc;
  }
};

/// An extent of a lane.
struct ExtentRef {
  std::uint32_t lane = 0;
  std::uint32_t extent = 0;
};

/// The markers of several lanes in order of time; those of the same time in the order of the lanes. Keeps one
/// place for each lane, so it costs the logarithm of their number for each marker and no memory for the rest.
class MarkerMerge {
 public:
  /// All of these lanes, ascending.
  MarkerMerge(const MarkerSource& source, const std::vector<std::uint32_t>& lanes);
  /// These extents, ascending.
  MarkerMerge(const MarkerSource& source, const ExtentRef* first, const ExtentRef* last);

  /// False at the end.
  bool next(TimedMarker& marker);

 private:
  struct LaneCursor {
    std::uint64_t cycle = 0;
    std::uint64_t at = 0;
    std::uint32_t lane = 0;
    std::uint32_t extent = 0;
    std::uint32_t row = 0;
    const ExtentRef* next = nullptr;  ///< null: the extent that follows in the lane
    const ExtentRef* last = nullptr;
  };
  static bool is_later(const LaneCursor& a, const LaneCursor& b) {
    return a.cycle != b.cycle ? a.cycle > b.cycle : a.lane > b.lane;
  }
  void start(LaneCursor strand);
  bool advance(LaneCursor& strand) const;

  const MarkerSource& source_;
  std::vector<LaneCursor> heap_;
};

/// The lanes of a core, of each processor by its name, of the device.
std::vector<std::uint32_t> lanes_of_core(const DeviceMarkers& device, std::uint32_t core);
std::map<std::string_view, std::vector<std::uint32_t>> lanes_by_risc(const DeviceMarkers& device);
std::vector<std::uint32_t> all_lanes(const DeviceMarkers& device);

/// The markers of one execution of an op, in order of time.
struct OpRecord {
  std::vector<TimedMarker> markers;
};

/// Gives the executions on these lanes one after the other, ops in order of their first markers; markers
/// without an op (id 0) or without a name (timer 0) belong to none.
///
/// Over a device an execution is whole when each core that has a marker of the op has reported start and end
/// of its firmware; on a single core (`one_core`) when the firmware ends. What the reference takes for an
/// error, a second start before that, begins a new execution here.
///
/// Compat: all replays of an op are one list, an execution that is not whole goes on with the next op and the
/// last one is dropped if it is not whole. Otherwise each op, trace and replay is by itself and nothing is
/// dropped.
void for_each_op_record(const MarkerSource& source, const std::vector<std::uint32_t>& lanes, bool one_core,
                        const std::function<void(const OpRecord&)>& take);

/// What a dispatch core did for one op.
struct DispatchRecord {
  std::uint32_t core = 0;
  std::uint64_t op_id = 0;
  OpRecord record;
};

/// The dispatch cores of a device.
struct DeviceDispatch {
  std::vector<DispatchRecord> records;  ///< core by core, in order of time
  /// First and last marker of each zone go by the command that was carried out in it.
  ZoneNames names;

  /// The records in order of time over all cores, as indices.
  std::vector<std::size_t> in_order() const;
};

/// Puts the markers of each dispatch core together: those of BRISC up to the go signal, and the part of
/// NCRISC with the same number in order of time. An op that is replayed counts once, by its first replay.
DeviceDispatch find_dispatch_records(const MarkerSource& source);

/// One duration that an analysis found.
struct DurationSample {
  std::int64_t cycles = 0;
  TimedMarker start;  ///< of sums: not set
  TimedMarker end;
  /// Gaps only: the last start of the core's firmware before start and end.
  TimedMarker start_iteration;
  TimedMarker end_iteration;
  bool has_start_iteration = false;
  bool has_end_iteration = false;
};

/// Statistics of cycles.
struct CycleStats {
  std::uint64_t count = 0;
  std::int64_t max = 0;
  std::int64_t min = 0;
  std::int64_t sum = 0;
  std::int64_t first = 0;
  double median = 0;

  double average() const;
  std::int64_t range() const;
};

CycleStats stats_of(const std::vector<DurationSample>& samples);

/// Puts statistics together; the median is that of the medians.
class StatsCollector {
 public:
  void add(const CycleStats& stats);
  CycleStats finish();

 private:
  CycleStats all_;
  std::vector<double> medians_;
};

/// Gaps on a time line, for each analysis of this scope that looks for gaps; by analysis.
std::vector<std::vector<DurationSample>> find_gaps(const MarkerSource& source,
                                                   const std::vector<std::uint32_t>& lanes,
                                                   AnalysisScope scope, AnalysisMatcher& matcher);

/// The durations of an execution, for each analysis of this scope; by analysis.
std::vector<std::vector<DurationSample>> measure_record(const MarkerSource& source, const OpRecord& record,
                                                        AnalysisScope scope, AnalysisMatcher& matcher);

/// Gives the events of the processor that an analysis names: markers with data or of a number.
void for_each_event(const MarkerSource& source, std::size_t analysis,
                    const std::function<void(const TimedMarker&)>& take);

/// A device of a log, ready for its analyses. The log must outlive it.
class DeviceTimelines {
 public:
  /// Compat: all is told apart, named and dropped as the reference does (op_records.h, dispatch_records.h).
  DeviceTimelines(const DeviceMarkers& device, const MarkerRows& rows, bool as_reference);
  DeviceTimelines(const DeviceTimelines&) = delete;
  DeviceTimelines& operator=(const DeviceTimelines&) = delete;

  const DeviceMarkers& device() const { return source_.device; }
  const MarkerSource& source() const { return source_; }
  const DeviceDispatch& dispatch() const { return dispatch_; }
  /// The rows with the names that zones of dispatch cores go by.
  const MarkerSource& dispatch_source() const { return named_source_; }

 private:
  DeviceDispatch dispatch_;
  MarkerSource source_;
  MarkerSource named_source_;
};

struct StatsEntry {
  std::size_t analysis = 0;  ///< into timer_analyses()
  CycleStats stats;
};

/// The figures of one device over all its cores and executions, in cycles; only what occurs.
struct DeviceStats {
  std::uint32_t device = 0;
  std::vector<StatsEntry> entries;
};

DeviceStats compute_device_stats(const DeviceTimelines& timelines);

/// One gap on one core: from the end of its last kernel to its next data movement kernel.
struct CoreGap {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t start_cycle = 0;
  std::uint64_t cycles = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
};

/// The gaps of each core of a device, in order of time.
std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device);

/// One row of the table of gaps: the same pair of ops on all cores that ran both one after the other.
struct GapRow {
  std::uint32_t device = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
  std::vector<CoreGap> cores;
};

std::vector<GapRow> tabulate_gaps(const DeviceProfile& log);

}  // namespace ttscope::perf
