#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/trace/dropped_programs.h"

namespace ttscope::app {

/// Of the warning of a process whose devices the run does not record.
inline constexpr std::string_view kDevicesOfOneProcess = "is not in the logs of this run: process ";

/// A warning that the runtime printed, and what helps.
struct LogRemedy {
  std::string what;    ///< with how often it came
  std::string remedy;  ///< what to type, with the value filled in
};

/// What is known of a run beside its log.
struct TracedRunFacts {
  std::uint32_t support_count = 1000;  ///< programs that the device kept between reads
  std::string logs;                    ///< of the run: what its programs took; empty: not known
  bool synchronised = false;
  bool simulated = false;  ///< chips and the host that they exchange with: nothing brings them to real time
  bool has_host = true;
  bool has_device = true;
};

/// Finds the profiler's warnings in what a program printed (`text` may be the end of a long log).
std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts);

/// The same of a log, of which the end is looked at. One that is not there holds no warning.
std::vector<LogRemedy> remedies_for_log_file(const std::string& path, const TracedRunFacts& facts);

/// The support count that keeps all programs of a run that dropped markers; twice what its buffers held where
/// the logs do not tell.
struct AdvisedCount {
  std::uint64_t count = 0;
  std::string_view doubt;  ///< why more may be needed; empty: it suffices
};
AdvisedCount advised_support_count(const DroppedPrograms& dropped, const DropWarnings& warnings);

}  // namespace ttscope::app
