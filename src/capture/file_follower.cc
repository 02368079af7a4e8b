#include "capture/file_follower.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ttscope::capture {
namespace {

Error problem(const std::string& path, int error_number) {
  return bad_input(fmt::format("{}: {}", path, std::generic_category().message(error_number)));
}

}  // namespace

Result<FileFollower> FileFollower::open(const std::string& path) {
  FileFollower follower(path);
  if (!follower.reopen()) return failure(problem(path, errno));
  struct stat facts {};
  if (::fstat(follower.file_.number(), &facts) == 0 && !S_ISREG(facts.st_mode)) {
    return failure(bad_input(fmt::format("{}: is not a file that can be followed", path)));
  }
  return follower;
}

bool FileFollower::reopen() {
  FileDescriptor file(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat facts {};
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0) return false;
  file_ = std::move(file);
  device_ = facts.st_dev;
  inode_ = facts.st_ino;
  offset_ = 0;
  return true;
}

std::uint64_t FileFollower::size() const {
  struct stat facts {};
  return ::fstat(file_.number(), &facts) == 0 ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

Result<FileFollower::Step> FileFollower::next(char* to, std::size_t room) {
  if (size() < offset_) {
    offset_ = 0;
    return Step{Event::kRestarted, 0};
  }
  const ssize_t got = ::pread(file_.number(), to, room, static_cast<off_t>(offset_));
  if (got < 0 && errno != EINTR) return failure(problem(path_, errno));
  if (got > 0) {
    offset_ += static_cast<std::uint64_t>(got);
    return Step{Event::kData, static_cast<std::size_t>(got)};
  }
  // All of the old file is read before the new one of its name is taken.
  struct stat facts {};
  if (::stat(path_.c_str(), &facts) != 0) return Step{errno == ENOENT ? Event::kGone : Event::kNothing, 0};
  if (facts.st_dev == device_ && facts.st_ino == inode_) return Step{};
  return Step{reopen() ? Event::kRestarted : Event::kGone, 0};
}

}  // namespace ttscope::capture
