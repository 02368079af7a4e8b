#include "app/timeline/device_clocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ttscope::app {
namespace {

using timeline::AlignmentBasis;

AlignmentBasis basis_of(perf::ClockBasis basis) {
  switch (basis) {
    case perf::ClockBasis::kCollectives:
      return AlignmentBasis::kCollectives;
    case perf::ClockBasis::kSharedOps:
    case perf::ClockBasis::kHost:
      return AlignmentBasis::kHostOps;
    case perf::ClockBasis::kSync:
      return AlignmentBasis::kSync;
    case perf::ClockBasis::kNone:
      break;
  }
  return AlignmentBasis::kStart;
}

class ClockFinder {
 public:
  ClockFinder(const perf::Profile& run, const HostStarts& host) : run_(run), host_(host) {}

  std::map<std::uint32_t, DeviceClock> find() {
    take_op_clocks();
    take_other_clocks();
    const bool moved = move_to_host();
    for (const perf::Capture& capture : run_.captures) take_sync(capture);
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
    }
  }

  /// Devices without ops: their first marker is at 0.
  void take_other_clocks() {
    for (const perf::Capture& capture : run_.captures) {
      if (!capture.log) continue;
      for (const std::uint32_t device : capture.log->devices) {
        const auto global = static_cast<std::uint32_t>(device + capture.device_offset);
        if (clocks_.find(global) != clocks_.end()) continue;
        double mhz = perf::clock_of(capture.clocks, device);
        if (mhz <= 0) mhz = capture.log->clock_mhz;
        DeviceClock clock;
        clock.cycles_per_ns = mhz / 1000;
        clock.anchor_cycle = std::numeric_limits<double>::quiet_NaN();  // the first one that is seen
        clock.alignment.basis = AlignmentBasis::kStart;
        clocks_.emplace(global, clock);
      }
    }
  }

  /// No op begins before the host sent it: the least shift that keeps to that.
  bool move_to_host() {
    if (host_.empty()) return false;
    std::map<std::uint32_t, double> shifts;
    std::map<std::uint32_t, std::uint64_t> shared;
    for (const perf::OpRow& row : run_.report.rows) {
      if (!perf::has_cycles(row) || !std::isnan(row.trace_id) || row.device < 0) continue;
      if (!(row.call_count >= 0) || row.call_count > 1e18) continue;
      const auto sent = host_.find(static_cast<std::uint64_t>(row.call_count));
      const auto clock = clocks_.find(static_cast<std::uint32_t>(row.device));
      if (sent == host_.end() || clock == clocks_.end()) continue;
      const double shift = static_cast<double>(sent->second) - clock->second.ns_at(row.fw_start_cycle);
      const auto [known, is_new] = shifts.try_emplace(clock->first, shift);
      if (!is_new) known->second = std::max(known->second, shift);
      ++shared[clock->first];
    }
    if (shifts.empty()) return false;
    // Devices that are aligned with each other move together.
    const bool together = run_.reading.ops.clock.basis == perf::ClockBasis::kCollectives ||
                          run_.reading.ops.clock.basis == perf::ClockBasis::kSharedOps;
    double most = shifts.begin()->second;
    for (const auto& [device, shift] : shifts) most = std::max(most, shift);
    for (auto& [device, clock] : clocks_) {
      const auto own = shifts.find(device);
      if (!together && own == shifts.end()) continue;
      clock.anchor_ns += together ? most : own->second;
      if (own == shifts.end()) continue;
      if (together && clock.alignment.basis == AlignmentBasis::kCollectives) continue;
      clock.alignment.basis = AlignmentBasis::kHostOps;
      clock.alignment.samples = shared[device];
    }
    return true;
  }

  void take_sync(const perf::Capture& capture) {
    for (const auto& [device, line] : capture.sync) {
      DeviceClock& clock = clocks_[static_cast<std::uint32_t>(device + capture.device_offset)];
      clock.cycles_per_ns = line.cycles_per_ns;
      clock.anchor_cycle = line.cycles;
      clock.anchor_ns = line.ns;
      clock.alignment.basis = AlignmentBasis::kSync;
      clock.alignment.samples = line.samples;
      clock.alignment.worst_ns = line.worst_ns;
    }
  }

  const perf::Profile& run_;
  const HostStarts& host_;
  std::map<std::uint32_t, DeviceClock> clocks_;
};

}  // namespace

std::map<std::uint32_t, DeviceClock> device_clocks(const perf::Profile& run, const HostStarts& host) {
  return ClockFinder(run, host).find();
}

}  // namespace ttscope::app
