#include "io/input_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/result.h"
#include "io/open_input.h"

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxNames = 10000;

/// The first bytes that the reader gives; damage behind them does not matter here.
Result<void> fill(ByteReader& reader, Beginning& beginning) {
  std::size_t filled = 0;
  beginning.bytes.resize(kBeginningBytes);
  while (filled < kBeginningBytes) {
    const Result<std::size_t> size = reader.read(beginning.bytes.data() + filled, kBeginningBytes - filled);
    if (!size && filled == 0) return failure(size.error());
    beginning.is_whole = size && *size == 0;
    if (!size || *size == 0) break;
    filled += *size;
  }
  beginning.bytes.resize(filled);
  return {};
}

void list_names(Beginning& beginning) {
  std::error_code error;
  for (fs::directory_iterator at(beginning.path, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && beginning.names.size() < kMaxNames; at.increment(error)) {
    beginning.names.push_back(at->path().filename().string());
  }
  std::sort(beginning.names.begin(), beginning.names.end());
}

}  // namespace

std::string_view Beginning::text() const {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  return start == std::string::npos ? std::string_view() : std::string_view(bytes).substr(start);
}

bool Beginning::is_binary() const { return bytes.find('\0') != std::string::npos; }

Beginning beginning_of(std::string path, std::string_view whole) {
  Beginning beginning;
  beginning.path = std::move(path);
  beginning.bytes = whole.substr(0, kBeginningBytes);
  beginning.is_whole = whole.size() <= kBeginningBytes;
  return beginning;
}

Result<Beginning> read_beginning(const std::string& path) {
  Beginning beginning;
  beginning.path = path;
  std::error_code error;
  if (path != "-" && fs::is_directory(path, error)) {
    beginning.path_kind = PathKind::kFolder;
    list_names(beginning);
    return beginning;
  }
  ASSIGN_OR_RETURN(OpenInput input, open_input(path));
  if (!input.regular) {
    // An empty file, also where a pipe that ended without a byte is kept as one.
    struct stat facts {};
    beginning.is_whole = ::fstat(input.file.number(), &facts) == 0 && S_ISREG(facts.st_mode);
    beginning.path_kind = beginning.is_whole ? PathKind::kFile : PathKind::kStream;
    return beginning;
  }
  ASSIGN_OR_RETURN(std::unique_ptr<ByteReader> reader, open_byte_reader(std::move(input)));
  RETURN_IF_ERROR(fill(*reader, beginning));
  beginning.warning = reader->warning();
  return beginning;
}

namespace {

/// The last part of a path that says something: not `.logs`, not a file of the profiler.
std::string distinctive_name(const std::string& path) {
  fs::path at = fs::path(path).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  std::error_code ignored;
  if (!fs::is_directory(at, ignored)) at = at.parent_path();
  if (at.filename() == ".logs") at = at.parent_path();
  const std::string name = at.filename().string();
  return name.empty() || name == "." || name == ".." ? "host" : name;
}

}  // namespace

std::vector<std::string> input_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::set<fs::path> folders;
  std::error_code ignored;
  for (const std::string& path : paths) {
    folders.insert(fs::is_directory(path, ignored) ? fs::path(path) : fs::path(path).parent_path());
  }
  const bool by_file = folders.size() == 1 && paths.size() > 1;
  std::set<std::string> used;
  for (const std::string& path : paths) {
    const std::string name = by_file ? fs::path(path).stem().string() : distinctive_name(path);
    std::string distinct = name;
    for (int number = 2; !used.insert(distinct).second; ++number)
      distinct = fmt::format("{}-{}", name, number);
    names.push_back(distinct);
  }
  return names;
}

namespace {

std::optional<struct stat> regular_file(const std::string& path) {
  struct stat facts {};
  if (path == "-" || stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  return facts;
}

/// `flags:	0100001` of /proc/PID/fdinfo/FD, octal.
bool is_for_writing(const fs::path& fdinfo) {
  std::ifstream file(fdinfo);
  for (std::string line; std::getline(file, line);) {
    constexpr std::string_view kFlags = "flags:";
    if (!std::string_view(line).starts_with(kFlags)) continue;
    const std::size_t digits = line.find_first_of("01234567", kFlags.size());
    if (digits == std::string::npos) return false;
    int flags = 0;
    constexpr int kOctal = 8;
    std::from_chars(line.data() + digits, line.data() + line.size(), flags, kOctal);
    return (flags & O_ACCMODE) != O_RDONLY;
  }
  return false;
}

bool holds_for_writing(const fs::path& process, const struct stat& wanted) {
  std::error_code failed;
  for (fs::directory_iterator at(process / "fd", failed), end; !failed && at != end; at.increment(failed)) {
    struct stat facts {};
    if (stat(at->path().c_str(), &facts) != 0) continue;
    const bool is_it = facts.st_dev == wanted.st_dev && facts.st_ino == wanted.st_ino;
    if (is_it && is_for_writing(process / "fdinfo" / at->path().filename())) return true;
  }
  return false;
}

/// Processes of other users cannot be looked into; those are passed over.
bool any_process_writes(const struct stat& wanted) {
  const std::string own = std::to_string(getpid());
  std::error_code failed;
  for (fs::directory_iterator at("/proc", failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool is_process =
        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_process && name != own && holds_for_writing(at->path(), wanted)) return true;
  }
  return false;
}

}  // namespace

GrowthWatch::GrowthWatch(std::vector<std::string> paths) : paths_(std::move(paths)) {
  for (const std::string& path : paths_) {
    const auto facts = regular_file(path);
    sizes_.push_back(facts ? static_cast<std::int64_t>(facts->st_size) : -1);
  }
}

bool GrowthWatch::is_being_written() const {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto facts = regular_file(paths_[i]);
    if (!facts || sizes_[i] < 0) continue;
    if (static_cast<std::int64_t>(facts->st_size) > sizes_[i] || any_process_writes(*facts)) return true;
  }
  return false;
}

}  // namespace ttscope::io
