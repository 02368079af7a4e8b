#include "perf/analyse/device_stats/op_records.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "base/number_text.h"

namespace ttscope::perf {
namespace {

/// The extents of an op.
struct OpExtents {
  std::vector<ExtentPlace> places;
  std::uint64_t first_cycle = kNoCycle;
  ExtentPlace first_place;
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
      const auto [place, is_new] =
          places.try_emplace(source.rules->tells_traces_apart ? extents[i].op : id, ops.size());
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
    for (const ExtentPlace& place : op.places) {
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
    if (source_.rules->keeps_last_record) flush();
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

}  // namespace ttscope::perf
