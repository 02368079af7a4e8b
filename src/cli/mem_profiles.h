#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mem/load.h"
#include "mem/write/page.h"

namespace ttscope::cli {

/// mem::load() with a progress bar on standard error: logs, or the files of a run.
Result<mem::Profile> profile_any(const std::vector<std::string>& paths, mem::LoadOptions options);

/// mem::load_logs() with a progress bar on standard error.
Result<mem::Profile> profile_logs(const std::vector<std::string>& logs, mem::LoadOptions options);

/// mem::load_runtime_logs() with a progress bar on standard error.
Result<mem::RuntimeLog> read_logs(const std::vector<std::string>& logs);

/// mem::load_oom() with a progress bar on standard error.
Result<mem::OomLog> explain_log(const std::string& log);

/// Whether an output path is one of the logs, which must not be overwritten.
bool is_one_of(const std::string& path, const std::vector<std::string>& logs);

/// How the program writes a report page: its version and the time of day, threads as the machine has them.
mem::MemPageOptions page_options(const std::string& name);

/// The same with what of the profile only other stages know.
mem::MemPageOptions page_options(const std::string& name, const mem::Profile& profile);

/// Rows of each table where the user names no number.
inline constexpr int kTopRows = 5;

/// The terminal summary, colored and as wide as standard output is.
std::string summary_text(const mem::Profile& log, std::string_view color, int top, bool verbose = false);

/// The verdict again, for the end of what is printed.
std::string closing_text(const mem::Profile& log, std::string_view color);

/// Its verdict and peaks alone.
std::string brief_text(const mem::Profile& log);

}  // namespace ttscope::cli
