#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mem/load.h"

namespace ttscope::cli {

/// mem::load() with a progress bar on standard error: logs, or the files of a run.
Result<mem::Profile> profile_any(const std::vector<std::string>& paths, mem::LoadOptions options);

/// mem::load_logs() with a progress bar on standard error.
Result<mem::Profile> profile_logs(const std::vector<std::string>& logs, mem::LoadOptions options);

/// mem::load_trace() with a progress bar on standard error.
Result<mem::RuntimeTrace> read_logs(const std::vector<std::string>& logs);

/// mem::load_oom() with a progress bar on standard error.
Result<mem::OomLog> explain_log(const std::string& log);

/// Whether an output path is one of the logs, which must not be overwritten.
bool is_one_of(const std::string& path, const std::vector<std::string>& logs);

}  // namespace ttscope::cli
