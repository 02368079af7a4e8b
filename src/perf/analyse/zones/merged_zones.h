#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/zones/capture_zones.h"

namespace ttscope::perf {

/// A zone on the processors of one name, of all devices: a table of the same kernels on each of them would
/// show nothing else.
struct MergedZone {
  const ZoneSource* source = nullptr;  ///< in the zones that were merged
  std::string risc;
  std::vector<std::uint32_t> devices;
  std::uint64_t count = 0;
  std::uint64_t cores = 0;
  double self = 0;
  double total = 0;
  double p99 = 0;    ///< of the device where it is longest
  double whole = 0;  ///< time of all zones of these processors

  std::uint64_t least_value = UINT64_MAX;
  std::uint64_t most_value = 0;

  bool is_sum() const { return source->kind == ZoneKind::kSum; }
  bool is_mark() const { return source->kind == ZoneKind::kData || source->kind == ZoneKind::kEvent; }
  bool has_self() const { return !is_sum() && !is_mark(); }
  double mean() const { return total / static_cast<double>(count); }
  double self_share() const { return whole > 0 ? self / whole : 0; }
};

/// Times are microseconds, or cycles where the clock of a device is not known.
struct MergedZones {
  bool in_us = true;
  /// What authors of kernels put there, then kernels, then what is not theirs to change; in each those with
  /// the most time of their own first.
  std::vector<MergedZone> list;
};

/// Zones without a whole occurrence are left out. The zones must outlive what is merged of them.
MergedZones merged_zones(const CaptureZones& zones);

}  // namespace ttscope::perf
