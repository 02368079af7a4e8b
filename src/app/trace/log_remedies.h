#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ttscope::app {

/// A warning that the runtime printed, and what helps.
struct LogRemedy {
  std::string what;    ///< with how often it came
  std::string remedy;  ///< what to type, with the value filled in
};

/// What is known of a run beside its log.
struct TracedRunFacts {
  std::uint32_t support_count = 1000;  ///< programs that the device kept between reads
  std::size_t programs = 0;            ///< that ran on the busiest device; 0: not known
  bool synchronised = false;
  bool simulated = false;  ///< chips and the host that they exchange with: nothing brings them to real time
  bool has_host = true;
  bool has_device = true;
};

/// Finds the profiler's warnings in what a program printed (`text` may be the end of a long log).
std::vector<LogRemedy> remedies_for_log(const std::string& text, const TracedRunFacts& facts);

/// The same of a log, of which the end is looked at. One that is not there holds no warning.
std::vector<LogRemedy> remedies_for_log_file(const std::string& path, const TracedRunFacts& facts);

/// A count that holds so many programs, with room.
std::uint64_t fitting_support_count(std::size_t programs);

}  // namespace ttscope::app
