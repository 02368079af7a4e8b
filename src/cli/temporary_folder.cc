#include "cli/temporary_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <vector>

namespace ttscope::cli {
namespace {

std::mutex registry_mutex;

std::vector<std::string>& registry() {
  static std::vector<std::string> paths;
  return paths;
}

void forget(const std::string& path) {
  const std::lock_guard lock(registry_mutex);
  auto& paths = registry();
  paths.erase(std::remove(paths.begin(), paths.end(), path), paths.end());
}

mode_t usual_mode() {
  const mode_t mask = umask(0);
  umask(mask);
  return 0777 & ~mask;
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create(const std::string& parent, const std::string& name) {
  std::string path = fmt::format("{}/.{}.XXXXXX", parent, name);
  const std::lock_guard lock(registry_mutex);
  if (mkdtemp(path.data()) == nullptr) {
    return failure(
        write_failed(fmt::format("{}: cannot make a folder here: {}", parent, std::strerror(errno))));
  }
  registry().push_back(path);
  chmod(path.c_str(), usual_mode());  // mkdtemp makes it private; a report is for whoever may read the place
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
  forget(path_);
}

void TemporaryFolder::release() {
  forget(path_);
  path_.clear();
}

void remove_temporary_folders() {
  registry_mutex.lock();  // for good: the process is ending
  // Another thread may still add files to a folder while it is being removed.
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (const std::string& path : registry()) {
      std::error_code ignored;
      std::filesystem::remove_all(path, ignored);
    }
  }
}

}  // namespace ttscope::cli
