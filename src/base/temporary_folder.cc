#include "base/temporary_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>

#include "base/output_path.h"

namespace ttscope {
namespace {

namespace fs = std::filesystem;

/// What must not outlive the process.
struct Registry {
  std::mutex mutex;
  std::vector<std::string> temporary;  ///< removed with all they hold
  std::vector<std::string> made;       ///< removed if empty; outer ones first
};

Registry& registry() {
  static Registry instance;
  return instance;
}

void forget(std::vector<std::string>& paths, const std::string& path) {
  paths.erase(std::remove(paths.begin(), paths.end(), path), paths.end());
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0777 & ~mask;
}

void remove_empty(const std::vector<std::string>& folders) {
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) rmdir(folder->c_str());
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create(const std::string& parent, const std::string& name) {
  std::string path = fmt::format("{}/.{}.XXXXXX", parent, name);
  const std::lock_guard lock(registry().mutex);
  if (mkdtemp(path.data()) == nullptr) {
    return failure(
        write_failed(fmt::format("{}: cannot make a folder here: {}", parent, std::strerror(errno))));
  }
  registry().temporary.push_back(path);
  chmod(path.c_str(), usual_mode());  // mkdtemp makes it private; a report is for whoever may read the place
  return TemporaryFolder(std::move(path));
}

std::optional<TemporaryFolder> TemporaryFolder::make(const std::string& path, mode_t mode) {
  const std::lock_guard lock(registry().mutex);
  if (mkdir(path.c_str(), mode) != 0) return std::nullopt;
  registry().temporary.push_back(path);
  return TemporaryFolder(path);
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  release();
}

void TemporaryFolder::release() {
  const std::lock_guard lock(registry().mutex);
  forget(registry().temporary, path_);
  path_.clear();
}

Result<MadeFolders> MadeFolders::make(const std::string& path) {
  if (const Result<void> checked = check_output_path(path); !checked) return failure(checked.error());
  MadeFolders made;
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path at = path; !at.empty() && !fs::exists(at, error); at = at.parent_path())
    missing.push_back(at);
  for (auto folder = missing.rbegin(); folder != missing.rend(); ++folder) {
    const std::lock_guard lock(registry().mutex);
    // Noted before it is made: without memory nothing could be noted afterwards.
    made.folders_.push_back(folder->string());
    registry().made.push_back(folder->string());
    if (!fs::create_directory(*folder, error)) {
      registry().made.pop_back();
      made.folders_.pop_back();
    }
    if (error) {
      return failure(
          write_failed(fmt::format("{}: cannot make the folder: {}", folder->string(), error.message())));
    }
  }
  if (!fs::is_directory(path, error)) return failure(write_failed(fmt::format("{}: is not a folder", path)));
  return made;
}

MadeFolders::~MadeFolders() {
  remove_empty(folders_);
  const std::lock_guard lock(registry().mutex);
  for (const std::string& folder : folders_) forget(registry().made, folder);
}

void remove_temporary_folders() {
  registry().mutex.lock();  // for good: the process is ending
  // Another thread may still add files to a folder while it is being removed.
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (const std::string& path : registry().temporary) {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  }
  remove_empty(registry().made);
}

}  // namespace ttscope
