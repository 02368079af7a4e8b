#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Passes at the beginning of a run that made the programs which the later ones only ran.
struct WarmUp {
  std::uint32_t passes = 0;         ///< 0: none found, or `is_set_up`
  std::uint32_t kept_passes = 0;    ///< whole ones that stay
  std::uint64_t ops = 0;            ///< that were left out, on all devices
  bool is_by_cache_misses = false;  ///< the report tells misses from hits; else by the gaps of compiling
  bool is_set_up = false;           ///< no pass: what made programs and traces before the first replay
};

/// By row of the report: the first run of its program on its device. A program is known by its hash, in older
/// reports by all that is the same when it runs again.
std::vector<bool> find_first_runs(const OpsReport& table);

/// A gap before the first run of a program that is longer than any launch. Making a program takes the host
/// longer than this even when its kernels are in the cache on disk.
inline constexpr double kLeastCompileUs = 100;

/// Takes the warm-up out of a window whose ops are in the order in which they ran. Only where the whole
/// window is one pass again and again (the layers of a model that is run once are no passes), or where it
/// ends with replays of traces and made programs before them.
WarmUp leave_out_warm_up(const OpsReport& table, const std::vector<bool>& first_runs,
                         std::vector<std::uint32_t>& window);

}  // namespace ttscope::perf
