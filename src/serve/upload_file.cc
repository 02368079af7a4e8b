#include "serve/upload_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text_escape.h"

namespace ttscope::serve {
namespace {

/// The report needs room too.
constexpr std::uint64_t kSpareBytes = std::uint64_t{64} << 20;

Error problem(std::string_view what) {
  return write_failed(fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

Result<std::unique_ptr<UploadFile>> UploadFile::create(const std::string& base, const std::string& name,
                                                       std::uint64_t size_bytes) {
  struct statvfs room {};
  if (statvfs(base.c_str(), &room) != 0) return failure(problem("no place for uploads"));
  if (room.f_bavail * room.f_frsize < size_bytes + kSpareBytes) {
    return failure(write_failed("the disk has no room for this log"));
  }
  std::unique_ptr<UploadFile> upload(new UploadFile);
  std::string folder = base + "/.upload-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return failure(problem("the log cannot be kept"));
  upload->folder_ = folder;
  // The report is called after the log without its ending; a name without one must not lose a part.
  const std::string safe = file_name_safe(name.substr(name.find_last_of("/\\") + 1));
  upload->name_ = safe.find('.') == std::string::npos ? safe + ".log" : safe;
  upload->path_ = folder + "/" + upload->name_;
  upload->announced_bytes_ = size_bytes;
  upload->file_ = FileDescriptor(
      ::open(upload->path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!upload->file_.is_open()) return failure(problem("the log cannot be kept"));
  return upload;
}

UploadFile::~UploadFile() {
  if (!path_.empty()) unlink(path_.c_str());
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
  file_ = FileDescriptor();
  return {};
}

}  // namespace ttscope::serve
