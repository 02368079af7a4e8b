#include "cli/profile_run.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

#include "base/text_escape.h"
#include "cli/progress_bar.h"
#include "mem/read/runtime_log/log_reader.h"
#include "mem/write/words/failure_text.h"

namespace ttscope::cli {
namespace {

constexpr unsigned kMostThreads = 64;
/// Scanning needs no more to keep the merging thread busy.
constexpr unsigned kUsualThreads = 8;

std::string nothing_found_text(const mem::RuntimeTrace& trace) {
  const std::uint64_t lines =
      std::accumulate(trace.file_lines.begin(), trace.file_lines.end(), std::uint64_t{0});
  return fmt::format(
      "{}: neither op lines nor memory lines found ({} {} read); to get them, run the model again with\n"
      "  op lines (\"Executing operation: ...\"): a runtime built with -DTT_RUNTIME_DEBUG=ON,\n"
      "    and TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG\n"
      "  memory lines (\"Device DRAM memory state: ...\"): the same build,\n"
      "    and TT_RUNTIME_MEMORY_LOG_LEVEL=operation",
      terminal_safe(trace.files.empty() ? "-" : trace.files.front()), lines, lines == 1 ? "line" : "lines");
}

/// A crash report alone has no profile, but its reason can be told.
std::string failure_found(const mem::RuntimeTrace& trace) {
  const mem::MemoryProfile nothing;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    const mem::RankTrace& found = trace.ranks[rank];
    if (found.failures.empty()) continue;
    const mem::FailureText text = mem::describe_failure({trace, nothing}, rank, found.failures.front());
    return fmt::format("\nIt holds an out-of-memory failure (line {}): {}\n  {}{}{}",
                       found.failures.front().line, text.what, text.state, text.state.empty() ? "" : "\n  ",
                       text.diagnosis);
  }
  return {};
}

bool has_anything(const mem::RuntimeTrace& trace) {
  return std::any_of(trace.ranks.begin(), trace.ranks.end(),
                     [](const mem::RankTrace& rank) { return !rank.ops.empty() || !rank.blocks.empty(); });
}

}  // namespace

Result<void> check_log(const std::string& path) {
  if (path == "-") return {};
  struct stat facts {};
  if (stat(path.c_str(), &facts) != 0)
    return failure(bad_input(fmt::format("{}: {}", path, std::strerror(errno))));
  if (S_ISDIR(facts.st_mode)) return failure(bad_input(fmt::format("{}: is a folder, not a log file", path)));
  if (access(path.c_str(), R_OK) != 0)
    return failure(bad_input(fmt::format("{}: {}", path, std::strerror(errno))));
  if (S_ISREG(facts.st_mode) && facts.st_size == 0)
    return failure(bad_input(fmt::format("{}: the file is empty", path)));
  return {};
}

bool is_one_of(const std::string& path, const std::vector<std::string>& logs) {
  return std::any_of(logs.begin(), logs.end(), [&](const std::string& log) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && std::filesystem::equivalent(path, log, ignored);
  });
}

Result<mem::RuntimeTrace> read_logs(const std::vector<std::string>& logs, unsigned threads) {
  for (const std::string& log : logs) {
    if (Result<void> checked = check_log(log); !checked) return failure(checked.error());
  }
  const unsigned usual = std::clamp(std::thread::hardware_concurrency(), 1U, kUsualThreads);
  const unsigned wanted = threads == 0 ? usual : std::min(threads, kMostThreads);
  ProgressBar bar;
  mem::ReadOptions options;
  options.threads = wanted - 1;  // the caller's thread merges
  options.progress = [&bar](const mem::ReadProgress& progress) {
    bar.show({progress.bytes_done, progress.bytes_total, progress.ops});
  };
  return mem::read_runtime_logs(logs, options);
}

Result<ProfiledLog> profile_logs(const ProfileRequest& request) {
  Result<mem::RuntimeTrace> trace = read_logs(request.logs, request.threads);
  if (!trace) return failure(trace.error());
  if (!has_anything(*trace)) {
    return failure(nothing_found(nothing_found_text(*trace) + failure_found(*trace)));
  }
  ProfiledLog log{std::move(*trace), {}};
  log.profile = mem::profile_memory(log.trace,
                                    {.live_totals = request.for_files, .live_at_line = request.live_at_line});
  return log;
}

}  // namespace ttscope::cli
