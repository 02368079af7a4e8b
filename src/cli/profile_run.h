#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mem/analyse/memory_profile.h"
#include "mem/model/runtime_trace.h"

namespace ttscope::cli {

/// A log and its memory profile.
struct ProfiledLog {
  mem::RuntimeTrace trace;
  mem::MemoryProfile profile;
};

struct ProfileRequest {
  std::vector<std::string> logs;   ///< `-`: standard input
  unsigned threads = 0;            ///< in all; 0: as many as the machine has
  bool for_files = false;          ///< the per-op files will be written
  std::uint32_t live_at_line = 0;  ///< the live set before the op at this line is wanted; 0: none
};

/// Reads with a progress bar on standard error.
Result<mem::RuntimeTrace> read_logs(const std::vector<std::string>& logs, unsigned threads);
/// Reads and profiles. Logs without a single op or memory line are an error that says what would print them.
Result<ProfiledLog> profile_logs(const ProfileRequest& request);

/// The complaint about a path that cannot be a log: missing, a folder, not readable, empty. Nothing for `-`
/// and pipes that can be read.
Result<void> check_log(const std::string& path);

/// Whether an output path is one of the logs, which must not be overwritten.
bool is_one_of(const std::string& path, const std::vector<std::string>& logs);

}  // namespace ttscope::cli
