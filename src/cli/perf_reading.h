#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "perf/model/device_profile.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::cli {

/// One finished ops report.
struct PerfReport {
  std::string name;         ///< file or folder as typed: for messages and titles
  std::string_view text;    ///< the CSV bytes; they outlive the call
  std::string host;         ///< when there are several hosts, else empty
  bool zones_only = false;  ///< there is no report: the capture tells of zones alone
};

/// What the raw files know beyond the report; all optional.
struct PerfReadingContext {
  double clock_mhz = 0;                          ///< 0: unknown
  std::string arch;                              ///< empty: unknown
  const perf::DeviceProfile* profile = nullptr;  ///< for the map of cores
  perf::PerfProblems problems = {};              ///< of the raw files
  std::vector<const perf::ZoneReport*> zones{};
};

/// The options of the reading part of `ttscope perf`.
std::vector<OptionSpec> perf_reading_options();
/// Whether any of them asks for a reading.
bool wants_perf_reading(const ParsedArgs& args);
/// Table, CSV, JSON, markdown and page of the reports, as the options ask; the exit code.
int run_perf_reading(const ParsedArgs& args, const std::vector<PerfReport>& reports,
                     const PerfReadingContext& context);

}  // namespace ttscope::cli
