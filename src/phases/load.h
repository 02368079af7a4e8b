#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "phases/analyse/profile.h"
#include "phases/model/classic_phase_log.h"

namespace ttscope::phases {

struct LoadOptions {
  PhaseOptions analysis{};
  io::SourceOptions source{};
};

/// Reads training logs, compressed or not, `-` for standard input, and finds out what their summaries mean;
/// the runs of all logs are compared. An error when a log cannot be read; logs without summaries are none:
/// Profile::log.summaries is then empty.
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options = {});

/// Reads one log as analyze_memory.py does.
Result<ClassicLog> load_classic(const std::string& path);

}  // namespace ttscope::phases
