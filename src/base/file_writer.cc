#include "base/file_writer.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <random>
#include <system_error>

namespace ttscope {
namespace {

struct NewFile {
  int descriptor = -1;
  std::string path;
};

/// Removes a new file that nobody has taken over: without memory there may be no writer for it.
class NewFileGuard {
 public:
  explicit NewFileGuard(const NewFile& file) : path_(&file.path) {}
  ~NewFileGuard() {
    if (path_ != nullptr) ::unlink(path_->c_str());
  }
  NewFileGuard(const NewFileGuard&) = delete;
  NewFileGuard& operator=(const NewFileGuard&) = delete;
  void release() { path_ = nullptr; }

 private:
  const std::string* path_;
};

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

std::string random_name() {
  std::random_device random;
  std::array<char, 16> digits;
  const std::uint64_t number = std::uint64_t{random()} << 32 | random();
  char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return ".ttscope-" + std::string(digits.data(), end) + ".tmp";
}

/// A new file under a name that nobody can foresee or have put a link at.
Result<NewFile> create_temporary(const std::string& path, mode_t mode, const std::string& name) {
  constexpr int kAttempts = 100;
  const std::string folder = folder_of(path);
  int problem = EEXIST;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    NewFile file;
    file.path = folder + "/" + random_name();
    file.descriptor = ::open(file.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file.descriptor >= 0) return file;
    problem = errno;
    if (problem != EEXIST && problem != EINTR) break;
  }
  if (problem == ENOENT) return failure(cannot_write(name, "the folder " + folder + " does not exist"));
  if (problem == ENOTDIR) return failure(cannot_write(name, folder + " is not a folder"));
  const std::string reason = std::generic_category().message(problem);
  return failure(cannot_write(name, "no new file can be made in the folder " + folder + ": " + reason));
}

/// Waits for a descriptor that another program has made non-blocking.
void wait_until_writable(int descriptor) {
  struct pollfd waiting {
    descriptor, POLLOUT, 0
  };
  ::poll(&waiting, 1, -1);
}

/// Makes the new name in a folder survive a loss of power. Not all file systems can; the file is whole in any
/// case.
void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Error cannot_write(std::string_view name, std::string_view reason) {
  return write_failed(std::string(name) + ": cannot write: " + std::string(reason));
}

Error cannot_write(std::string_view name, int error_number) {
  return cannot_write(name, std::generic_category().message(error_number));
}

DescriptorWriter::DescriptorWriter(int descriptor, Ownership ownership, std::string name)
    : descriptor_(descriptor), ownership_(ownership), name_(std::move(name)) {}

DescriptorWriter::~DescriptorWriter() { close(); }

Result<void> DescriptorWriter::finish() {
  flush();
  close();
  return outcome();
}

void DescriptorWriter::drain(std::string_view bytes) {
  while (!bytes.empty() && !has_failed()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_until_writable(descriptor_);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void DescriptorWriter::fail(int error_number) {
  if (!error_) error_ = cannot_write(name_, error_number);
}

void DescriptorWriter::close() {
  if (ownership_ != Ownership::kClosed || descriptor_ < 0) return;
  // Some file systems report a full disk only here. After EINTR the descriptor is closed all the same.
  if (::close(descriptor_) != 0 && errno != EINTR) fail(errno);
  descriptor_ = -1;
}

Result<void> DescriptorWriter::outcome() const {
  if (error_) return failure(*error_);
  return {};
}

Result<std::unique_ptr<Writer>> AtomicFileWriter::create(const std::string& path, const struct stat* existing,
                                                         const std::string& name) {
  constexpr mode_t kNewFileMode = 0666;
  constexpr mode_t kPrivateMode = 0600;  // until the mode of the old file is set
  constexpr mode_t kKeptModeBits = 0777;
  // Renaming would replace a write-protected file too; that is not what its owner wants.
  if (existing != nullptr && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    return failure(cannot_write(name, errno));
  }
  auto file = create_temporary(path, existing != nullptr ? kPrivateMode : kNewFileMode, name);
  if (!file) return failure(file.error());
  NewFileGuard guard(*file);
  if (existing != nullptr) {
    // Only root can give a file to its old owner; for others the new file is theirs.
    [[maybe_unused]] const int ignored = ::fchown(file->descriptor, existing->st_uid, existing->st_gid);
    ::fchmod(file->descriptor, existing->st_mode & kKeptModeBits);
  }
  auto writer = std::make_unique<AtomicFileWriter>(file->descriptor, file->path, path, name);
  guard.release();
  return writer;
}

AtomicFileWriter::AtomicFileWriter(int descriptor, std::string temporary_path, std::string path,
                                   std::string name)
    : DescriptorWriter(descriptor, Ownership::kClosed, std::move(name)),
      path_(std::move(path)),
      temporary_path_(std::move(temporary_path)),
      unfinished_(temporary_path_) {}

AtomicFileWriter::~AtomicFileWriter() { discard(); }

Result<void> AtomicFileWriter::finish() {
  if (temporary_path_.empty()) return outcome();
  flush();
  // EINVAL: the file system has nothing to sync to.
  if (!has_failed() && ::fsync(descriptor()) != 0 && errno != EINVAL) fail(errno);
  close();
  if (!has_failed() && std::rename(temporary_path_.c_str(), path_.c_str()) != 0) fail(errno);
  if (has_failed()) {
    discard();
  } else {
    temporary_path_.clear();
    sync_folder(folder_of(path_));
  }
  return outcome();
}

void AtomicFileWriter::discard() {
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
  temporary_path_.clear();
}

}  // namespace ttscope
