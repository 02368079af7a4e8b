#include "perf/analyse/device_stats/dispatch_records.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/text_search.h"
#include "perf/analyse/executions/dispatch_meta.h"

namespace ttscope::perf {
namespace {

/// The markers of an op on one processor.
struct DispatchPart {
  std::uint64_t op_id = 0;
  std::vector<TimedMarker> markers;
};

/// One processor of a dispatch core.
class DispatchRisc {
 public:
  explicit DispatchRisc(const Rules& rules) : rules_(rules) {}

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
    if (!rules_.keeps_names_of_silent_zones || !command_.empty()) {
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

  const Rules& rules_;
  std::vector<TimedMarker> zone_;  ///< since the last end of a zone
  std::uint64_t op_id_ = 0;
  std::string_view command_;
  bool finished_ = false;
  std::vector<DispatchPart> parts_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

void add_core(const MarkerSource& source, std::uint32_t core, DeviceDispatch& dispatch) {
  constexpr std::size_t kMaster = 0;
  std::array<DispatchRisc, 2> riscs = {DispatchRisc(*source.rules), DispatchRisc(*source.rules)};
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

}  // namespace ttscope::perf
