#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "io/input_files.h"
#include "phases/analyze/phase_analysis.h"
#include "phases/classic_analysis.h"
#include "phases/model/phase_log.h"

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

/// How a kind of log is told, and what reads several of it together. A new one is a line in formats.cc.
struct Format {
  io::Format detector;
  Result<PhaseLog> (*read)(const std::vector<std::string>& paths, const io::SourceOptions& options);
};

/// All formats; what none of them tells may have lines of the first.
const std::vector<Format>& formats();

}  // namespace ttscope::phases
