#pragma once

namespace ttscope::cli {

/// What the process returns; scripts rely on it.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,         ///< bad input, or an output that could not be written
  kUsage = 2,          ///< wrong command line
  kLimitExceeded = 3,  ///< the profile is fine but over a given limit
  kNothingFound = 4,   ///< the input is fine but holds nothing of what was asked for
};

/// A command that a signal ended returns this plus the signal's number, as shells say it.
inline constexpr int kSignalBase = 128;

}  // namespace ttscope::cli
