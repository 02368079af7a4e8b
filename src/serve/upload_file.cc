#include "serve/upload_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/text_escape.h"

namespace ttscope::serve {
namespace {

constexpr std::string_view kFolderStart = ".upload-";
constexpr std::string_view kFolderEnd = "XXXXXX";  ///< as many letters as mkdtemp puts there

/// The report needs room too.
constexpr std::uint64_t kSpareBytes = std::uint64_t{64} << 20;

Error problem(std::string_view what) {
  return write_failed(fmt::format("{}: {}", what, std::strerror(errno)));
}

/// A new folder that is open and locked. A server that starts may remove it until it is; then the next one is
/// made.
Result<FileDescriptor> make_locked_folder(const std::string& base, std::string& path) {
  constexpr int kAttempts = 10;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    path = fmt::format("{}/{}{}", base, kFolderStart, kFolderEnd);
    if (mkdtemp(path.data()) == nullptr) return failure(problem("the log cannot be kept"));
    FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open()) continue;
    // Some network file systems know no locks: there no server removes what another one left behind.
    (void)flock(folder.number(), LOCK_EX);
    struct stat facts {};
    if (fstat(folder.number(), &facts) == 0 && facts.st_nlink > 0) return folder;
  }
  return failure(write_failed("the log cannot be kept: its folder is removed again and again"));
}

std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  DIR* entries = fdopendir(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (entries == nullptr) return names;
  while (const dirent* entry = readdir(entries)) names.emplace_back(entry->d_name);
  closedir(entries);
  return names;
}

bool is_upload_folder(std::string_view name) {
  return name.size() == kFolderStart.size() + kFolderEnd.size() && name.starts_with(kFolderStart);
}

}  // namespace

void remove_stale_uploads(const std::string& base) {
  const FileDescriptor place(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!place.is_open()) return;
  for (const std::string& name : names_in(place.number())) {
    if (!is_upload_folder(name)) continue;
    const FileDescriptor folder(
        openat(place.number(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat facts {};
    if (!folder.is_open() || fstat(folder.number(), &facts) != 0 || facts.st_uid != geteuid()) continue;
    if (flock(folder.number(), LOCK_EX | LOCK_NB) != 0) continue;  // a server is at work there
    for (const std::string& file : names_in(folder.number()))
      (void)unlinkat(folder.number(), file.c_str(), 0);
    (void)unlinkat(place.number(), name.c_str(), AT_REMOVEDIR);
  }
}

Result<std::unique_ptr<UploadFile>> UploadFile::create(const std::string& base, const std::string& name,
                                                       std::uint64_t size_bytes) {
  struct statvfs room {};
  if (statvfs(base.c_str(), &room) != 0) return failure(problem("no place for uploads"));
  if (room.f_bavail * room.f_frsize < size_bytes + kSpareBytes) {
    return failure(write_failed("the disk has no room for this log"));
  }
  std::unique_ptr<UploadFile> upload(new UploadFile);
  Result<FileDescriptor> folder = make_locked_folder(base, upload->folder_);
  if (!folder) return failure(folder.error());
  upload->lock_ = std::move(*folder);
  // The report is called after the log without its ending; a name without one must not lose a part.
  const std::string safe = file_name_safe(name.substr(name.find_last_of("/\\") + 1));
  upload->name_ = safe.find('.') == std::string::npos ? safe + ".log" : safe;
  upload->path_ = upload->folder_ + "/" + upload->name_;
  upload->announced_bytes_ = size_bytes;
  upload->file_ = FileDescriptor(openat(upload->lock_.number(), upload->name_.c_str(),
                                        O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!upload->file_.is_open()) return failure(problem("the log cannot be kept"));
  return upload;
}

UploadFile::~UploadFile() {
  if (!path_.empty()) unlinkat(lock_.number(), name_.c_str(), 0);
  if (!folder_.empty()) rmdir(folder_.c_str());
}

Result<void> UploadFile::write(std::string_view bytes) {
  if (written_bytes_ + bytes.size() > announced_bytes_)
    return failure(write_failed("more bytes than announced"));
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failure(problem("the log cannot be kept"));
    bytes.remove_prefix(static_cast<std::size_t>(written));
    written_bytes_ += static_cast<std::uint64_t>(written);
  }
  return {};
}

Result<void> UploadFile::finish() {
  if (written_bytes_ != announced_bytes_) return failure(write_failed("the upload was cut off"));
  return {};
}

FileDescriptor UploadFile::reader() const {
  return FileDescriptor(
      ::open(fmt::format("/proc/self/fd/{}", file_.number()).c_str(), O_RDONLY | O_CLOEXEC));
}

}  // namespace ttscope::serve
