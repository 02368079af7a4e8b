#include "perf/analyze/op_waits.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "perf/analyze/run_clock.h"
#include "perf/analyze/shown_ops.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {
namespace {

struct HostLead {
  double us = kNoNumber;      ///< how long before its start an op had been sent, at least; none: nobody knows
  double max_us = kNoNumber;  ///< how much could be told: since the first op of the device
};

/// The clocks of a host and a device were seen to differ by 1.4 %: what they say of long times is believed
/// less.
constexpr double kClocksApart = 0.02;

/// An op of one device, in ns on the clocks of the device and the host.
struct SentOp {
  std::uint32_t row = 0;
  double start_ns = 0;
  double send_ns = 0;  ///< the host began with it
  double sent_ns = 0;  ///< it was done with it
};

/// The ops of each device that the host sent one by one; replayed ones carry the time of their capture.
class SentOps {
 public:
  explicit SentOps(const OpsReport& table) : report_(table) {
    for (const OpRow& op : table.rows)
      if (is_on_clock(op)) on_clock_.insert(op.device);
    for (std::uint32_t row = 0; row < table.rows.size(); ++row) {
      const OpRow& op = table.rows[row];
      // Where the others have cycles, nobody knows when one without them began.
      if (on_clock_.count(op.device) > 0 && !is_on_clock(op)) continue;
      if (op.type == OpRowType::kDevice) add(row, start_ns(op));
    }
  }
  std::map<std::int32_t, std::vector<SentOp>>& by_device() { return devices_; }

 private:
  bool is_on_clock(const OpRow& op) const {
    return op.type == OpRowType::kDevice && report_.clock_mhz > 0 && has_cycles(op);
  }
  /// Without cycles the ops of a device stand in the order in which it ran them.
  double start_ns(const OpRow& op) {
    if (is_on_clock(op)) return op.fw_start_cycle / report_.clock_mhz * 1000;
    double& end_ns = ends_ns_[op.device];
    const auto or_zero = [](double ns) { return has_number(ns) ? ns : 0; };
    const double start_ns = end_ns + or_zero(op.op_to_op_ns);
    end_ns = start_ns + or_zero(has_number(op.fw_duration_ns) ? op.fw_duration_ns : op.kernel_duration_ns);
    return start_ns;
  }
  void add(std::uint32_t row, double start_ns) {
    const OpRow& op = report_.rows[row];
    if (!has_number(op.host_start_ns) || has_number(static_cast<double>(op.replay_session))) return;
    const double took_ns = has_number(op.host_duration_ns) ? op.host_duration_ns : 0;
    devices_[op.device].push_back({row, start_ns, op.host_start_ns, op.host_start_ns + took_ns});
  }

  const OpsReport& report_;
  std::set<std::int32_t> on_clock_;         ///< devices
  std::map<std::int32_t, double> ends_ns_;  ///< by device
  std::map<std::int32_t, std::vector<SentOp>> devices_;
};

/// Against all ops that began before, or all that began later: `clocks` is how much time of the host one of
/// the device is at least, or at most.
template <typename Ops>
void take_leads(const Ops& begin, const Ops& end, double clocks, std::vector<HostLead>& leads) {
  double min_offset_ns = kNoNumber;
  for (auto op = begin; op != end; ++op) {
    const double offset_ns = op->send_ns - op->start_ns * clocks;
    if (!(offset_ns <= min_offset_ns)) min_offset_ns = offset_ns;
    const double lead_us = (min_offset_ns + op->start_ns * clocks - op->sent_ns) / 1000;
    double& known_us = leads[op->row].us;
    if (!(lead_us <= known_us)) known_us = lead_us;
  }
}

/// By row of the report. Derived, without a clock that host and device share: no op begins before it is sent,
/// so what lies more between two starts than between the two sendings is the lead of the later one.
std::vector<HostLead> find_host_leads(const OpsReport& table) {
  std::vector<HostLead> leads(table.rows.size());
  SentOps sent(table);
  for (auto& [device, ops] : sent.by_device()) {
    std::stable_sort(ops.begin(), ops.end(),
                     [](const SentOp& a, const SentOp& b) { return a.start_ns < b.start_ns; });
    for (const SentOp& op : ops) leads[op.row].max_us = (op.start_ns - ops.front().start_ns) / 1000;
    take_leads(ops.begin(), ops.end(), 1 - kClocksApart, leads);
    take_leads(ops.rbegin(), ops.rend(), 1 + kClocksApart, leads);
  }
  return leads;
}

/// Longer than any launch: the host was busy with other things.
constexpr double kLongHostUs = 1000;
/// A host that sends all at once has a lead of nearly all time since the first op.
constexpr double kLeadTolerance = 1.1;

bool is_replay(const OpRow& row) { return has_number(static_cast<double>(row.replay_session)); }

/// How long the host took between sending the two ops, in µs; kNoNumber when it is not recorded.
double host_pause_us(const OpRow& before, const OpRow& row) {
  const double end =
      before.host_start_ns + (has_number(before.host_duration_ns) ? before.host_duration_ns : 0);
  return (row.host_start_ns - end) / 1000;
}

/// Whether the device had the op long before its turn. What an idle device takes from the sending of an op to
/// its start is 10 to 30 us.
/// Where the record has just begun, nothing could show that: then it is not known who was late.
bool may_be_sent_in_time(const HostLead& lead, double gap_us) {
  constexpr double kMaxLaunchUs = 100;
  const double enough_us = kMaxLaunchUs + gap_us / 2;
  return lead.us > enough_us || lead.max_us < enough_us * kLeadTolerance;
}

/// What is known of the device and the host before an op.
struct GapContext {
  const OpRow* op = nullptr;     ///< the one before it on the device
  bool is_host_between = false;  ///< an op of the host stands between the two
  HostLead lead;                 ///< how long the op had been sent
};

GapCause cause_of(const ShownOp& shown, const OpRow& row, const GapContext& before) {
  if (!(shown.gap_us > kHighGapUs)) return GapCause::kLaunch;
  if (is_replay(row)) {
    const bool is_same = before.op != nullptr && before.op->replay_session == row.replay_session &&
                         before.op->trace_id == row.trace_id && shown.gap_us < kLongHostUs;
    return is_same ? GapCause::kTrace : GapCause::kSync;
  }
  if (is_compile_gap(shown)) return GapCause::kCompile;
  if (before.is_host_between) return GapCause::kSync;
  const double pause_us = before.op == nullptr ? kNoNumber : host_pause_us(*before.op, row);
  if (!has_number(pause_us) || may_be_sent_in_time(before.lead, shown.gap_us)) return GapCause::kUnknown;
  return pause_us > kLongHostUs && pause_us > shown.gap_us / 2 ? GapCause::kSync : GapCause::kDispatch;
}

/// Asked for only where a device waited: most reports are long and have few gaps.
class HostLeads {
 public:
  explicit HostLeads(const OpsReport& table) : report_(table) {}
  const HostLead& before(std::uint32_t row) {
    if (leads_.empty()) leads_ = find_host_leads(report_);
    return leads_[row];
  }

 private:
  const OpsReport& report_;
  std::vector<HostLead> leads_;
};

struct GapInput {
  const OpsReport& table;
  const ShownOps& ops;
  const std::vector<bool>& holes;
  HostLeads& leads;
};

void find_hidden_gaps(const GapInput& input, OpGaps& gaps) {
  const OpsReport& table = input.table;
  const ShownOps& ops = input.ops;
  std::vector<const OpRow*> before(table.rows.size());
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (std::size_t i = 1; i < lane.ops.size(); ++i)
      before[lane.ops[i].row] = &table.rows[lane.ops[i - 1].row];
  }
  for (std::uint32_t place = 0; place < ops.rows.size(); ++place) {
    const ShownOp& shown = ops.rows[place];
    if (shown.group == kNone || shown.gap_us > kHighGapUs) continue;
    for_each_member(table, ops, shown, [&](std::uint32_t row) {
      ShownOp own = shown;
      own.gap_us = table.rows[row].op_to_op_ns / 1000;
      own.waits_for_compile = ops.compile_rows[row];
      if (row == shown.row || before[row] == nullptr || input.holes[row] || !(own.gap_us > kHighGapUs))
        return;
      const GapContext seen{before[row], false, input.leads.before(row)};
      gaps.hidden.push_back({place, row, cause_of(own, table.rows[row], seen), own.gap_us});
    });
  }
}

}  // namespace

std::string_view key_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kKeys = {"launch", "compile", "dispatch",   "trace",
                                                                  "sync",   "unknown", "missing_ops"};
  return kKeys[static_cast<std::size_t>(cause)];
}

OpGaps find_gap_causes(const OpsReport& table, const ShownOps& ops, const Replays& replays) {
  const std::vector<bool> holes = replays.find_holes(ops.clock);
  HostLeads leads(table);
  OpGaps gaps;
  gaps.causes.resize(ops.rows.size(), GapCause::kLaunch);
  GapContext before;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& shown = ops.rows[i];
    const OpRow& row = table.rows[shown.row];
    if (shown.is_signpost) continue;
    if (has_number(shown.gap_us)) {
      const bool is_long = shown.gap_us > kHighGapUs;
      if (is_long) before.lead = leads.before(shown.row);
      gaps.causes[i] = is_long && holes[shown.row] ? GapCause::kMissing : cause_of(shown, row, before);
      GapTotal& total = gaps.totals[static_cast<std::size_t>(gaps.causes[i])];
      total.gap_us += shown.gap_us;
      ++total.rows;
    }
    before.is_host_between = shown.is_host;
    if (!shown.is_host) before.op = &row;
  }
  find_hidden_gaps({table, ops, holes, leads}, gaps);
  return gaps;
}

namespace {

struct Interval {
  double start = 0;
  double end = 0;
};

struct DeviceIntervals {
  std::vector<Interval> collectives;
  std::vector<Interval> others;
};

/// In order and without overlaps.
std::vector<Interval> merge_intervals(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.start < b.start; });
  std::vector<Interval> all;
  for (const Interval& one : intervals) {
    if (!all.empty() && one.start <= all.back().end) {
      all.back().end = std::max(all.back().end, one.end);
    } else {
      all.push_back(one);
    }
  }
  return all;
}

/// Both united.
double shared_cycles(const std::vector<Interval>& first, const std::vector<Interval>& second) {
  double cycles = 0;
  for (std::size_t a = 0, b = 0; a < first.size() && b < second.size();) {
    const double start = std::max(first[a].start, second[b].start);
    const double end = std::min(first[a].end, second[b].end);
    if (end > start) cycles += end - start;
    (first[a].end < second[b].end ? a : b) += 1;
  }
  return cycles;
}

/// By device: for how many µs other ops ran beside its collectives (derived: kernel time up to the
/// end of the firmware, which is a little later than that of the kernels).
/// Only devices whose rows have cycles and a clock.
std::map<std::int32_t, double> find_collective_overlap(const OpsReport& table, const ShownOps& ops) {
  std::map<std::int32_t, double> overlap_us;
  const double cycles_per_us = ops.peaks.clock_mhz;
  if (!(cycles_per_us > 0)) return overlap_us;
  std::map<std::int32_t, DeviceIntervals> devices;
  for (const std::uint32_t member : ops.members) {
    const OpRow& row = table.rows[member];
    // Firmware starts while the op before still runs; kernels end with it.
    const double start = row.fw_end_cycle - row.kernel_duration_ns / 1000 * cycles_per_us;
    if (!(row.fw_end_cycle > start)) continue;
    DeviceIntervals& device = devices[row.device];
    const bool is_collective = ops.facts[row.kind].category == OpCategory::kCcl;
    (is_collective ? device.collectives : device.others).push_back({start, row.fw_end_cycle});
  }
  for (auto& [device, intervals] : devices) {
    const double cycles = shared_cycles(merge_intervals(std::move(intervals.collectives)),
                                        merge_intervals(std::move(intervals.others)));
    overlap_us[device] = cycles / cycles_per_us;
  }
  return overlap_us;
}

struct Member {
  double us = 0;
  std::int32_t device = -1;
};

/// The durations of one op, the shortest first.
std::vector<Member> members_of(const OpsReport& table, const ShownOps& ops, const OpGroup& group) {
  std::vector<Member> members;
  for (std::uint32_t i = 0; i < group.count; ++i) {
    const OpRow& row = table.rows[ops.members[group.first + i]];
    if (has_number(row.kernel_duration_ns)) members.push_back({row.kernel_duration_ns / 1000, row.device});
  }
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& a, const Member& b) { return a.us < b.us; });
  return members;
}

double median_of(const std::vector<Member>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle].us : (sorted[middle - 1].us + sorted[middle].us) / 2;
}

/// How the devices came to the collectives, on the clock of the run.
void add_waiting(const ShownOps& ops, OpSkew& skew) {
  std::vector<std::vector<double>> starts(ops.clock.collectives);
  for (const DeviceLane& lane : ops.clock.lanes) {
    for (const TimedOp& op : lane.ops) {
      if (op.collective != kNone) starts[op.collective].push_back(op.start_ns);
    }
  }
  skew.collective_wait_us = skew.collective_late_us = 0;
  for (std::vector<double>& arrivals : starts) {
    if (arrivals.size() < 2) continue;
    std::sort(arrivals.begin(), arrivals.end());
    const double last = arrivals.back();
    double waited = 0;
    for (const double arrival : arrivals) waited += last - arrival;
    skew.collective_wait_us += waited / static_cast<double>(arrivals.size()) / 1000;
    const std::size_t others = arrivals.size() - 1;
    skew.collective_late_us += (last - (arrivals[(others - 1) / 2] + arrivals[others / 2]) / 2) / 1000;
  }
}

void add_to_devices(const std::vector<Member>& members, bool is_collective,
                    std::map<std::int32_t, DeviceSkew>& devices) {
  const double median = median_of(members);
  for (const Member& member : members) {
    DeviceSkew& device = devices[member.device];
    device.device = member.device;
    ++device.ops;
    device.device_us += member.us;
    if (is_collective) device.collective_us += member.us;
    if (!is_collective && member.us > median) device.behind_us += member.us - median;
  }
  if (!is_collective && members.size() > 1 && members.back().us > members.front().us)
    ++devices[members.back().device].slowest_ops;
}

}  // namespace

OpSkew find_skew(const OpsReport& table, const ShownOps& ops) {
  OpSkew skew;
  std::map<std::int32_t, DeviceSkew> devices;
  for (std::size_t i = 0; i < ops.rows.size(); ++i) {
    const ShownOp& row = ops.rows[i];
    if (row.group == kNone) continue;
    const OpGroup& ops_of_row = ops.groups[row.group];
    const bool is_collective = ops.facts_of(table, row).category == OpCategory::kCcl;
    const std::vector<Member> members = members_of(table, ops, ops_of_row);
    if (members.empty()) continue;
    add_to_devices(members, is_collective, devices);
    if (members.size() < 2) continue;
    if (is_collective) {
      double sum = 0;
      for (const Member& member : members) sum += member.us;
      skew.collective_wait_us += sum / static_cast<double>(members.size()) - members.front().us;
      continue;
    }
    GroupSkew group;
    group.row = static_cast<std::uint32_t>(i);
    group.slowest_device = members.back().device;
    group.fastest_us = members.front().us;
    group.median_us = median_of(members);
    group.slowest_us = members.back().us;
    skew.compute_lost_us += group.lost_us();
    skew.groups.push_back(group);
  }
  if (ops.clock.lanes.size() > 1) add_waiting(ops, skew);
  const std::size_t listed = std::min(skew.groups.size(), OpSkew::kGroupsListed);
  const auto is_worse = [](const GroupSkew& a, const GroupSkew& b) {
    return a.lost_us() != b.lost_us() ? a.lost_us() > b.lost_us() : a.row < b.row;
  };
  std::partial_sort(skew.groups.begin(), skew.groups.begin() + static_cast<std::ptrdiff_t>(listed),
                    skew.groups.end(), is_worse);
  const std::map<std::int32_t, double> overlaps = find_collective_overlap(table, ops);
  for (auto& [id, device] : devices) {
    if (const auto overlap = overlaps.find(id); overlap != overlaps.end())
      device.overlap_us = overlap->second;
    skew.devices.push_back(device);
  }
  return skew;
}

}  // namespace ttscope::perf
