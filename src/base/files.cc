#include "base/files.h"

#include "base/result.h"
#include "base/text.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <system_error>

namespace ttscope {
namespace {

Error problem(const std::string& name, const char* what, int error_number) {
  return bad_input(terminal_safe(name) + ": " + what + ": " + std::generic_category().message(error_number));
}

}  // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return failure(problem(path, "cannot open", errno));
  return map(file.number(), path);
}

Result<std::shared_ptr<const MappedFile>> MappedFile::map(int descriptor, const std::string& name) {
  struct stat info {};
  if (::fstat(descriptor, &info) != 0) return failure(problem(name, "cannot read", errno));
  if (!S_ISREG(info.st_mode)) return failure(bad_input(terminal_safe(name) + ": not a regular file"));
  const auto size_bytes = static_cast<std::size_t>(info.st_size);
  if (size_bytes == 0) {  // an empty file cannot be mapped
    return std::make_shared<const MappedFile>(nullptr, std::size_t{0});
  }
  void* data = ::mmap(nullptr, size_bytes, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED) return failure(problem(name, "cannot map", errno));
  ::madvise(data, size_bytes, MADV_SEQUENTIAL);
  watch_mapping(data, size_bytes);
  return std::make_shared<const MappedFile>(static_cast<const char*>(data), size_bytes);
}

MappedFile::~MappedFile() {
  if (data_ == nullptr) return;
  forget_mapping(data_);  // before the addresses are somebody else's
  ::munmap(const_cast<char*>(data_), size_bytes_);
}

namespace {

namespace fs = std::filesystem;

/// A folder that is held is removed by its descriptors and not by its path.
struct HeldPlace {
  std::string path;
  std::string hidden_name;
  int parent = -1;
  int folder = -1;
};

/// What must not outlive the process.
struct Registry {
  std::mutex mutex;
  std::vector<std::string> temporary;  ///< removed with all they hold
  std::vector<HeldPlace> held;         ///< the same
  std::vector<std::string> made;       ///< removed if empty; outer ones first
};

Registry& registry() {
  static Registry instance;
  return instance;
}

void forget(std::vector<std::string>& paths, const std::string& path) {
  paths.erase(std::remove(paths.begin(), paths.end(), path), paths.end());
}

mode_t default_file_mode() {
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
  chmod(path.c_str(),
        default_file_mode());  // mkdtemp makes it private; a report is for whoever may read the place
  return TemporaryFolder(std::move(path));
}

std::optional<TemporaryFolder> TemporaryFolder::make(const std::string& path, mode_t mode) {
  const std::lock_guard lock(registry().mutex);
  if (mkdir(path.c_str(), mode) != 0) return std::nullopt;
  registry().temporary.push_back(path);
  return TemporaryFolder(path);
}

namespace {

std::string random_ending() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz012345";
  std::array<unsigned char, 8> bytes{};
  (void)!getrandom(bytes.data(), bytes.size(), 0);  // a name that is taken is tried again
  std::string ending;
  for (const unsigned char byte : bytes) ending += kLetters[byte % kLetters.size()];
  return ending;
}

FileDescriptor open_folder(int parent, const char* name) {
  return FileDescriptor(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Calls `use` with each name in an open folder until it returns false.
template <typename Use>
bool each_name(int folder, const Use& use) {
  const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const auto close_folder = [](DIR* open_folder) { closedir(open_folder); };
  const std::unique_ptr<DIR, decltype(close_folder)> entries(copy < 0 ? nullptr : fdopendir(copy),
                                                             close_folder);
  if (!entries) return false;
  while (const dirent* entry = readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !use(entry->d_name)) return false;
  }
  return true;
}

/// Closes the folder just made to others. False when another one was put in its place: one of somebody else,
/// or one that holds something.
bool close_new_folder(int folder) {
  struct stat facts {};
  if (fstat(folder, &facts) != 0 || facts.st_uid != geteuid()) return false;
  // Nothing to be done where the file system keeps no modes.
  if ((facts.st_mode & (S_IRWXG | S_IRWXO)) != 0) (void)fchmod(folder, S_IRWXU);
  return each_name(folder, [](const char*) { return false; });
}

void remove_held(const HeldPlace& place) {
  empty_folder(place.folder);
  unlinkat(place.parent, place.hidden_name.c_str(), AT_REMOVEDIR);
}

}  // namespace

Result<TemporaryFolder> TemporaryFolder::create_held(int parent, const std::string& name) {
  constexpr int kAttempts = 100;
  const auto problem = [](const char* reason) {
    return failure(write_failed(fmt::format("cannot make a folder here: {}", reason)));
  };
  TemporaryFolder made{std::string()};
  made.parent_ = FileDescriptor(fcntl(parent, F_DUPFD_CLOEXEC, 0));
  const std::lock_guard lock(registry().mutex);
  int left = kAttempts;
  do {
    made.hidden_name_ = fmt::format(".{}.{}", name, random_ending());
    if (mkdirat(parent, made.hidden_name_.c_str(), S_IRWXU) == 0) break;
    if (errno != EEXIST) return problem(std::strerror(errno));
  } while (--left > 0);
  made.folder_ = open_folder(parent, made.hidden_name_.c_str());
  if (!made.folder_.is_open() || !close_new_folder(made.folder_.number()))
    return problem("somebody else put another one in its place");
  made.path_ = fmt::format("/proc/{}/fd/{}", getpid(), made.folder_.number());
  registry().held.push_back({made.path_, made.hidden_name_, made.parent_.number(), made.folder_.number()});
  return made;
}

void TemporaryFolder::share() const { fchmod(folder_.number(), default_file_mode()); }

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  if (folder_.is_open()) {
    remove_held({path_, hidden_name_, parent_.number(), folder_.number()});
  } else {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  release();
}

void TemporaryFolder::release() {
  const std::lock_guard lock(registry().mutex);
  forget(registry().temporary, path_);
  std::erase_if(registry().held, [&](const HeldPlace& place) { return place.path == path_; });
  path_.clear();
}

bool is_open_to_others(int folder) {
  struct stat facts {};
  const auto is_others = [&] {
    return (facts.st_uid != geteuid() && facts.st_uid != 0) || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0;
  };
  if (fstat(folder, &facts) != 0 || facts.st_uid != geteuid() || is_others()) return true;
  std::error_code error;
  fs::path at = fs::read_symlink(fmt::format("/proc/self/fd/{}", folder), error);
  while (!error && at.has_relative_path()) {
    at = at.parent_path();
    if (lstat(at.c_str(), &facts) != 0) return true;
    // Where the sticky bit is set, only the owners of a folder and of what is in it can rename that.
    if ((facts.st_mode & S_ISVTX) != 0) facts.st_mode &= ~static_cast<mode_t>(S_IWGRP | S_IWOTH);
    if (is_others()) return true;
  }
  return static_cast<bool>(error);
}

void empty_folder(int folder) {
  each_name(folder, [&](const char* name) {
    if (unlinkat(folder, name, 0) == 0) return true;
    if (const FileDescriptor inner = open_folder(folder, name); inner.is_open()) {
      empty_folder(inner.number());
      unlinkat(folder, name, AT_REMOVEDIR);
    }
    return true;
  });
}

Result<CreatedFolders> CreatedFolders::make(const std::string& path) {
  RETURN_IF_ERROR(check_output_path(path));
  CreatedFolders made;
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

CreatedFolders::~CreatedFolders() {
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
    for (const HeldPlace& place : registry().held) remove_held(place);
  }
  remove_empty(registry().made);
}

Result<void> check_output_path(const std::string& path) {
  std::string plain = path;
  while (plain.size() > 1 && plain.back() == '/') plain.pop_back();
  struct stat facts {};
  if (lstat(plain.c_str(), &facts) != 0 || !S_ISLNK(facts.st_mode)) return {};
  if (!is_in_folder_of_everybody(plain)) return {};
  return failure(
      write_failed(terminal_safe(path) +
                   ": cannot write: it is a symbolic link in a folder that everybody can write to; "
                   "give the path that it leads to"));
}

bool is_in_folder_of_everybody(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  struct stat facts {};
  return stat(folder.c_str(), &facts) == 0 && (facts.st_mode & S_IWOTH) != 0;
}

namespace {

/// A signal handler can take no lock and reach no object of the heap: hence a table of fixed size. What is
/// mapped beyond it is not watched.
struct Mapping {
  std::atomic<std::uintptr_t> begin = 0;  ///< 0: free
  std::atomic<std::uintptr_t> end = 0;
};

std::array<Mapping, 4096> mappings;
std::atomic<std::uint64_t> lost = 0;
std::atomic<bool> is_on = false;
std::uintptr_t page_bytes = 0;
struct sigaction before {};

/// A file that ends here has lost all that follows: the rest of the mapping becomes memory without a file.
bool replace_lost(std::uintptr_t address) {
  for (const Mapping& mapping : mappings) {
    const std::uintptr_t begin = mapping.begin;
    const std::uintptr_t end = mapping.end;
    if (begin == 0 || address < begin || address >= end) continue;
    const std::uintptr_t page = address / page_bytes * page_bytes;
    void* const place = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
    const void* made = ::mmap(place, end - page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (made == MAP_FAILED) return false;
    ++lost;
    return true;
  }
  return false;
}

void on_bus_error(int signal_number, siginfo_t* info, void* context) {
  if (replace_lost(reinterpret_cast<std::uintptr_t>(info->si_addr))) return;
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal_number, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal_number);
  } else {
    ::sigaction(SIGBUS, &before, nullptr);  // the read is tried again, and ends the process as it would have
  }
}

}  // namespace

void survive_lost_pages() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    is_on = ::sigaction(SIGBUS, &action, &before) == 0;
  });
}

std::uint64_t lost_pages() { return lost; }

void watch_mapping(const void* data, std::size_t size_bytes) {
  if (!is_on) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (Mapping& mapping : mappings) {
    std::uintptr_t expected = 0;
    if (!mapping.begin.compare_exchange_strong(expected, begin)) continue;
    mapping.end = begin + size_bytes;
    return;
  }
}

void forget_mapping(const void* data) {
  if (!is_on) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  for (Mapping& mapping : mappings) {
    if (mapping.begin != begin) continue;
    mapping.end = 0;
    mapping.begin = 0;
    return;
  }
}

}  // namespace ttscope
