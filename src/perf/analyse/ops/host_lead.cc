#include "perf/analyse/ops/host_lead.h"

#include <algorithm>
#include <map>
#include <set>

#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {
namespace {

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
  explicit SentOps(const OpsReport& table) : table_(table) {
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
    return op.type == OpRowType::kDevice && table_.clock_mhz > 0 && has_cycles(op);
  }
  /// Without cycles the ops of a device stand in the order in which it ran them.
  double start_ns(const OpRow& op) {
    if (is_on_clock(op)) return op.fw_start_cycle / table_.clock_mhz * 1000;
    double& end_ns = ends_ns_[op.device];
    const auto or_zero = [](double ns) { return has_number(ns) ? ns : 0; };
    const double start_ns = end_ns + or_zero(op.op_to_op_ns);
    end_ns = start_ns + or_zero(has_number(op.fw_duration_ns) ? op.fw_duration_ns : op.kernel_duration_ns);
    return start_ns;
  }
  void add(std::uint32_t row, double start_ns) {
    const OpRow& op = table_.rows[row];
    if (!has_number(op.host_start_ns) || has_number(static_cast<double>(op.replay_session))) return;
    const double took_ns = has_number(op.host_duration_ns) ? op.host_duration_ns : 0;
    devices_[op.device].push_back({row, start_ns, op.host_start_ns, op.host_start_ns + took_ns});
  }

  const OpsReport& table_;
  std::set<std::int32_t> on_clock_;         ///< devices
  std::map<std::int32_t, double> ends_ns_;  ///< by device
  std::map<std::int32_t, std::vector<SentOp>> devices_;
};

/// Against all ops that began before, or all that began later: `clocks` is how much time of the host one of
/// the device is at least, or at most.
template <typename Ops>
void take_leads(const Ops& begin, const Ops& end, double clocks, std::vector<HostLead>& leads) {
  double least_offset_ns = kNoNumber;
  for (auto op = begin; op != end; ++op) {
    const double offset_ns = op->send_ns - op->start_ns * clocks;
    if (!(offset_ns <= least_offset_ns)) least_offset_ns = offset_ns;
    const double lead_us = (least_offset_ns + op->start_ns * clocks - op->sent_ns) / 1000;
    double& known_us = leads[op->row].us;
    if (!(lead_us <= known_us)) known_us = lead_us;
  }
}

}  // namespace

std::vector<HostLead> find_host_leads(const OpsReport& table) {
  std::vector<HostLead> leads(table.rows.size());
  SentOps sent(table);
  for (auto& [device, ops] : sent.by_device()) {
    std::stable_sort(ops.begin(), ops.end(),
                     [](const SentOp& a, const SentOp& b) { return a.start_ns < b.start_ns; });
    for (const SentOp& op : ops) leads[op.row].most_us = (op.start_ns - ops.front().start_ns) / 1000;
    take_leads(ops.begin(), ops.end(), 1 - kClocksApart, leads);
    take_leads(ops.rbegin(), ops.rend(), 1 + kClocksApart, leads);
  }
  return leads;
}

}  // namespace ttscope::perf
