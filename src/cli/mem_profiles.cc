#include "cli/mem_profiles.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/terminal.h"
#include "io/input_files.h"
#include "mem/fit.h"
#include "mem/write/terminal.h"

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

Result<mem::RuntimeLog> read_logs(const std::vector<std::string>& logs) {
  ProgressBar bar;
  mem::LoadOptions options;
  show_on(bar, options);
  return mem::load_runtime_logs(logs, options);
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

mem::MemPageOptions page_options(const std::string& name) {
  constexpr unsigned kMaxThreads = 8;
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  mem::MemPageOptions options;
  options.name = name;
  options.tool_version = version_text();
  options.generated = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
  options.threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
  return options;
}

mem::MemPageOptions page_options(const std::string& name, const mem::Profile& profile) {
  mem::MemPageOptions options = page_options(name);
  options.fit = mem::fit_for_page(profile);
  return options;
}

std::string summary_text(const mem::Profile& profile, std::string_view color, int top, bool verbose) {
  return mem::mem_summary_text(
      profile.log, profile.memory,
      {.color = use_color(color, Stream::kOut), .width = terminal_width(Stream::kOut), .top = top},
      verbose ? mem::MemDetail::kAll : mem::MemDetail::kUsual);
}

std::string closing_text(const mem::Profile& profile, std::string_view color) {
  return mem::mem_closing_text(
      profile.log, profile.memory,
      {.color = use_color(color, Stream::kOut), .width = terminal_width(Stream::kOut)});
}

std::string brief_text(const mem::Profile& profile) {
  return mem::mem_brief_text(
      profile.log, profile.memory,
      {.color = use_color("auto", Stream::kOut), .width = terminal_width(Stream::kOut)});
}

}  // namespace ttscope::cli
