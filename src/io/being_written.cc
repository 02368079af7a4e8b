#include "io/being_written.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;

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
