#include "capture/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ttscope::capture {

Result<RunLock> RunLock::take(const std::string& folder) {
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

}  // namespace ttscope::capture
