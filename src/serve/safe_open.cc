#include "serve/safe_open.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace ttscope::serve {
namespace {

bool is_single_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

}  // namespace

Result<SafeFolder> SafeFolder::open(const std::string& path) {
  FileDescriptor descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor.is_open()) return failure(bad_input(fmt::format("{}: {}", path, std::strerror(errno))));
  return SafeFolder(std::move(descriptor));
}

SafeFolder SafeFolder::folder(const std::string& name) const {
  if (!is_single_name(name)) return SafeFolder(FileDescriptor());
  return SafeFolder(FileDescriptor(
      openat(descriptor_.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)));
}

FileDescriptor SafeFolder::file(const std::string& name) const {
  if (!is_single_name(name)) return FileDescriptor();
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  FileDescriptor opened(
      openat(descriptor_.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat facts {};
  if (!opened.is_open() || fstat(opened.number(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return FileDescriptor();
  return opened;
}

std::vector<SafeFolder::Entry> SafeFolder::entries(std::size_t most) const {
  std::vector<Entry> found;
  // A descriptor of its own: reading moves its position, and several threads may read.
  const int own = openat(descriptor_.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (own < 0) return found;
  const std::unique_ptr<DIR, CloseFolder> folder(fdopendir(own));
  if (!folder) {
    ::close(own);
    return found;
  }
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.' || found.size() >= most) continue;
    struct stat facts {};
    if (fstatat(own, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode)) continue;
    found.push_back({entry->d_name, S_ISDIR(facts.st_mode), static_cast<std::uint64_t>(facts.st_size),
                     facts.st_mtim.tv_sec * kNsPerSecond + facts.st_mtim.tv_nsec, facts.st_ino});
  }
  std::sort(found.begin(), found.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return found;
}

}  // namespace ttscope::serve
