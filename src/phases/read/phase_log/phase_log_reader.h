#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/chunk_source.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// Reads the summaries of MemoryUsageTracker in training logs: plain, gzip or zstd files, `-` for standard
/// input. Any number of summaries, names and other lines; see docs/formats/phase_log.md. An error means that
/// a file cannot be read; a log without summaries gives none.
Result<PhaseLog> read_phase_logs(const std::vector<std::string>& paths,
                                 const io::SourceOptions& options = {});

/// The whole text of a log with line ends as `\n`, as a program sees it that opens a file as text.
Result<std::string> read_log_text(const std::string& path);

}  // namespace ttscope::phases
