#include "base/writer.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/result.h"
#include "base/text.h"

namespace ttscope {
namespace {

/// Whoever exchanges a path for null owns it, so that a signal handler and a writer in another thread never
/// use one that the other frees. A signal handler can take no lock and reach no object of the heap: hence a
/// table of fixed size.
using PathSlot = std::atomic<char*>;

static_assert(PathSlot::is_always_lock_free);

std::array<PathSlot, 64> path_slots{};

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  if (copy == nullptr) return;
  for (std::size_t slot = 0; slot < path_slots.size(); ++slot) {
    char* expected = nullptr;
    if (path_slots[slot].compare_exchange_strong(expected, copy)) {
      slot_ = static_cast<int>(slot);
      return;
    }
  }
  std::free(copy);
}

UnfinishedFile::~UnfinishedFile() {
  if (slot_ >= 0) std::free(path_slots[static_cast<std::size_t>(slot_)].exchange(nullptr));
}

void remove_unfinished_files() noexcept {
  for (PathSlot& slot : path_slots) {
    char* path = slot.exchange(nullptr);
    if (path == nullptr) continue;
    ::unlink(path);
    char* expected = nullptr;  // given back for its owner to free: a signal handler must not
    slot.compare_exchange_strong(expected, path);
  }
}

namespace {

/// `file: cannot write: No space left on device`
Error cannot_write(std::string_view name, std::string_view reason);
Error cannot_write(std::string_view name, int error_number);

/// Writes straight to an open descriptor. `name` is what errors call it.
class DescriptorWriter : public Writer {
 public:
  enum class Ownership { kBorrowed, kClosed };  ///< kClosed: closed by finish() or the destructor

  DescriptorWriter(int descriptor, Ownership ownership, std::string name);
  ~DescriptorWriter() override;
  bool has_failed() const override { return error_.has_value(); }
  [[nodiscard]] Result<void> finish() override;

 protected:
  void drain(std::string_view bytes) override;
  /// Keeps the first error only.
  void fail(int error_number);
  int descriptor() const { return descriptor_; }
  /// Closes an owned descriptor.
  void close();
  Result<void> outcome() const;

 private:
  int descriptor_;
  Ownership ownership_;
  std::string name_;
  std::optional<Error> error_;
};

/// Writes to a temporary file beside `path` and puts it in the place of `path` when finished.
class AtomicFileWriter final : public DescriptorWriter {
 public:
  /// `existing` is the state of the file to replace, null for a new one. `name` is what errors call it.
  static Result<std::unique_ptr<Writer>> create(const std::string& path, const struct stat* existing,
                                                const std::string& name);
  AtomicFileWriter(int descriptor, std::string temporary_path, std::string path, std::string name);
  ~AtomicFileWriter() override;
  [[nodiscard]] Result<void> finish() override;

 private:
  void discard();

  std::string path_;
  std::string temporary_path_;  ///< empty once it is renamed or deleted
  UnfinishedFile unfinished_;
};

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
  if (problem == ENOENT)
    return failure(cannot_write(name, "the folder " + terminal_safe(folder) + " does not exist"));
  if (problem == ENOTDIR) return failure(cannot_write(name, terminal_safe(folder) + " is not a folder"));
  const std::string reason = std::generic_category().message(problem);
  return failure(
      cannot_write(name, "no new file can be made in the folder " + terminal_safe(folder) + ": " + reason));
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

Error cannot_write(std::string_view name, std::string_view reason) {
  return write_failed(terminal_safe(name) + ": cannot write: " + std::string(reason));
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

/// Whether another user may have put a file where everybody can, for us to write to. root may do anything.
bool is_planted(const std::string& path, const struct stat& facts) {
  return facts.st_uid != 0 && facts.st_uid != ::geteuid() && is_in_folder_of_everybody(path);
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
  // A file that another user put there would stay his, with all that root writes into it.
  const bool is_kept = existing != nullptr && !is_planted(path, *existing);
  auto file = create_temporary(path, is_kept ? kPrivateMode : kNewFileMode, name);
  if (!file) return failure(file.error());
  NewFileGuard guard(*file);
  if (is_kept) {
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
  constexpr int kMaxLinks = 40;
  std::filesystem::path at = path;
  for (int links = 0; links <= kMaxLinks; ++links) {
    if (named_descriptor(at.string())) return at.string();
    std::error_code not_a_link;
    const std::filesystem::path target = std::filesystem::read_symlink(at, not_a_link);
    if (not_a_link) return at.string();
    RETURN_IF_ERROR(check_output_path(at.string()));
    at = at.parent_path() / target;
  }
  return failure(cannot_write(path, ELOOP));
}

Result<std::unique_ptr<Writer>> open_descriptor(int descriptor, const std::string& name) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) return failure(cannot_write(name, errno));
  return std::make_unique<DescriptorWriter>(copy, DescriptorWriter::Ownership::kClosed, name);
}

Result<void> check_device(const std::string& path, const struct stat& facts, const std::string& name) {
  if (!is_planted(path, facts)) return {};
  return failure(cannot_write(name,
                              "it is a pipe or a device of another user in a folder that everybody can write "
                              "to; give a path in a folder of yours"));
}

/// `facts`: of the path, looked at again once it is open, since it may be replaced in between.
Result<std::unique_ptr<Writer>> open_device(const std::string& path, struct stat facts,
                                            const std::string& name) {
  RETURN_IF_ERROR(check_device(path, facts, name));
  int number = -1;
  do {
    number = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  } while (number < 0 && errno == EINTR);
  if (number < 0) return failure(cannot_write(name, errno));
  auto writer = std::make_unique<DescriptorWriter>(number, DescriptorWriter::Ownership::kClosed, name);
  if (::fstat(number, &facts) != 0) return failure(cannot_write(name, errno));
  RETURN_IF_ERROR(check_device(path, facts, name));
  return writer;
}

}  // namespace

Result<std::unique_ptr<Writer>> open_writer(const std::string& path) {
  if (path.empty()) return failure(write_failed("the output path is empty, a path or `-` is needed"));
  if (path == "-") {
    return std::make_unique<DescriptorWriter>(STDOUT_FILENO, DescriptorWriter::Ownership::kBorrowed,
                                              "standard output");
  }
  ASSIGN_OR_RETURN(const std::string target, follow_links(path));
  if (const auto descriptor = named_descriptor(target)) return open_descriptor(*descriptor, path);
  struct stat info {};
  const bool exists = ::stat(target.c_str(), &info) == 0;
  if (!exists && errno != ENOENT && errno != ENOTDIR) return failure(cannot_write(path, errno));
  if (target.back() == '/' || (exists && S_ISDIR(info.st_mode))) {
    return failure(cannot_write(path, "it is a folder, a file name is needed"));
  }
  if (exists && !S_ISREG(info.st_mode)) return open_device(target, info, path);
  return AtomicFileWriter::create(target, exists ? &info : nullptr, path);
}

namespace {

/// The bytes of `\x1b[1;31m` at the start of `text`; 0 where there is none.
std::size_t color_code_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// The bytes at the start of `text` that stay as they are; 0: they are made visible.
std::size_t kept_bytes(std::string_view text, TerminalCodes kept) {
  if (text.front() == '\n' || text.front() == '\t') return 1;
  if (text.starts_with("\r\n")) return 2;
  return kept == TerminalCodes::kColors ? color_code_bytes(text) : 0;
}

/// Whether all of it could be the beginning of a code for colors.
bool begins_color_code(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  return text.size() <= kLongest &&
         (text.size() == 1 ||
          (text[1] == '[' && text.find_first_not_of("0123456789;", 2) == std::string_view::npos));
}

/// Where the last character or code of `text` begins if it is not whole, else the end.
std::size_t whole_bytes(std::string_view text) {
  if (text.ends_with('\r')) return text.size() - 1;
  const std::size_t escape = text.rfind('\x1b');
  if (escape != std::string_view::npos && begins_color_code(text.substr(escape))) return escape;
  constexpr std::size_t kLongest = 4;
  for (std::size_t back = 1; back < kLongest && back <= text.size(); ++back) {
    const auto lead = static_cast<unsigned char>(text[text.size() - back]);
    if ((lead & 0xC0) == 0x80) continue;
    const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    return size > back ? text.size() - back : text.size();
  }
  return text.size();
}

}  // namespace

std::string visible_lines(std::string_view text, TerminalCodes kept) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::size_t plain = printable_ascii_prefix(text);
    safe += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    std::size_t taken = kept_bytes(text, kept);
    if (taken > 0) {
      safe += text.substr(0, taken);
    } else {
      taken = decode_utf8(text).size_bytes;
      safe += terminal_safe(text.substr(0, taken));
    }
    text.remove_prefix(taken);
  }
  return safe;
}

Result<void> VisibleWriter::finish() {
  flush();
  if (!cut_.empty()) to_->write(visible_lines(cut_, kept_));
  cut_.clear();
  return to_->finish();
}

void VisibleWriter::drain(std::string_view bytes) {
  std::string joined;
  if (!cut_.empty()) {
    joined = std::move(cut_);
    joined += bytes;
    bytes = joined;
  }
  const std::size_t whole = whole_bytes(bytes);
  to_->write(visible_lines(bytes.substr(0, whole), kept_));
  cut_ = bytes.substr(whole);
}

}  // namespace ttscope
