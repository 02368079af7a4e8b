#include "cli/profile_run.h"

#include <algorithm>
#include <filesystem>

#include "cli/progress_bar.h"
#include "io/being_written.h"

namespace ttscope::cli {
namespace {

void show_on(ProgressBar& bar, mem::LoadOptions& options) {
  options.progress = [&bar](const mem::ReadProgress& progress) {
    bar.show({progress.bytes_done, progress.bytes_total, progress.ops});
  };
}

}  // namespace

Result<mem::Profile> profile_any(const std::vector<std::string>& paths, mem::LoadOptions options) {
  ProgressBar bar;
  show_on(bar, options);
  const io::GrowthWatch watch(paths);
  options.is_being_written = [&watch] { return watch.is_being_written(); };
  return mem::load(paths, options);
}

Result<mem::Profile> profile_logs(const std::vector<std::string>& logs, mem::LoadOptions options) {
  ProgressBar bar;
  show_on(bar, options);
  const io::GrowthWatch watch(logs);
  options.is_being_written = [&watch] { return watch.is_being_written(); };
  return mem::load_logs(logs, options);
}

Result<mem::RuntimeTrace> read_logs(const std::vector<std::string>& logs) {
  ProgressBar bar;
  mem::LoadOptions options;
  show_on(bar, options);
  return mem::load_trace(logs, options);
}

Result<mem::OomLog> explain_log(const std::string& log) {
  ProgressBar bar;
  mem::LoadOptions options;
  show_on(bar, options);
  return mem::load_oom(log, options);
}

bool is_one_of(const std::string& path, const std::vector<std::string>& logs) {
  return std::any_of(logs.begin(), logs.end(), [&](const std::string& log) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && std::filesystem::equivalent(path, log, ignored);
  });
}

}  // namespace ttscope::cli
