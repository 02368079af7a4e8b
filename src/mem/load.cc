#include "mem/load.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <thread>

#include "base/result.h"
#include "base/text.h"
#include "io/input_files.h"
#include "mem/analyze/memory_profile.h"
#include "mem/analyze/modules.h"
#include "mem/analyze/own_replay.h"
#include "mem/formats.h"
#include "mem/model/runtime_log.h"
#include "mem/read/ttmem_files.h"
#include "mem/read/ttnn_module.h"

namespace ttscope::mem {
namespace {

bool is_failure_alone(const RuntimeLog& log) {
  return log.ranks.size() == 1 && log.ranks[0].ops.empty() && log.ranks[0].blocks.empty() &&
         deciding_failure(log.ranks[0]) != nullptr;
}

/// Lines of modules have no tag, so that they are no rank's; with one rank they are its.
void assign_to_only_rank(RuntimeLog& log, std::uint32_t before_line) {
  const std::uint32_t file = log.ranks[0].file;
  std::erase_if(log.modules,
                [&](const ModuleDump& dump) { return dump.file != file || dump.line >= before_line; });
  for (ModuleDump& dump : log.modules) dump.rank = 0;
}

/// The last run of the op at a line, as of the newest compilation.
std::uint32_t op_at(const RankLog& rank, std::uint32_t line) {
  const auto found =
      std::find_if(rank.ops.rbegin(), rank.ops.rend(), [&](const ExecutedOp& op) { return op.line == line; });
  return found == rank.ops.rend() ? kNone : static_cast<std::uint32_t>(rank.ops.rend() - found) - 1;
}

/// Nothing ran behind the op; the programs around it end there, without a line.
void end_at(RankLog& rank, std::uint32_t last) {
  const std::uint32_t end = last + 1;
  rank.ops.resize(end);
  while (!rank.programs.empty() && rank.programs.back().first_op >= end) rank.programs.pop_back();
  for (ProgramInstance& program : rank.programs) {
    if (program.end_op > end) program.end_line = 0;
    program.end_op = std::min(program.end_op, end);
  }
  std::erase_if(rank.events,
                [&](const ProgramEvent& event) { return event.instance >= rank.programs.size(); });
  for (ProgramEvent& event : rank.events) event.before_op = std::min(event.before_op, end);
  std::erase_if(rank.cache_keys, [&](const auto& key) { return key.first >= end; });
}

/// A log that printed modules and the message of a failure, but no op and no memory line: its modules are run
/// as compiled (modeled) up to the op that failed, where the backtrace below the message names one, else to
/// their end. Other traces stay as they are.
void run_failed_modules(RuntimeLog& log) {
  if (!is_failure_alone(log)) return;
  const OutOfMemory message = *deciding_failure(log.ranks[0]);
  assign_to_only_rank(log, message.line);
  if (log.modules.empty()) return;
  index_printed_modules(log);
  const FailingOp failed = find_failing_op(log, 0, message);
  if (!run_printed_modules(log)) return;
  RankLog& rank = log.ranks[0];
  const std::uint32_t op = failed.ops.empty() ? kNone : op_at(rank, failed.ops.front()->line);
  if (op != kNone) end_at(rank, op);
  for (OutOfMemory& failure : rank.failures) {
    failure.before_op = static_cast<std::uint32_t>(rank.ops.size());
    if (op == kNone) continue;
    failure.last_op = op;
    failure.instance = rank.ops[op].instance;
  }
}

namespace fs = std::filesystem;

constexpr unsigned kMaxThreads = 64;
/// Scanning needs no more to keep the merging thread busy.
constexpr unsigned kUsualThreads = 8;

std::string nothing_found_text(const RuntimeLog& log) {
  const std::uint64_t lines = std::accumulate(log.file_lines.begin(), log.file_lines.end(), std::uint64_t{0});
  return fmt::format(
      "{}: neither op lines nor memory lines found ({} {} read); if it is the log of a run, run the model "
      "again with\n"
      "  op lines (\"Executing operation: ...\"): a runtime built with -DTT_RUNTIME_DEBUG=ON,\n"
      "    and TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG\n"
      "  memory lines (\"Device DRAM memory state: ...\"): the same build,\n"
      "    and TT_RUNTIME_MEMORY_LOG_LEVEL=operation",
      terminal_safe(log.files.empty() ? "-" : log.files.front()), lines, lines == 1 ? "line" : "lines");
}

std::string no_function_text(const std::string& path) {
  return fmt::format(
      "{}: a module without a function of TTNN ops; give the last TTNN stage of the compiler (\"MLIR Module "
      "ttnn\", "
      "irs/ttnn_*.mlir)",
      terminal_safe(path));
}

/// Messages of failures alone are a log too: they say why, and often what.
bool has_anything(const RuntimeLog& log) {
  return std::any_of(log.ranks.begin(), log.ranks.end(), [](const RankLog& rank) {
    return !rank.ops.empty() || !rank.blocks.empty() || !rank.failures.empty();
  });
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
    return failure(nothing_found(fmt::format("{}: the file is empty", path)));
  return {};
}

Result<RuntimeLog> load_runtime_logs(const std::vector<std::string>& paths, const LoadOptions& options) {
  for (const std::string& path : paths) {
    RETURN_IF_ERROR(check_log(path));
  }
  const unsigned usual = std::clamp(std::thread::hardware_concurrency(), 1U, kUsualThreads);
  const unsigned wanted = options.threads == 0 ? usual : std::min(options.threads, kMaxThreads);
  ReadOptions reading;
  reading.threads = wanted - 1;  // the caller's thread merges
  reading.progress = options.progress;
  reading.is_other_kind = options.is_other_kind;
  reading.source = options.source;
  return read_runtime_logs(paths, reading);
}

namespace {

bool is_regular_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

/// Programs that a log does not show running are told from the modules that it printed, with the headers of
/// TT-XLA or without.
bool find_modules_in(const std::vector<std::string>& paths, RuntimeLog& log) {
  if (run_printed_modules(log)) return true;
  std::vector<std::string> again = paths;  // standard input may be a file as well
  std::replace(again.begin(), again.end(), std::string("-"), std::string("/dev/stdin"));
  if (!std::all_of(again.begin(), again.end(), is_regular_file)) return false;
  Result<RuntimeLog> bare = read_ttnn_modules(again);
  if (!bare || !has_anything(*bare)) return false;
  log = std::move(*bare);
  log.files = paths;
  return true;
}

Profile profile_of(RuntimeLog log, const LoadOptions& options) {
  Profile profile{std::move(log), {}, {}};
  profile.memory = profile_memory(profile.log, {.live_totals = options.live_totals,
                                                .live_at_line = options.live_at_line,
                                                .live_at_op = options.live_at_op,
                                                .device = options.device,
                                                .facts = {.is_being_written = options.is_being_written}});
  return profile;
}

/// Keeps what a pipe gave where it begins as a module does, as nobody can read it a second time.
class StreamedModule {
 public:
  LoadOptions watching(const LoadOptions& options) {
    LoadOptions watched = options;
    watched.source.watch = [this, before = options.source.watch](const std::string& path,
                                                                 std::string_view bytes) {
      if (before) before(path, bytes);
      if (path_.empty()) {
        path_ = path;
        is_module_ = is_ttnn_module({path, io::PathKind::kStream, std::string(bytes)});
      }
      if (is_module_ && path == path_) text_->append(bytes);
    };
    return watched;
  }

  bool read(RuntimeLog& log) const {
    if (!is_module_) return false;
    RuntimeLog module = read_ttnn_module_text(path_, *text_);
    if (!has_anything(module)) return false;
    module.backing.push_back(text_);
    log = std::move(module);
    return true;
  }

 private:
  std::string path_;
  std::shared_ptr<std::string> text_ = std::make_shared<std::string>();
  bool is_module_ = false;
};

}  // namespace

Result<Profile> load_logs(const std::vector<std::string>& paths, const LoadOptions& options) {
  StreamedModule streamed;
  ASSIGN_OR_RETURN(RuntimeLog log, load_runtime_logs(paths, streamed.watching(options)));
  if (!has_anything(log) && !find_modules_in(paths, log) && !streamed.read(log)) {
    // Not the runtime's fault: what would be there is cut off or damaged.
    if (!log.warnings.empty()) {
      return failure(
          bad_input(fmt::format("{}: neither op lines nor memory lines are there", log.warnings.front())));
    }
    return failure(nothing_found(nothing_found_text(log)));
  }
  if (options.run_failed_modules) run_failed_modules(log);
  index_printed_modules(log);
  return profile_of(std::move(log), options);
}

Result<Profile> load_modules(const std::vector<std::string>& paths, const LoadOptions& options) {
  for (const std::string& path : paths) {
    RETURN_IF_ERROR(check_log(path));
  }
  ASSIGN_OR_RETURN(RuntimeLog log, read_ttnn_modules(paths));
  if (!has_anything(log)) return failure(nothing_found(no_function_text(paths.front())));
  return profile_of(std::move(log), options);
}

Result<OomLog> load_oom(const std::string& path, const LoadOptions& options) {
  ASSIGN_OR_RETURN(RuntimeLog parsed, load_runtime_logs({path}, options));
  index_printed_modules(parsed);
  OomLog log{{std::move(parsed), {}, {}}, {}};
  log.profile.memory = profile_memory(log.profile.log, {});
  log.crashes = find_crashes(log.profile.log);
  return log;
}

Result<Profile> load_run(const std::string& folder, const LoadOptions& options) {
  ASSIGN_OR_RETURN(const std::string name,
                   options.run_name.empty() ? find_run_name(folder) : Result<std::string>(options.run_name));
  ASSIGN_OR_RETURN(RecordedRun run, read_ttmem_files(folder, name));
  MemoryProfile memory = profile_recorded_run(run);
  return Profile{std::move(run.log), std::move(memory), static_cast<const RecordedFiles&>(run)};
}

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  const Format* format = format_of(paths);
  return format != nullptr ? format->read(paths, options) : load_logs(paths, options);
}

}  // namespace ttscope::mem
