#include "launch/trace_folders.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/file_names.h"
#include "launch/profiler_variables.h"

namespace ttscope::launch {

namespace {

constexpr const char* kEarlierLogs = "earlier_logs";

}  // namespace

Result<RunLock> RunLock::take(const TraceFolders& folders) {
  const std::string& folder = folders.artifacts;
  for (const std::string& path : {folders.base, folder, folders.logs, folders.recording, folders.reports,
                                  fmt::format("{}/{}", folder, kEarlierLogs)})
    RETURN_IF_ERROR(check_output_path(path));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    return failure(write_failed(fmt::format("{}: cannot make the folder: {}", folder, error.message())));
  RunLock lock;
  lock.folder_ = FileDescriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.folder_.is_open())
    return failure(write_failed(fmt::format("{}: {}", folder, std::strerror(errno))));
  if (::flock(lock.folder_.number(), LOCK_EX | LOCK_NB) == 0) return lock;
  // Some network file systems know no locks: then nobody else is looked for.
  if (errno != EWOULDBLOCK) return RunLock();
  return failure(write_failed(fmt::format(
      "{}: another run under the profiler writes here; give this one a folder of its own (-o)", folder)));
}

namespace {

namespace fs = std::filesystem;

constexpr int kMaxFolders = 10000;

std::string base_of(const std::string& given, const std::vector<std::string>& environment) {
  if (!given.empty()) return given;
  if (const auto folder = value_in(environment, "TT_METAL_PROFILER_DIR"); folder && !folder->empty())
    return *folder;
  const std::string home = value_in(environment, "TT_METAL_HOME").value_or("");
  return home.empty() ? "generated/profiler" : home + "/generated/profiler";
}

/// When the newest file of a folder was written.
std::time_t last_written(const fs::path& folder) {
  std::time_t latest = 0;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored)) {
    struct stat facts {};
    if (::stat(at->path().c_str(), &facts) == 0) latest = std::max<std::time_t>(latest, facts.st_mtime);
  }
  return latest;
}

}  // namespace

std::string trace_date(std::time_t time) {
  std::tm parts{};
  localtime_r(&time, &parts);
  return fmt::format("{:04}_{:02}_{:02}_{:02}_{:02}_{:02}", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string rank_of(const std::vector<std::string>& environment) {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "TT_RUN_RANK"}) {
    const auto value = value_in(environment, name);
    if (value && !value->empty() && value->find_first_not_of("0123456789") == std::string::npos)
      return *value;
  }
  return {};
}

TraceFolders trace_folders(const std::string& given, const std::vector<std::string>& environment,
                           std::time_t now) {
  std::error_code ignored;
  fs::path artifacts = fs::absolute(base_of(given, environment), ignored).lexically_normal();
  if (!artifacts.has_filename()) artifacts = artifacts.parent_path();
  TraceFolders folders;
  folders.base = artifacts.string();
  if (const std::string rank = rank_of(environment); !rank.empty() && artifacts.filename() != "rank" + rank)
    artifacts /= "rank" + rank;
  folders.artifacts = artifacts.string();
  folders.logs = (artifacts / ".logs").string();
  folders.recording = (artifacts / ".logs" / profiler_names::kRecording).string();
  folders.reports = (artifacts / "reports").string();
  folders.date = trace_date(now);
  return folders;
}

std::string noc_trace_folder(const std::vector<std::string>& environment, const TraceFolders& folders) {
  const std::string given = value_in(environment, kNocTraceFolder).value_or("");
  if (given.empty()) return folders.logs;
  std::error_code error;
  const fs::path folder = fs::absolute(given, error).lexically_normal();
  return error ? given : folder.string();
}

Result<std::string> begin_logs(const TraceFolders& folders) {
  std::error_code error;
  std::string moved;
  if (fs::is_directory(folders.logs, error) && !fs::is_empty(folders.logs, error) && !error) {
    const fs::path earlier = fs::path(folders.artifacts) / kEarlierLogs;
    fs::create_directories(earlier, error);
    const std::string date = trace_date(last_written(folders.logs));
    // Renaming does not replace a folder that has files, but one that is empty.
    for (int number = 1; !error && moved.empty() && number < kMaxFolders; ++number) {
      const fs::path place = earlier / (number == 1 ? date : fmt::format("{}_{}", date, number));
      if (fs::exists(place, error)) continue;
      fs::rename(folders.logs, place, error);
      if (!error) moved = place.string();
    }
    if (error || moved.empty())
      return failure(write_failed(fmt::format("{}: logs of an earlier run cannot be moved to {}: {}",
                                              folders.logs, earlier.string(), error.message())));
  }
  fs::create_directories(folders.recording, error);
  if (error)
    return failure(
        write_failed(fmt::format("{}: cannot make the folder: {}", folders.recording, error.message())));
  return moved;
}

}  // namespace ttscope::launch
