#include "perf/analyze/device_stats.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/number_text.h"
#include "base/text.h"
#include "perf/analyze/executions.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kAnyRisc = "ANY";
constexpr std::string_view kZoneStart = "ZONE_START";
constexpr std::string_view kZoneEnd = "ZONE_END";

std::vector<std::string> zones_of(const std::vector<std::string>& riscs, const std::string& ending) {
  std::vector<std::string> zones;
  zones.reserve(riscs.size());
  for (const std::string& risc : riscs) zones.push_back(risc + ending);
  return zones;
}

/// First to last marker of a zone on a processor.
TimerAnalysis risc_duration(std::string_view name, std::string_view risc, const std::string& zone) {
  const MarkerRule rule{risc, {}, {zone}};
  return {name, AnalysisScope::kOps, AnalysisKind::kOpFirstLast, rule, rule};
}

TimerAnalysis op_duration(std::string_view name, const MarkerRule& rule) {
  return {name, AnalysisScope::kOps, AnalysisKind::kOpFirstLast, rule, rule};
}

/// From the end of a zone to its next start.
TimerAnalysis trace_gap(std::string_view name, const std::string& zone) {
  return {name,
          AnalysisScope::kDevice,
          AnalysisKind::kAdjacent,
          {kAnyRisc, kZoneEnd, {zone}},
          {kAnyRisc, kZoneStart, {zone}}};
}

TimerAnalysis dispatch_duration(std::string_view name, std::string_view risc, const std::string& zone) {
  TimerAnalysis analysis = risc_duration(name, risc, zone);
  analysis.scope = AnalysisScope::kDispatchOps;
  return analysis;
}

TimerAnalysis summed(std::string_view name, std::string_view risc, const std::string& zone) {
  return {name, AnalysisScope::kOps, AnalysisKind::kSum, {risc, {}, {zone}}, {}};
}

std::vector<TimerAnalysis> make_analyses() {
  const MarkerRule kernels{kAnyRisc, {}, zones_of(setup_risc_types(), "-KERNEL")};
  const MarkerRule firmware{kAnyRisc, {}, zones_of(setup_risc_types(), "-FW")};
  const MarkerRule kernel_starts{kAnyRisc, kZoneStart, kernels.zones};
  return {
      risc_duration("trace_fw_duration", "TENSIX_RISC_AGG", "TRACE-FW"),
      risc_duration("trace_kernel_duration", "TENSIX_RISC_AGG", "TRACE-KERNEL"),
      trace_gap("trace2trace - FW", "TRACE-FW"),
      trace_gap("trace2trace - kernel", "TRACE-KERNEL"),
      {"op2op",
       AnalysisScope::kCore,
       AnalysisKind::kAdjacent,
       {kAnyRisc, kZoneEnd, kernels.zones},
       {kAnyRisc, kZoneStart, zones_of({"BRISC", "NCRISC"}, "-KERNEL")}},
      op_duration("device_kernel_first_to_last_start", kernel_starts),
      {"device_kernel_duration_per_core", AnalysisScope::kOps, AnalysisKind::kOpCoreFirstLast, kernels,
       kernels},
      op_duration("device_fw_duration", firmware),
      op_duration("device_kernel_duration", kernels),
      {"device_kernel_duration_dm_start",
       AnalysisScope::kOps,
       AnalysisKind::kOpFirstLast,
       {kAnyRisc, {}, zones_of({"BRISC", "NCRISC", "ERISC"}, "-KERNEL")},
       kernels},
      risc_duration("device_brisc_kernel_duration", "BRISC", "BRISC-KERNEL"),
      risc_duration("device_ncrisc_kernel_duration", "NCRISC", "NCRISC-KERNEL"),
      risc_duration("device_trisc0_kernel_duration", "TRISC_0", "TRISC-KERNEL"),
      risc_duration("device_trisc1_kernel_duration", "TRISC_1", "TRISC-KERNEL"),
      risc_duration("device_trisc2_kernel_duration", "TRISC_2", "TRISC-KERNEL"),
      risc_duration("device_erisc_kernel_duration", "ERISC", "ERISC-KERNEL"),
      summed("device_compute_cb_wait_front", "TRISC_0", "CB-COMPUTE-WAIT-FRONT"),
      summed("device_compute_cb_reserve_back", "TRISC_2", "CB-COMPUTE-RESERVE-BACK"),
      dispatch_duration("dispatch_total_cq_cmd_op_time", "BRISC", "CQ_DISPATCH_*"),
      dispatch_duration("dispatch_go_send_wait_time", "NCRISC", "CQ_DISPATCH_CMD_SEND_GO_SIGNAL"),
      {"perf_counter_data", AnalysisScope::kDevice, AnalysisKind::kEvent, {"BRISC", {}, {}}, {}},
  };
}

bool rule_matches(const MarkerRule& rule, std::string_view zone, std::string_view type,
                  std::string_view risc) {
  if (rule.risc != kAnyRisc && rule.risc != risc) return false;
  if (!rule.phase.empty() && rule.phase != type) return false;
  return std::any_of(rule.zones.begin(), rule.zones.end(), [&](const std::string& name) {
    if (name == zone) return true;
    return name.back() == '*' && contains(zone, std::string_view(name).substr(0, name.size() - 1));
  });
}

}  // namespace

const std::vector<std::string>& setup_risc_types() {
  static const std::vector<std::string> kTypes = {"BRISC", "NCRISC",          "TRISC",
                                                  "ERISC", "TENSIX_RISC_AGG", "DM"};
  return kTypes;
}

const std::vector<std::string>& setup_riscs() {
  static const std::vector<std::string> kRiscs = [] {
    std::vector<std::string> names = {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC"};
    for (int i = 0; i < 8; ++i) names.push_back("QUASAR_DM" + std::to_string(i));
    for (int neo = 0; neo < 4; ++neo) {
      for (int trisc = 0; trisc < 4; ++trisc)
        names.push_back("QUASAR_NEO" + std::to_string(neo) + "_TRISC" + std::to_string(trisc));
    }
    return names;
  }();
  return kRiscs;
}

const std::vector<TimerAnalysis>& timer_analyses() {
  static const std::vector<TimerAnalysis> kAnalyses = make_analyses();
  return kAnalyses;
}

const std::vector<std::size_t>& analyses_by_name() {
  static const std::vector<std::size_t> kOrder = [] {
    std::vector<std::size_t> indices(timer_analyses().size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    std::sort(indices.begin(), indices.end(), [](std::size_t a, std::size_t b) {
      return timer_analyses()[a].name < timer_analyses()[b].name;
    });
    return indices;
  }();
  return kOrder;
}

AnalysisMask AnalysisMatcher::mask_of(std::string_view zone, std::string_view type, std::string_view risc) {
  const auto found = known_.find({zone, type, risc});
  if (found != known_.end()) return found->second;
  AnalysisMask marks;
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (rule_matches(analyses[i].start, zone, type, risc)) marks.start |= 1u << i;
    if (rule_matches(analyses[i].end, zone, type, risc)) marks.end |= 1u << i;
  }
  // A hostile log has as many names as rows; they are looked at again each time.
  constexpr std::size_t kMaxCached = 4096;
  if (known_.size() < kMaxCached) known_.emplace(std::tuple{zone, type, risc}, marks);
  return marks;
}

LogMarker MarkerSource::read(std::uint64_t at) const {
  LogMarker marker = rows.read(at);
  if (names != nullptr) {
    const auto found = names->find(at);
    if (found != names->end()) marker.zone = found->second;
  }
  return marker;
}

std::uint64_t MarkerSource::continued(std::uint64_t cycle) const {
  return device.wrapped && !as_reference && cycle < kTimerSpan / 2 ? cycle + kTimerSpan : cycle;
}

MarkerMerge::MarkerMerge(const MarkerSource& source, const std::vector<std::uint32_t>& lanes)
    : source_(source) {
  for (const std::uint32_t lane : lanes) {
    LaneCursor strand;
    strand.lane = lane;
    start(strand);
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

MarkerMerge::MarkerMerge(const MarkerSource& source, const ExtentRef* first, const ExtentRef* last)
    : source_(source) {
  while (first != last) {
    const ExtentRef* end = first;
    while (end != last && end->lane == first->lane) ++end;
    LaneCursor strand;
    strand.lane = first->lane;
    strand.extent = first->extent;
    strand.next = first + 1;
    strand.last = end;
    start(strand);
    first = end;
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

void MarkerMerge::start(LaneCursor strand) {
  const MarkerExtent& extent = source_.device.lanes[strand.lane].extents[strand.extent];
  strand.at = extent.at;
  strand.cycle = source_.continued(extent.first_cycle);
  heap_.push_back(strand);
}

bool MarkerMerge::advance(LaneCursor& strand) const {
  const std::vector<MarkerExtent>& extents = source_.device.lanes[strand.lane].extents;
  if (++strand.row < extents[strand.extent].rows) {
    strand.at = source_.rows.after(strand.at);
    strand.cycle = source_.cycle_at(strand.at);
    return true;
  }
  if (strand.next == nullptr) {
    if (++strand.extent == extents.size()) return false;
  } else {
    if (strand.next == strand.last) return false;
    strand.extent = (strand.next++)->extent;
  }
  strand.row = 0;
  strand.at = extents[strand.extent].at;
  strand.cycle = source_.continued(extents[strand.extent].first_cycle);
  return true;
}

bool MarkerMerge::next(TimedMarker& marker) {
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  LaneCursor& strand = heap_.back();
  const MarkerLane& lane = source_.device.lanes[strand.lane];
  marker = {strand.at, strand.cycle, lane.processor, lane.extents[strand.extent].op};
  if (advance(strand)) {
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  } else {
    heap_.pop_back();
  }
  return true;
}

std::vector<std::uint32_t> lanes_of_core(const DeviceMarkers& device, std::uint32_t core) {
  const auto core_of = [&](const MarkerLane& lane) { return device.processors[lane.processor].core; };
  const auto first = std::partition_point(device.lanes.begin(), device.lanes.end(),
                                          [&](const MarkerLane& lane) { return core_of(lane) < core; });
  std::vector<std::uint32_t> lanes;
  for (auto lane = first; lane != device.lanes.end() && core_of(*lane) == core; ++lane) {
    lanes.push_back(static_cast<std::uint32_t>(lane - device.lanes.begin()));
  }
  return lanes;
}

std::map<std::string_view, std::vector<std::uint32_t>> lanes_by_risc(const DeviceMarkers& device) {
  std::map<std::string_view, std::vector<std::uint32_t>> lanes;
  for (std::size_t i = 0; i < device.lanes.size(); ++i) {
    lanes[device.processors[device.lanes[i].processor].risc].push_back(static_cast<std::uint32_t>(i));
  }
  return lanes;
}

std::vector<std::uint32_t> all_lanes(const DeviceMarkers& device) {
  std::vector<std::uint32_t> lanes(device.lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = static_cast<std::uint32_t>(i);
  return lanes;
}

namespace {

/// The extents of an op.
struct OpExtents {
  std::vector<ExtentRef> places;
  std::uint64_t first_cycle = kNoCycle;
  ExtentRef first_place;
};

/// In order of their first markers.
std::vector<OpExtents> find_op_extents(const MarkerSource& source, const std::vector<std::uint32_t>& lanes) {
  std::unordered_map<std::uint64_t, std::size_t> places;
  std::vector<OpExtents> ops;
  const std::vector<ExecutionKey>& keys = source.device.ops;
  for (const std::uint32_t lane : lanes) {
    const std::vector<MarkerExtent>& extents = source.device.lanes[lane].extents;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      const std::uint64_t id = keys[extents[i].op].op_id;
      if (id == 0) continue;
      const auto [place, is_new] = places.try_emplace(source.as_reference ? id : extents[i].op, ops.size());
      if (is_new) ops.emplace_back();
      OpExtents& op = ops[place->second];
      op.places.push_back({lane, static_cast<std::uint32_t>(i)});
      const std::uint64_t cycle = source.continued(extents[i].first_cycle);
      if (cycle < op.first_cycle) {
        op.first_cycle = cycle;
        op.first_place = op.places.back();
      }
    }
  }
  std::sort(ops.begin(), ops.end(), [](const OpExtents& a, const OpExtents& b) {
    return std::tie(a.first_cycle, a.first_place.lane, a.first_place.extent) <
           std::tie(b.first_cycle, b.first_place.lane, b.first_place.extent);
  });
  return ops;
}

/// The firmware that is around all others of a core.
bool is_master_firmware(std::string_view risc, std::string_view zone) {
  return (risc == "BRISC" && zone == "BRISC-FW") || (risc == "ERISC" && zone == "ERISC-FW") ||
         (risc == "TENSIX_RISC_AGG" && zone == "TRACE-FW") || (risc == "QUASAR_DM0" && zone == "DM0-FW");
}

/// How far the cores of an op are with an execution.
class CoreStates {
 public:
  explicit CoreStates(std::size_t cores) : states_(cores, State::kAbsent) {}

  void expect_cores_of(const MarkerSource& source, const OpExtents& op) {
    for (const std::uint32_t core : present_) states_[core] = State::kAbsent;
    present_.clear();
    for (const ExtentRef& place : op.places) {
      const std::uint32_t core = source.device.processors[source.device.lanes[place.lane].processor].core;
      if (states_[core] != State::kAbsent) continue;
      states_[core] = State::kSilent;
      present_.push_back(core);
    }
    restart();
  }
  void restart() {
    for (const std::uint32_t core : present_) states_[core] = State::kSilent;
    ended_ = 0;
  }
  /// False if it had started already.
  bool start(std::uint32_t core) {
    if (states_[core] != State::kSilent) return false;
    states_[core] = State::kStarted;
    return true;
  }
  /// True if all cores have ended.
  bool end(std::uint32_t core) {
    if (states_[core] != State::kStarted) return false;
    states_[core] = State::kEnded;
    return ++ended_ == present_.size();
  }

 private:
  enum class State : std::uint8_t { kAbsent, kSilent, kStarted, kEnded };
  std::vector<State> states_;
  std::vector<std::uint32_t> present_;
  std::size_t ended_ = 0;
};

class RecordMaker {
 public:
  RecordMaker(const MarkerSource& source, bool one_core, const std::function<void(const OpRecord&)>& take)
      : source_(source),
        one_core_(one_core),
        take_(take),
        cores_(one_core ? 0 : source.device.cores.size()) {}

  void take_op(const OpExtents& op) {
    if (!one_core_) cores_.expect_cores_of(source_, op);
    MarkerMerge merge(source_, op.places.data(), op.places.data() + op.places.size());
    for (TimedMarker marker; merge.next(marker);) {
      const LogMarker row = source_.read(marker.at);
      if (parse_unsigned(row.timer).value_or(0) != 0) take_marker(marker, row);
    }
    if (!source_.as_reference) flush();
  }

 private:
  void take_marker(const TimedMarker& marker, const LogMarker& row) {
    bool is_done = false;
    if (is_master_firmware(source_.risc_of(marker), row.zone)) {
      const std::uint32_t core = source_.device.processors[marker.processor].core;
      if (row.type == "ZONE_START" && !one_core_ && !cores_.start(core)) {
        flush();
        cores_.start(core);
      } else if (row.type == "ZONE_END") {
        is_done = one_core_ || cores_.end(core);
      }
    }
    record_.markers.push_back(marker);
    if (is_done) flush();
  }

  void flush() {
    if (!record_.markers.empty()) take_(record_);
    record_.markers.clear();
    cores_.restart();
  }

  const MarkerSource& source_;
  bool one_core_;
  const std::function<void(const OpRecord&)>& take_;
  CoreStates cores_;
  OpRecord record_;
};

}  // namespace

void for_each_op_record(const MarkerSource& source, const std::vector<std::uint32_t>& lanes, bool one_core,
                        const std::function<void(const OpRecord&)>& take) {
  RecordMaker maker(source, one_core, take);
  for (const OpExtents& op : find_op_extents(source, lanes)) maker.take_op(op);
}

namespace {

/// The markers of an op on one processor.
struct DispatchPart {
  std::uint64_t op_id = 0;
  std::vector<TimedMarker> markers;
};

/// One processor of a dispatch core.
class DispatchRisc {
 public:
  explicit DispatchRisc(bool as_reference) : as_reference_(as_reference) {}

  void take(const TimedMarker& marker, const LogMarker& row, ZoneNames& names) {
    zone_.push_back(marker);
    if (const auto id = op_id_in_meta(row.meta)) {
      finished_ = false;
      op_id_ = places_.count(*id) == 0 ? *id : 0;
    }
    if (const auto command = command_in_meta(row.meta)) {
      command_ = *command;
      if (contains(command_, "CQ_DISPATCH_NOTIFY_SUBORDINATE_GO_SIGNAL")) finished_ = true;
      if (contains(command_, "CQ_DISPATCH_CMD_SEND_GO_SIGNAL")) ++op_id_;
    }
    if (row.type == "ZONE_END") close_zone(names);
  }

  /// In order of their first markers.
  std::vector<DispatchPart> finish() {
    std::stable_sort(parts_.begin(), parts_.end(), [](const DispatchPart& a, const DispatchPart& b) {
      return a.markers.front().cycle < b.markers.front().cycle;
    });
    return std::move(parts_);
  }

 private:
  void close_zone(ZoneNames& names) {
    // The reference takes the name away if no command was told.
    if (as_reference_ || !command_.empty()) {
      names[zone_.front().at] = command_;
      names[zone_.back().at] = command_;
    }
    const auto [place, is_new] = places_.try_emplace(op_id_, parts_.size());
    if (is_new) parts_.push_back({op_id_, {}});
    std::vector<TimedMarker>& markers = parts_[place->second].markers;
    markers.insert(markers.end(), zone_.begin(), zone_.end());
    zone_.clear();
    if (finished_) op_id_ = 0;
  }

  bool as_reference_;
  std::vector<TimedMarker> zone_;  ///< since the last end of a zone
  std::uint64_t op_id_ = 0;
  std::string_view command_;
  bool finished_ = false;
  std::vector<DispatchPart> parts_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

void add_core(const MarkerSource& source, std::uint32_t core, DeviceDispatch& dispatch) {
  constexpr std::size_t kMaster = 0;
  std::array<DispatchRisc, 2> riscs = {DispatchRisc(source.as_reference), DispatchRisc(source.as_reference)};
  MarkerMerge merge(source, lanes_of_core(source.device, core));
  for (TimedMarker marker; merge.next(marker);) {
    const std::string_view risc = source.risc_of(marker);
    const bool is_master = risc == "BRISC";
    if (!is_master && risc != "NCRISC") continue;
    riscs[is_master ? kMaster : 1].take(marker, source.rows.read(marker.at), dispatch.names);
  }
  std::vector<DispatchPart> master = riscs[kMaster].finish();
  std::vector<DispatchPart> other = riscs[1].finish();
  for (std::size_t i = 0; i < master.size(); ++i) {
    if (master[i].op_id == 0) continue;
    std::vector<TimedMarker>& markers = master[i].markers;
    if (i < other.size()) markers.insert(markers.end(), other[i].markers.begin(), other[i].markers.end());
    std::stable_sort(markers.begin(), markers.end(),
                     [](const TimedMarker& a, const TimedMarker& b) { return a.cycle < b.cycle; });
    dispatch.records.push_back({core, master[i].op_id, {std::move(markers)}});
  }
}

}  // namespace

std::vector<std::size_t> DeviceDispatch::in_order() const {
  std::vector<std::size_t> order(records.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return records[a].record.markers.front().cycle < records[b].record.markers.front().cycle;
  });
  return order;
}

DeviceDispatch find_dispatch_records(const MarkerSource& source) {
  DeviceDispatch dispatch;
  for (std::size_t core = 0; core < source.device.cores.size(); ++core) {
    if (source.device.cores[core].dispatches) add_core(source, static_cast<std::uint32_t>(core), dispatch);
  }
  return dispatch;
}

namespace {

constexpr std::int64_t kMaxCycles = std::numeric_limits<std::int64_t>::max();

/// Data of a damaged log may be anything; what does not fit becomes the most.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return b < 0 ? -kMaxCycles : kMaxCycles;
  return sum;
}

double middle_of(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*std::max_element(values.begin(), half) + *half) / 2;
}

DurationSample sample_of(const TimedMarker& start, const TimedMarker& end) {
  DurationSample sample;
  sample.cycles = static_cast<std::int64_t>(end.cycle) - static_cast<std::int64_t>(start.cycle);
  sample.start = start;
  sample.end = end;
  return sample;
}

/// Looks for gaps of one analysis.
class GapFinder {
 public:
  explicit GapFinder(std::vector<DurationSample>& samples) : samples_(samples) {}

  void take(const TimedMarker& marker, bool starts, bool ends, const TimedMarker* iteration) {
    if (is_open_ && ends) {
      DurationSample sample = sample_of(open_.start, marker);
      sample.start_iteration = open_.start_iteration;
      sample.has_start_iteration = open_.has_start_iteration;
      sample.has_end_iteration = iteration != nullptr;
      if (iteration != nullptr) sample.end_iteration = *iteration;
      samples_.push_back(sample);
      is_open_ = false;
    } else if (starts) {
      is_open_ = true;
      open_.start = marker;
      open_.has_start_iteration = iteration != nullptr;
      if (iteration != nullptr) open_.start_iteration = *iteration;
    }
  }

 private:
  std::vector<DurationSample>& samples_;
  DurationSample open_;
  bool is_open_ = false;
};

bool starts_iteration(const LogMarker& row) {
  return row.type == "ZONE_START" && (row.zone == "BRISC-FW" || row.zone == "DM0-FW");
}

/// A marker of a record with what it may start and end.
struct MatchedMarker {
  TimedMarker marker;
  AnalysisMask marks;
};

/// From the first start to the last end behind it.
template <typename Iterator>
void add_first_to_last(Iterator first, Iterator last, std::uint32_t bit,
                       std::vector<DurationSample>& samples) {
  const auto start =
      std::find_if(first, last, [bit](const auto& entry) { return (entry.marks.start & bit) != 0; });
  if (start == last) return;
  for (auto end = last - 1; end != start; --end) {
    if ((end->marks.end & bit) == 0) continue;
    samples.push_back(sample_of(start->marker, end->marker));
    return;
  }
}

/// First to last on each core, cores in order of appearance.
void add_per_core(const DeviceMarkers& device, const std::vector<MatchedMarker>& marked, std::uint32_t bit,
                  std::vector<DurationSample>& samples) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<std::vector<MatchedMarker>> cores;
  for (const MatchedMarker& entry : marked) {
    const std::uint32_t core = device.processors[entry.marker.processor].core;
    const auto [place, is_new] = places.try_emplace(core, cores.size());
    if (is_new) cores.emplace_back();
    if (((entry.marks.start | entry.marks.end) & bit) != 0) cores[place->second].push_back(entry);
  }
  for (const std::vector<MatchedMarker>& core : cores)
    add_first_to_last(core.begin(), core.end(), bit, samples);
}

void add_sum(const MarkerSource& source, const std::vector<MatchedMarker>& marked, std::uint32_t bit,
             std::vector<DurationSample>& samples) {
  DurationSample sample;
  for (const MatchedMarker& entry : marked) {
    if ((entry.marks.start & bit) == 0) continue;
    const std::uint64_t data = parse_unsigned(source.read(entry.marker.at).data).value_or(0);
    sample.cycles = added(sample.cycles,
                          static_cast<std::int64_t>(std::min(data, static_cast<std::uint64_t>(kMaxCycles))));
  }
  if (sample.cycles != 0) samples.push_back(sample);
}

}  // namespace

double CycleStats::average() const {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

std::int64_t CycleStats::range() const { return added(max, -min); }

CycleStats stats_of(const std::vector<DurationSample>& samples) {
  CycleStats stats;
  if (samples.empty()) return stats;
  stats.count = samples.size();
  stats.first = stats.max = stats.min = samples.front().cycles;
  std::vector<double> values;
  values.reserve(samples.size());
  for (const DurationSample& sample : samples) {
    stats.max = std::max(stats.max, sample.cycles);
    stats.min = std::min(stats.min, sample.cycles);
    stats.sum = added(stats.sum, sample.cycles);
    values.push_back(static_cast<double>(sample.cycles));
  }
  stats.median = middle_of(std::move(values));
  return stats;
}

void StatsCollector::add(const CycleStats& stats) {
  if (stats.count == 0) return;
  all_.max = all_.count == 0 ? stats.max : std::max(all_.max, stats.max);
  all_.min = all_.count == 0 ? stats.min : std::min(all_.min, stats.min);
  if (all_.count == 0) all_.first = stats.first;
  all_.sum = added(all_.sum, stats.sum);
  all_.count += stats.count;
  medians_.push_back(stats.median);
}

CycleStats StatsCollector::finish() {
  if (!medians_.empty()) all_.median = middle_of(std::move(medians_));
  return all_;
}

std::vector<std::vector<DurationSample>> find_gaps(const MarkerSource& source,
                                                   const std::vector<std::uint32_t>& lanes,
                                                   AnalysisScope scope, AnalysisMatcher& matcher) {
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  std::vector<std::vector<DurationSample>> found(analyses.size());
  std::vector<std::pair<std::uint32_t, GapFinder>> finders;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i].scope == scope && analyses[i].kind == AnalysisKind::kAdjacent)
      finders.emplace_back(1u << i, GapFinder(found[i]));
  }
  TimedMarker iteration;
  bool has_iteration = false;
  MarkerMerge merge(source, lanes);
  for (TimedMarker marker; merge.next(marker);) {
    const LogMarker row = source.read(marker.at);
    if (starts_iteration(row)) {
      iteration = marker;
      has_iteration = true;
    }
    const AnalysisMask marks = matcher.mask_of(row.zone, row.type, source.risc_of(marker));
    for (auto& [bit, finder] : finders) {
      finder.take(marker, (marks.start & bit) != 0, (marks.end & bit) != 0,
                  has_iteration ? &iteration : nullptr);
    }
  }
  return found;
}

std::vector<std::vector<DurationSample>> measure_record(const MarkerSource& source, const OpRecord& record,
                                                        AnalysisScope scope, AnalysisMatcher& matcher) {
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  std::vector<std::vector<DurationSample>> found(analyses.size());
  std::vector<MatchedMarker> marked;
  marked.reserve(record.markers.size());
  for (const TimedMarker& marker : record.markers) {
    const LogMarker row = source.read(marker.at);
    const AnalysisMask marks = matcher.mask_of(row.zone, row.type, source.risc_of(marker));
    marked.push_back({marker, marks});
  }
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i].scope != scope) continue;
    const std::uint32_t bit = 1u << i;
    if (analyses[i].kind == AnalysisKind::kOpFirstLast) {
      add_first_to_last(marked.begin(), marked.end(), bit, found[i]);
    } else if (analyses[i].kind == AnalysisKind::kOpCoreFirstLast) {
      add_per_core(source.device, marked, bit, found[i]);
    } else if (analyses[i].kind == AnalysisKind::kSum) {
      add_sum(source, marked, bit, found[i]);
    }
  }
  return found;
}

void for_each_event(const MarkerSource& source, std::size_t analysis,
                    const std::function<void(const TimedMarker&)>& take) {
  const std::string_view risc = timer_analyses()[analysis].start.risc;
  const auto lanes = lanes_by_risc(source.device);
  const auto found = lanes.find(risc);
  if (found == lanes.end()) return;
  MarkerMerge merge(source, found->second);
  for (TimedMarker marker; merge.next(marker);) {
    const std::string_view type = source.rows.read(marker.at).type;
    if (type == "TS_DATA" || type == "TS_EVENT") take(marker);
  }
}

namespace {

/// The statistics of each analysis.
class AnalysisCollectors {
 public:
  AnalysisCollectors() : collectors_(timer_analyses().size()) {}

  void add(const std::vector<std::vector<DurationSample>>& found) {
    for (std::size_t i = 0; i < found.size(); ++i) collectors_[i].add(stats_of(found[i]));
  }
  std::vector<StatsEntry> finish() {
    std::vector<StatsEntry> entries;
    for (std::size_t i = 0; i < collectors_.size(); ++i) {
      const CycleStats stats = collectors_[i].finish();
      if (stats.count > 0) entries.push_back({i, stats});
    }
    return entries;
  }

 private:
  std::vector<StatsCollector> collectors_;
};

}  // namespace

DeviceTimelines::DeviceTimelines(const DeviceMarkers& device, const MarkerRows& rows, bool as_reference)
    : dispatch_(find_dispatch_records({device, rows, as_reference, nullptr})),
      source_{device, rows, as_reference, as_reference ? &dispatch_.names : nullptr},
      named_source_{device, rows, as_reference, &dispatch_.names} {}

DeviceStats compute_device_stats(const DeviceTimelines& timelines) {
  AnalysisCollectors collectors;
  AnalysisMatcher matcher;
  const DeviceMarkers& device = timelines.device();
  for (std::size_t core = 0; core < device.cores.size(); ++core) {
    const std::vector<std::uint32_t> lanes = lanes_of_core(device, static_cast<std::uint32_t>(core));
    collectors.add(find_gaps(timelines.source(), lanes, AnalysisScope::kCore, matcher));
  }
  collectors.add(find_gaps(timelines.source(), all_lanes(device), AnalysisScope::kDevice, matcher));
  for_each_op_record(timelines.source(), all_lanes(device), false, [&](const OpRecord& record) {
    collectors.add(measure_record(timelines.source(), record, AnalysisScope::kOps, matcher));
  });
  for (const DispatchRecord& record : timelines.dispatch().records) {
    collectors.add(
        measure_record(timelines.dispatch_source(), record.record, AnalysisScope::kDispatchOps, matcher));
  }
  return {device.device, collectors.finish()};
}

namespace {

/// A gap is left out when the core's next op has no data movement kernel.
std::vector<CoreGap> gaps_of(const std::vector<std::pair<const CoreRun*, std::uint64_t>>& runs) {
  std::vector<CoreGap> gaps;
  const CoreRun* last = nullptr;
  std::uint64_t last_op = 0;
  for (const auto& entry : runs) {
    const CoreRun* const run = entry.first;
    const std::uint64_t op = entry.second;
    const auto start_of = [&](RiscSlot slot) { return run->kernel[static_cast<std::size_t>(slot)].start; };
    const std::uint64_t start = std::min(start_of(RiscSlot::kBrisc), start_of(RiscSlot::kNcrisc));
    if (last != nullptr && start != kNoCycle && start >= last->kernels().end) {
      const std::uint64_t end = last->kernels().end;
      gaps.push_back({run->x, run->y, end, start - end, last_op, op});
    }
    if (run->kernels().end != kNoCycle) {
      last = run;
      last_op = op;
    }
  }
  return gaps;
}

}  // namespace

std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device) {
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::vector<std::pair<const CoreRun*, std::uint64_t>>>
      cores;
  auto execution =
      std::partition_point(log.executions.begin(), log.executions.end(),
                           [device](const Execution& other) { return other.key.device < device; });
  for (; execution != log.executions.end() && execution->key.device == device; ++execution) {
    for (std::uint32_t i = 0; i < execution->run_count; ++i) {
      const CoreRun& run = log.runs[execution->first_run + i];
      cores[{run.x, run.y}].emplace_back(&run, execution->key.op_id);
    }
  }
  std::vector<std::vector<CoreGap>> gaps;
  for (auto& [place, runs] : cores) {
    std::stable_sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) {
      return a.first->kernels().end < b.first->kernels().end;
    });
    gaps.push_back(gaps_of(runs));
  }
  return gaps;
}

std::vector<GapRow> tabulate_gaps(const DeviceProfile& log) {
  std::vector<GapRow> rows;
  for (const std::uint32_t device : log.devices) {
    const std::vector<std::vector<CoreGap>> cores = find_core_gaps(log, device);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::map<std::size_t, std::size_t>> counts;
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::size_t>, std::size_t> places;
    const std::size_t first_row = rows.size();
    // The nth time that a core goes from one op to another belongs with the nth time of the other cores.
    for (std::size_t core = 0; core < cores.size(); ++core) {
      for (const CoreGap& gap : cores[core]) {
        const std::size_t n = counts[{gap.from_op, gap.to_op}][core]++;
        const auto [place, is_new] = places.try_emplace({gap.from_op, gap.to_op, n}, rows.size());
        if (is_new) rows.push_back({device, gap.from_op, gap.to_op, {}});
        rows[place->second].cores.push_back(gap);
      }
    }
    std::stable_sort(rows.begin() + static_cast<std::ptrdiff_t>(first_row), rows.end(),
                     [](const GapRow& a, const GapRow& b) {
                       const auto first = [](const GapRow& row) {
                         std::uint64_t least = kNoCycle;
                         for (const CoreGap& gap : row.cores) least = std::min(least, gap.start_cycle);
                         return least;
                       };
                       return first(a) < first(b);
                     });
  }
  return rows;
}

}  // namespace ttscope::perf
