#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/model/ops_report.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// What a device can do at best. Public figures of the chips (see docs/perf.md); compute scales with the
/// clock.
struct DevicePeaks {
  std::string arch;               ///< `wormhole`, `blackhole`, ...; empty: unknown, no percentage of anything
  bool arch_is_recorded = false;  ///< from the report or the user, not guessed
  double clock_mhz = 0;           ///< that the figures are for; 0: unknown, no percentage of compute
  double worker_cores = 0;
  double dram_gb_s = 0;
  double dram_banks = 0;         ///< cores that a DRAM-sharded matmul computes on; 0: unknown
  double noc_gb_s_per_core = 0;  ///< what one core can take in; 0 without a clock
  double link_gb_s = 0;          ///< one Ethernet link, one direction
  double hifi4_tflops_per_core = 0;
  double hifi3_tflops_per_core = 0;
  double hifi2_tflops_per_core = 0;
  double lofi_tflops_per_core = 0;

  /// kNoNumber for a fidelity that is not known.
  double tflops_per_core(std::string_view fidelity) const;
};

struct PeakOptions {
  std::string arch;      ///< what the user says; empty: as recorded
  double clock_mhz = 0;  ///< of the device log; 0: that of the report
  const Rules* rules = &own_rules();
};

/// Whether there are figures for that architecture (any spelling that the option takes).
bool is_known_arch(std::string_view name);

DevicePeaks find_peaks(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes);

}  // namespace ttscope::perf
