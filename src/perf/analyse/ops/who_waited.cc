#include "perf/analyse/ops/who_waited.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

/// Of the kernel time: from here on compute mostly waits.
constexpr double kMostlyWaits = 0.5;
/// Of the kernel time: below it waiting is the filling of buffers at the start.
constexpr double kHardlyWaits = 0.25;
/// A side that was done in less than this share of the other's time did not hold it up.
constexpr double kDoneEarly = 0.5;

/// What a core waited of its kernel time on average; none where nobody can say. The reference writes the sum
/// over all cores: what is longer than the kernels can only be that, what is shorter may be either.
double share_of_wait(const OpsReport& table, double wait_us, double kernel_us, double cores) {
  if (!(wait_us >= 0) || !(kernel_us > 0)) return kNoNumber;
  const double share = wait_us / kernel_us;
  if (table.cb_waits_are_means || cores == 1) return share;
  if (share > 1) return cores > 1 ? share / cores : kNoNumber;
  return share < kHardlyWaits ? share : kNoNumber;
}

WhoWaited by_buffers(const OpsReport& table, const OpRow& row, double cores) {
  const double kernel_us = row.kernel_duration_ns / 1000;
  const double for_input = share_of_wait(table, static_cast<double>(row.cb_wait_us), kernel_us, cores);
  const double for_room = share_of_wait(table, static_cast<double>(row.cb_reserve_us), kernel_us, cores);
  if (for_input >= kMostlyWaits || for_room >= kMostlyWaits) return {LimitSide::kMoving, LimitModel::kWaits};
  // A wait that may be a sum or a mean is not a small one.
  const bool is_room_wait_small = !(row.cb_reserve_us >= 0) || for_room < kHardlyWaits;
  if (for_input < kHardlyWaits && is_room_wait_small) return {LimitSide::kComputing, LimitModel::kWaits};
  return {};
}

WhoWaited by_zones(const OpRow& row) {
  constexpr std::size_t kMovers = 2, kEthernet = 5;
  float moving_us = 0;
  float computing_us = 0;
  for (std::size_t i = 0; i < kEthernet; ++i) {
    float& side = i < kMovers ? moving_us : computing_us;
    if (row.risc_us[i] > side) side = row.risc_us[i];
  }
  if (!(moving_us > 0) || !(computing_us > 0) || row.risc_us[kEthernet] > 0) return {};
  if (static_cast<double>(moving_us) < static_cast<double>(computing_us) * kDoneEarly)
    return {LimitSide::kComputing, LimitModel::kZones};
  if (static_cast<double>(computing_us) < static_cast<double>(moving_us) * kDoneEarly)
    return {LimitSide::kMoving, LimitModel::kZones};
  return {};
}

}  // namespace

WhoWaited who_waited(const OpsReport& table, const OpRow& row, double cores) {
  const WhoWaited by_wait = by_buffers(table, row, cores);
  return by_wait.side == LimitSide::kUnknown ? by_zones(row) : by_wait;
}

}  // namespace ttscope::perf
