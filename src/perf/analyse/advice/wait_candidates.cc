#include "perf/analyse/advice/wait_candidates.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace ttscope::perf {
namespace {

GainBasis basis_of_gap(AdviceCause cause) {
  const bool is_derived = cause != AdviceCause::kTraceGaps && cause != AdviceCause::kUnknownGaps;
  return is_derived ? GainBasis::kDerived : GainBasis::kMeasured;
}

/// By row of the report: the lanes that begin latest, by their first ops. Those that are late by less than
/// half of it are not what others wait for. When a device began whose first rows are lost is not known.
std::map<std::uint32_t, std::uint32_t> late_lanes(const std::vector<DeviceLane>& lanes) {
  constexpr double kBeside = 0.5;
  std::map<std::uint32_t, std::uint32_t> late;
  const auto start_ns = [&](std::uint32_t lane) {
    const bool is_known = lanes[lane].absent.empty() || lanes[lane].absent.front().before > 0;
    return is_known ? lanes[lane].ops.front().start_ns : 0;
  };
  double most_ns = 0;
  for (std::uint32_t i = 0; i < lanes.size(); ++i) most_ns = std::max(most_ns, start_ns(i));
  for (std::uint32_t i = 0; i < lanes.size(); ++i) {
    if (start_ns(i) > kHighGapUs * 1000 && start_ns(i) >= most_ns * kBeside)
      late.emplace(lanes[i].ops.front().row, i);
  }
  return late;
}

class WaitFinder {
 public:
  explicit WaitFinder(CandidateList& list) : list_(list), in_(list.input()) {}

  void find() {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (!in_.ops.rows[i].is_signpost) add_gap(i);
    }
    add_hidden_gaps();
    add_late_starts();
  }

 private:
  std::optional<AdviceCause> cause_of_gap(std::uint32_t place, GapCause gap) const;
  std::int32_t device_alone_late(const ShownOp& row) const;
  void add_gap(std::uint32_t place);
  void add_hidden_gaps();
  void add_late_starts();
  bool lacks_beginning(const ShownOp& row) const;

  CandidateList& list_;
  const AdviceInput& in_;
};

std::optional<AdviceCause> WaitFinder::cause_of_gap(std::uint32_t place, GapCause gap) const {
  switch (gap) {
    case GapCause::kDispatch:
      return AdviceCause::kHostLate;
    case GapCause::kTrace:
      return AdviceCause::kTraceGaps;
    case GapCause::kSync:
      return place > 0 && in_.ops.rows[place - 1].is_host ? AdviceCause::kHostOps : AdviceCause::kHostSync;
    case GapCause::kUnknown:
      return AdviceCause::kUnknownGaps;
    default:
      return std::nullopt;
  }
}

/// The device that alone waits before an op while all others begin it in time; -1: several wait, or there is
/// only one device.
std::int32_t WaitFinder::device_alone_late(const ShownOp& row) const {
  std::int32_t device = -1;
  std::size_t late = 0;
  std::size_t members = 0;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    ++members;
    if (!(in_.table.rows[one].op_to_op_ns > kHighGapUs * 1000)) return;
    ++late;
    device = in_.table.rows[one].device;
  });
  return late == 1 && members > 1 ? device : -1;
}

void WaitFinder::add_gap(std::uint32_t place) {
  const ShownOp& row = in_.ops.rows[place];
  const std::optional<AdviceCause> cause = cause_of_gap(place, in_.gaps.causes[place]);
  if (!cause) return;
  AdviceCandidate& to = list_.candidate(*cause, basis_of_gap(*cause), kNone, device_alone_late(row));
  to.add_row(place, row.gap_us, kTypicalGapUs);
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) { to.gaps.push_back(one); });
}

/// Gaps of devices that are late, but not the last.
void WaitFinder::add_hidden_gaps() {
  for (const HiddenGap& gap : in_.gaps.hidden) {
    const std::optional<AdviceCause> cause = cause_of_gap(gap.place, gap.cause);
    if (!cause) continue;
    AdviceCandidate& to =
        list_.candidate(*cause, basis_of_gap(*cause), kNone, in_.table.rows[gap.row].device);
    to.add_row(gap.place, gap.gap_us, kTypicalGapUs);
    to.gaps.push_back(gap.row);
  }
}

/// Of the first op of a device: whether the one that began first ran others before it. Then rows of this
/// device are lost, or it runs another program: nobody knows when it would have begun.
bool WaitFinder::lacks_beginning(const ShownOp& row) const {
  const std::vector<DeviceLane>& lanes = in_.ops.clock.lanes;
  const DeviceLane& first =
      *std::min_element(lanes.begin(), lanes.end(), [](const DeviceLane& a, const DeviceLane& b) {
        return a.ops.front().start_ns < b.ops.front().start_ns;
      });
  bool lacks = false;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    lacks |= in_.table.rows[one].device == first.device && one != first.ops.front().row;
  });
  return lacks;
}

/// Devices that begin later than the first one. What they did before lies outside the window, so it is no
/// gap; but whoever meets them waits. All together: of several that begin one after the other the last
/// decides.
void WaitFinder::add_late_starts() {
  const std::vector<DeviceLane>& lanes = in_.ops.clock.lanes;
  if (in_.ops.clock.collectives == 0) return;
  const std::map<std::uint32_t, std::uint32_t> late = late_lanes(lanes);
  for (std::uint32_t place = 0; place < in_.ops.rows.size() && !late.empty(); ++place) {
    for_each_member(in_.table, in_.ops, in_.ops.rows[place], [&](std::uint32_t row) {
      const auto found = late.find(row);
      if (found == late.end() || lacks_beginning(in_.ops.rows[place])) return;
      const DeviceLane& lane = lanes[found->second];
      AdviceCandidate& to = list_.candidate(AdviceCause::kLateStart, GainBasis::kDerived, kNone);
      to.lanes.push_back(found->second);
      if (to.lanes.size() == 1) {
        to.advice.device = lane.device;
      } else {
        to.advice.more_devices.push_back(lane.device);
      }
      to.most_us = to.advice.measured_us = std::max(to.most_us, lane.ops.front().start_ns / 1000);
      std::vector<std::uint32_t>& rows = to.advice.rows;
      if (rows.size() < OpAdvice::kRowsKept && (rows.empty() || rows.back() != place)) rows.push_back(place);
      to.advice.row_count = rows.size();
    });
  }
}

}  // namespace

void add_waits(CandidateList& list) { WaitFinder(list).find(); }

}  // namespace ttscope::perf
