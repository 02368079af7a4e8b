#include "app/timeline/device_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace ttscope::app {
namespace {

using timeline::AlignmentBasis;

AlignmentBasis basis_of(perf::ClockBasis basis) {
  switch (basis) {
    case perf::ClockBasis::kCollectives:
      return AlignmentBasis::kCollectives;
    case perf::ClockBasis::kSharedOps:
      return AlignmentBasis::kDeviceOps;
    case perf::ClockBasis::kHost:
      return AlignmentBasis::kHostOps;
    case perf::ClockBasis::kSync:
      return AlignmentBasis::kSync;
    case perf::ClockBasis::kNone:
      break;
  }
  return AlignmentBasis::kStart;
}

/// Which times of two hosts are the same, and how well that is known.
void set_shift(HostClock& host, AlignmentBasis basis, std::vector<double> distances) {
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  host.shift_ns = *middle;
  host.basis = basis;
  host.samples = distances.size();
  for (const double distance : distances)
    host.worst_ns = std::max(host.worst_ns, std::abs(distance - host.shift_ns));
}

/// Captures of Tracy say the second in which they began, recordings the time of day of their machine.
void move_by_time(const HostClock& first, HostClock& host) {
  if (first.captured_at_ns != 0 && host.captured_at_ns != 0) {
    const double distance =
        static_cast<double>(host.captured_at_ns) - static_cast<double>(first.captured_at_ns);
    set_shift(host, AlignmentBasis::kStamps, {distance});
    const std::int64_t within_ns = std::max(first.captured_within_ns, host.captured_within_ns);
    host.worst_ns = within_ns > 0 ? static_cast<double>(within_ns) : -1;
    return;
  }
  host.shift_ns = static_cast<double>(first.first_ns - host.first_ns);
  host.basis = AlignmentBasis::kStart;
}

class ClockFinder {
 public:
  ClockFinder(const perf::Profile& run, std::vector<HostClock>& hosts) : run_(run), hosts_(hosts) {}

  std::map<std::uint32_t, DeviceClock> find() {
    take_op_clocks();
    take_other_clocks();
    bool moved = false;
    for (std::size_t i = 0; i < run_.captures.size(); ++i) moved |= move_to_host(i);
    for (std::size_t i = 0; i < run_.captures.size(); ++i) take_sync(i);
    for (std::size_t i = 1; i < run_.captures.size(); ++i) align_host(i);
    if (!moved && clocks_.size() == 1 && clocks_.begin()->second.alignment.basis == AlignmentBasis::kStart) {
      clocks_.begin()->second.alignment.basis = AlignmentBasis::kAxis;
    }
    for (auto& [device, clock] : clocks_) {
      clock.alignment.what = fmt::format("device {}", device);
      clock.alignment.cycles_per_ns = clock.cycles_per_ns;
    }
    return std::move(clocks_);
  }

 private:
  /// The capture that a device is of.
  std::size_t capture_of(std::uint32_t device) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < run_.captures.size(); ++i) {
      if (run_.captures[i].device_offset <= device) found = i;
    }
    return found;
  }

  /// As the ops of all devices were brought to one clock.
  void take_op_clocks() {
    const perf::RunClock& shared = run_.reading.ops.clock;
    for (const perf::DeviceLane& lane : shared.lanes) {
      if (lane.ops.empty() || lane.device < 0 || lane.cycles_per_ns <= 0) continue;
      const perf::TimedOp& first = lane.ops.front();
      DeviceClock clock;
      clock.cycles_per_ns = lane.cycles_per_ns;
      clock.anchor_cycle = run_.report.rows[first.row].fw_start_cycle;
      clock.anchor_ns = first.start_ns;
      clock.alignment.basis = basis_of(shared.basis);
      if (shared.basis == perf::ClockBasis::kCollectives) clock.alignment.samples = shared.collectives;
      clocks_.emplace(static_cast<std::uint32_t>(lane.device), clock);
      if (shared.basis == perf::ClockBasis::kSync) exchanged_.insert(static_cast<std::uint32_t>(lane.device));
    }
  }

  /// The cycle of the first op of each device, also of those that the table of ops does not show.
  std::map<std::uint32_t, double> first_cycles() const {
    std::map<std::uint32_t, double> first;
    for (const perf::OpRow& row : run_.report.rows) {
      if (!perf::has_cycles(row) || row.device < 0) continue;
      const double cycle = row.fw_start_cycle;
      const auto [known, is_new] = first.try_emplace(static_cast<std::uint32_t>(row.device), cycle);
      if (!is_new) known->second = std::min(known->second, cycle);
    }
    return first;
  }

  /// Devices whose ops are not aligned with others: the first op, or the first marker, is at 0.
  void take_other_clocks() {
    const std::map<std::uint32_t, double> first = first_cycles();
    for (const perf::Capture& capture : run_.captures) {
      if (!capture.log) continue;
      for (const std::uint32_t device : capture.log->devices) {
        const auto global = static_cast<std::uint32_t>(device + capture.device_offset);
        if (clocks_.find(global) != clocks_.end()) continue;
        double mhz = perf::clock_of(capture.clocks, device);
        if (mhz <= 0) mhz = capture.log->clock_mhz;
        DeviceClock clock;
        clock.cycles_per_ns = mhz / 1000;
        const auto op = first.find(global);
        clock.anchor_cycle = op != first.end()
                                 ? op->second
                                 : std::numeric_limits<double>::quiet_NaN();  // the first one that is seen
        clock.alignment.basis = AlignmentBasis::kStart;
        clocks_.emplace(global, clock);
      }
    }
  }

  /// No op begins before the host sent it: the least shift that keeps to that.
  bool move_to_host(std::size_t capture) {
    const HostStarts& host = hosts_[capture].starts;
    if (host.empty()) return false;
    std::map<std::uint32_t, double> shifts;
    std::map<std::uint32_t, std::uint64_t> shared;
    for (const perf::OpRow& row : run_.report.rows) {
      if (!perf::has_cycles(row) || !std::isnan(row.trace_id) || row.device < 0) continue;
      if (!(row.call_count >= 0) || row.call_count > 1e18) continue;
      const auto sent = host.find(static_cast<std::uint64_t>(row.call_count));
      const auto clock = clocks_.find(static_cast<std::uint32_t>(row.device));
      if (sent == host.end() || clock == clocks_.end() || capture_of(clock->first) != capture) continue;
      const double shift = static_cast<double>(sent->second) - clock->second.ns_at(row.fw_start_cycle);
      const auto [known, is_new] = shifts.try_emplace(clock->first, shift);
      if (!is_new) known->second = std::max(known->second, shift);
      ++shared[clock->first];
    }
    if (shifts.empty()) return false;
    move_devices(capture, shifts, shared);
    moved_.insert(capture);
    return true;
  }

  void move_devices(std::size_t capture, const std::map<std::uint32_t, double>& shifts,
                    std::map<std::uint32_t, std::uint64_t>& shared) {
    // Devices that are aligned with each other move together.
    const perf::ClockBasis basis = run_.reading.ops.clock.basis;
    const bool together = basis == perf::ClockBasis::kCollectives || basis == perf::ClockBasis::kSharedOps ||
                          basis == perf::ClockBasis::kSync;
    double most = shifts.begin()->second;
    for (const auto& [device, shift] : shifts) most = std::max(most, shift);
    for (auto& [device, clock] : clocks_) {
      if (capture_of(device) != capture) continue;
      const auto own = shifts.find(device);
      if (!together && own == shifts.end()) continue;
      clock.anchor_ns += together ? most : own->second;
      if (own == shifts.end()) continue;
      if (together && clock.alignment.basis == AlignmentBasis::kCollectives) continue;
      clock.alignment.basis = AlignmentBasis::kHostOps;
      clock.alignment.samples = shared[device];
    }
  }

  /// When the devices of a host left each collective: the last of them.
  std::map<std::uint32_t, double> collective_ends(std::size_t capture) const {
    std::map<std::uint32_t, double> ends;
    for (const perf::DeviceLane& lane : run_.reading.ops.clock.lanes) {
      if (lane.device < 0 || capture_of(static_cast<std::uint32_t>(lane.device)) != capture) continue;
      const auto clock = clocks_.find(static_cast<std::uint32_t>(lane.device));
      if (clock == clocks_.end() || !clock->second.is_known()) continue;
      for (const perf::TimedOp& op : lane.ops) {
        if (op.collective == kNone) continue;
        const double end = clock->second.ns_at(run_.report.rows[op.row].fw_end_cycle);
        const auto [known, is_new] = ends.try_emplace(op.collective, end);
        if (!is_new) known->second = std::max(known->second, end);
      }
    }
    return ends;
  }

  /// Hosts count from their own start, their devices leave a collective together.
  void align_host(std::size_t capture) {
    HostClock& host = hosts_[capture];
    const std::map<std::uint32_t, double> first = collective_ends(0);
    std::vector<double> distances;
    for (const auto& [collective, end] : collective_ends(capture)) {
      const auto known = first.find(collective);
      if (known != first.end()) distances.push_back(known->second - end);
    }
    if (!distances.empty()) {
      set_shift(host, AlignmentBasis::kCollectives, std::move(distances));
    } else if (host.has_content && hosts_.front().has_content) {
      move_by_time(hosts_.front(), host);
    }
    for (auto& [device, clock] : clocks_) {
      if (capture_of(device) == capture) clock.anchor_ns += host.shift_ns;
    }
  }

  void take_sync(std::size_t number) {
    const perf::Capture& capture = run_.captures[number];
    double shift_ns = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [device, line] : capture.sync) {
      if (!line.is_on_host_axis) {
        keep_beside_host(static_cast<std::uint32_t>(device + capture.device_offset), line, number);
        continue;
      }
      DeviceClock& clock = clocks_[static_cast<std::uint32_t>(device + capture.device_offset)];
      const DeviceClock before = clock;
      clock.cycles_per_ns = line.cycles_per_ns;
      clock.anchor_cycle = line.cycles;
      clock.anchor_ns = line.ns;
      clock.alignment.basis = AlignmentBasis::kSync;
      clock.alignment.samples = line.samples;
      clock.alignment.worst_ns = line.worst_ns;
      if (before.is_known() && std::isnan(shift_ns))
        shift_ns = clock.ns_at(before.anchor_cycle) - before.anchor_ns;
    }
    if (!std::isnan(shift_ns)) move_others(number, shift_ns);
  }

  /// Exchanges with a simulated host relate devices with each other: nothing tells when its time began.
  void keep_beside_host(std::uint32_t device, const perf::DeviceClockLine& line, std::size_t capture) {
    const auto clock = clocks_.find(device);
    if (clock == clocks_.end() || exchanged_.count(device) == 0) return;
    timeline::Alignment& alignment = clock->second.alignment;
    const bool is_alone = std::none_of(exchanged_.begin(), exchanged_.end(), [&](std::uint32_t other) {
      return other != device && capture_of(other) == capture;
    });
    const bool has_own_ops = alignment.basis != AlignmentBasis::kSync;
    if (is_alone && hosts_[capture].has_content) {
      if (!has_own_ops) alignment.basis = AlignmentBasis::kStart;
      return;
    }
    if (!has_own_ops) {
      alignment.samples = line.samples;
      alignment.worst_ns = line.worst_ns;
    }
    if (!hosts_[capture].has_content) return;
    using ToHost = timeline::PeerExchanges::ToHost;
    const ToHost by_others = moved_.count(capture) > 0 ? ToHost::kOtherOps : ToHost::kNotKnown;
    alignment.peers = {line.samples, line.worst_ns, has_own_ops ? ToHost::kOwnOps : by_others};
  }

  /// Devices without exchanges stay where they were beside those that have some, unless the host knows
  /// better.
  void move_others(std::size_t number, double shift_ns) {
    const perf::Capture& capture = run_.captures[number];
    for (auto& [device, clock] : clocks_) {
      const auto own = static_cast<std::uint32_t>(device - capture.device_offset);
      if (capture_of(device) != number || capture.sync.find(own) != capture.sync.end()) continue;
      if (clock.alignment.basis != AlignmentBasis::kHostOps) clock.anchor_ns += shift_ns;
    }
  }

  const perf::Profile& run_;
  std::vector<HostClock>& hosts_;
  std::set<std::uint32_t> exchanged_;  ///< devices whose ops were brought to one clock by exchanges
  std::set<std::size_t> moved_;        ///< captures whose devices were moved to their host
  std::map<std::uint32_t, DeviceClock> clocks_;
};

}  // namespace

std::map<std::uint32_t, DeviceClock> device_clocks(const perf::Profile& run, std::vector<HostClock>& hosts) {
  return ClockFinder(run, hosts).find();
}

void align_hosts_by_time(std::vector<HostClock>& hosts) {
  for (std::size_t i = 1; i < hosts.size(); ++i) move_by_time(hosts.front(), hosts[i]);
}

}  // namespace ttscope::app
