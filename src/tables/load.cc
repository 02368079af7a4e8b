#include "tables/load.h"

#include <fmt/format.h>

#include <filesystem>
#include <thread>

#include "graph/read/graph_trace/graph_trace_reader.h"
#include "io/chunk_source.h"
#include "mem/load.h"
#include "phases/read/phase_log/phase_log_reader.h"
#include "tables/graph_tables.h"
#include "tables/log_tables.h"

namespace ttscope::tables {
namespace {

constexpr unsigned kMostThreads = 8;

/// The first bytes of a file, compressed or not, without leading blanks; empty if it cannot be read.
std::string beginning_of(const std::string& path) {
  const auto source = io::open_source(path);
  if (!source) return {};
  const auto chunk = (*source)->next();
  if (!chunk) return {};
  constexpr std::size_t kLookedAt = 256;
  const std::string_view text = chunk->bytes.substr(0, kLookedAt);
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos ? std::string() : std::string(text.substr(start));
}

/// A JSON document, but not a log whose lines begin with `[timestamp]`.
bool is_graph_capture(const std::string& beginning) {
  if (beginning.starts_with("SQLite format 3") || beginning.starts_with("{")) return true;
  if (!beginning.starts_with("[")) return false;
  const std::size_t next = beginning.find_first_not_of(" \t\r\n", 1);
  return next != std::string::npos && (beginning[next] == '{' || beginning[next] == ']');
}

Result<ProfileTables> load_folder(const std::string& path) {
  const auto run = mem::load_run(path, {});
  if (!run) return failure(run.error());
  ProfileTables tables = runtime_tables(run->trace, run->memory);
  tables.kind = "report_files";
  return tables;
}

Result<ProfileTables> load_log(const std::string& path) {
  const auto phases = phases::read_phase_logs({path});
  if (!phases) return failure(phases.error());
  if (!phases->summaries.empty()) return phase_tables(*phases);
  mem::ReadOptions options;
  options.threads = std::min(std::max(std::thread::hardware_concurrency(), 1U), kMostThreads) - 1;
  const auto trace = mem::read_runtime_logs({path}, options);
  if (!trace) return failure(trace.error());
  if (trace->ranks.empty()) {
    return failure(
        bad_input(fmt::format("{}: not a profile: neither a runtime log (op lines or memory lines), nor a "
                              "log with summaries of the tracker, "
                              "nor a graph capture, nor a folder of report files",
                              path)));
  }
  return runtime_tables(*trace, mem::profile_memory(*trace, {}));
}

}  // namespace

Result<ProfileTables> load_profile(const std::string& path) {
  std::error_code problem;
  if (std::filesystem::is_directory(path, problem)) return load_folder(path);
  if (!std::filesystem::exists(path, problem)) {
    return failure(bad_input(fmt::format("{}: no such file or folder", path)));
  }
  if (!is_graph_capture(beginning_of(path))) return load_log(path);
  const auto capture = graph::read_graph_capture(path);
  if (!capture) return failure(capture.error());
  return graph_tables(*capture);
}

}  // namespace ttscope::tables
