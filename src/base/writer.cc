#include "base/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/file_writer.h"
#include "base/output_path.h"

namespace ttscope {
namespace {

/// The descriptor that a path such as /dev/stdout or /dev/fd/3 names. Opening such a path again would lose
/// the position in a file that standard output is redirected to, and replacing the file would leave the other
/// output behind.
std::optional<int> named_descriptor(const std::string& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    int descriptor = -1;
    const char* end = path.data() + path.size();
    const auto [stop, problem] = std::from_chars(path.data() + folder.size(), end, descriptor);
    if (problem == std::errc() && stop == end && descriptor >= 0) return descriptor;
  }
  return std::nullopt;
}

/// Where the symbolic links lead, also when the last one points to a file that does not exist yet.
Result<std::string> follow_links(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path at = path;
  for (int links = 0; links <= kMostLinks; ++links) {
    if (named_descriptor(at.string())) return at.string();
    std::error_code not_a_link;
    const std::filesystem::path target = std::filesystem::read_symlink(at, not_a_link);
    if (not_a_link) return at.string();
    if (const Result<void> checked = check_output_path(at.string()); !checked)
      return failure(checked.error());
    at = at.parent_path() / target;
  }
  return failure(cannot_write(path, ELOOP));
}

Result<std::unique_ptr<Writer>> open_descriptor(int descriptor, const std::string& name) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return failure(cannot_write(name, errno));
  return std::make_unique<DescriptorWriter>(copy, DescriptorWriter::Ownership::kClosed, name);
}

Result<std::unique_ptr<Writer>> open_device(const std::string& path, const std::string& name) {
  int descriptor = -1;
  do {
    descriptor = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  } while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0) return failure(cannot_write(name, errno));
  return std::make_unique<DescriptorWriter>(descriptor, DescriptorWriter::Ownership::kClosed, name);
}

}  // namespace

Result<std::unique_ptr<Writer>> open_writer(const std::string& path) {
  if (path.empty()) return failure(write_failed("the output path is empty, a path or `-` is needed"));
  if (path == "-") {
    return std::make_unique<DescriptorWriter>(STDOUT_FILENO, DescriptorWriter::Ownership::kBorrowed,
                                              "standard output");
  }
  const Result<std::string> target = follow_links(path);
  if (!target) return failure(target.error());
  if (const auto descriptor = named_descriptor(*target)) return open_descriptor(*descriptor, path);
  struct stat info {};
  const bool exists = ::stat(target->c_str(), &info) == 0;
  if (!exists && errno != ENOENT && errno != ENOTDIR) return failure(cannot_write(path, errno));
  if (target->back() == '/' || (exists && S_ISDIR(info.st_mode))) {
    return failure(cannot_write(path, "it is a folder, a file name is needed"));
  }
  if (exists && !S_ISREG(info.st_mode)) return open_device(*target, path);
  return AtomicFileWriter::create(*target, exists ? &info : nullptr, path);
}

}  // namespace ttscope
