#include "app/timeline/run_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/profiler_names.h"
#include "timeline/read/recording/recording_reader.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

/// Whether the profiler wrote into this folder.
bool has_run_files(const fs::path& folder) {
  std::error_code error;
  for (const char* name : {profiler_names::kDeviceLog, profiler_names::kHostCapture, profiler_names::kOpTimes,
                           profiler_names::kProgramReport}) {
    if (fs::is_regular_file(folder / name, error)) return true;
  }
  return false;
}

/// The recording that a run without any other file left, as one whose profiler was killed.
bool has_recording(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && !timeline::recording_files(folder.string()).empty();
}

/// What is read of a folder of a run; empty: it is none.
std::string run_in(const fs::path& folder) {
  if (has_run_files(folder) || has_run_files(folder / ".logs")) return folder.string();
  for (const fs::path& recording :
       {folder / profiler_names::kRecording, folder / ".logs" / profiler_names::kRecording}) {
    if (has_recording(recording)) return recording.string();
  }
  return {};
}

/// A run below the folder that was given.
struct RunBelow {
  std::string path;         ///< what is read of it
  fs::path owner;           ///< the folder of the profiler or the rank that it belongs to
  bool is_of_rank = false;  ///< by its name, or it is the last run of a folder of the profiler
  bool is_last = false;     ///< not an earlier one, and no copy
};

bool is_rank_name(const std::string& name) {
  return name.size() > 4 && name.starts_with("rank") &&
         name.find_first_not_of("0123456789", 4) == std::string::npos;
}

RunBelow run_below(const fs::path& base, const fs::path& folder, std::string run) {
  RunBelow below;
  below.path = std::move(run);
  below.owner = base;
  below.is_last = true;
  std::error_code ignored;
  below.is_of_rank = fs::is_directory(folder / ".logs", ignored);
  for (const fs::path& part : folder.lexically_relative(base)) {
    if (part == "reports" || part == "earlier_logs") {
      below.is_last = false;
      break;
    }
    below.owner /= part;
    below.is_of_rank = below.is_of_rank || is_rank_name(part.string());
  }
  return below;
}

std::vector<RunBelow> find_runs_below(const fs::path& base) {
  constexpr int kMostDepth = 4;
  std::vector<RunBelow> runs;
  std::error_code error;
  fs::recursive_directory_iterator at(base, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (!at->is_directory(error)) continue;
    if (at.depth() >= kMostDepth) {
      at.disable_recursion_pending();
      continue;
    }
    std::string run = run_in(at->path());
    if (run.empty()) continue;
    runs.push_back(run_below(base, at->path(), std::move(run)));
    at.disable_recursion_pending();
  }
  return runs;
}

/// When the newest file of a run was written.
fs::file_time_type last_written(const std::string& folder) {
  fs::file_time_type latest = fs::file_time_type::min();
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code no_time;
    const fs::file_time_type time = at->last_write_time(no_time);
    if (!no_time && at->is_regular_file(no_time)) latest = std::max(latest, time);
  }
  return latest;
}

/// Of copied files, which have one time, the name decides: it has the date.
const RunBelow& newest_of(const std::vector<RunBelow>& runs) {
  const auto is_older = [](const RunBelow& a, const RunBelow& b) {
    const fs::file_time_type first = last_written(a.path);
    const fs::file_time_type second = last_written(b.path);
    return first != second ? first < second : fs::path(a.path).filename() < fs::path(b.path).filename();
  };
  return *std::max_element(runs.begin(), runs.end(), is_older);
}

void take_newest(const std::vector<RunBelow>& runs, const fs::path& folder, RunFolders& found) {
  const RunBelow& newest = newest_of(runs);
  found.remarks.push_back(runs.size() == 1
                              ? fmt::format("reading {}", newest.path)
                              : fmt::format("reading {}, the newest of {} runs and copies of runs below {}",
                                            newest.path, runs.size(), folder.string()));
  found.paths.push_back(newest.path);
}

/// The ranks below a folder; where there are none, its newest run.
void take_below(const fs::path& base, RunFolders& found) {
  const std::vector<RunBelow> runs = find_runs_below(base);
  std::map<fs::path, std::vector<RunBelow>> ranks;
  for (const RunBelow& run : runs) {
    if (run.is_of_rank) ranks[run.owner].push_back(run);
  }
  if (ranks.empty()) {
    if (!runs.empty()) take_newest(runs, base, found);
    return;
  }
  for (const auto& [owner, own] : ranks) {
    const auto last = std::find_if(own.begin(), own.end(), [](const RunBelow& run) { return run.is_last; });
    if (last == own.end()) {
      take_newest(own, owner, found);
    } else {
      found.paths.push_back(last->path);
    }
  }
}

}  // namespace

RunFolders runs_of_folders(const std::vector<std::string>& paths) {
  RunFolders found;
  std::error_code error;
  for (const std::string& path : paths) {
    const std::size_t before = found.paths.size();
    const std::string own = fs::is_directory(path, error) ? run_in(path) : path;
    if (own.empty()) take_below(path, found);
    if (found.paths.size() == before) found.paths.push_back(own.empty() ? path : own);
  }
  return found;
}

}  // namespace ttscope::app
