#include "terminal/path_completion.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

namespace ttscope::terminal {
namespace {

/// A folder with more names than this is not completed any quicker by reading on.
constexpr std::size_t kMostNames = 100000;

bool is_folder(DIR* parent, const dirent& entry) {
  if (entry.d_type == DT_DIR) return true;
  if (entry.d_type != DT_UNKNOWN && entry.d_type != DT_LNK) return false;
  struct stat facts {};
  return fstatat(dirfd(parent), entry.d_name, &facts, 0) == 0 && S_ISDIR(facts.st_mode);
}

std::vector<std::string> names_in(const std::string& folder, std::string_view start) {
  std::vector<std::string> names;
  const auto close = [](DIR* open) { closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> open(opendir(folder.c_str()), close);
  if (!open) return names;
  while (const dirent* entry = readdir(open.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || name.substr(0, start.size()) != start) continue;
    if (name[0] == '.' && start.empty()) continue;
    names.push_back(std::string(name) + (is_folder(open.get(), *entry) ? "/" : ""));
    if (names.size() == kMostNames) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string common_start(const std::vector<std::string>& names) {
  // In order, the first and the last differ first.
  const std::string& first = names.front();
  const std::string& last = names.back();
  const auto end = std::mismatch(first.begin(), first.end(), last.begin(), last.end()).first;
  std::string common(first.begin(), end);
  // Not in the middle of a character.
  while (!common.empty() && common.size() < first.size() &&
         (static_cast<unsigned char>(first[common.size()]) & 0xC0) == 0x80) {
    common.pop_back();
  }
  return common;
}

}  // namespace

std::string expand_home(std::string_view path, const std::string& home) {
  const bool is_home =
      !home.empty() && !path.empty() && path[0] == '~' && (path.size() == 1 || path[1] == '/');
  return is_home ? home + std::string(path.substr(1)) : std::string(path);
}

PathCompletion complete_path(const std::string& typed, const std::string& home) {
  if (typed == "~" && !home.empty()) return {"~/", {}};
  const std::size_t slash = typed.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : typed.substr(0, slash + 1);
  const std::string start = typed.substr(folder.size());
  PathCompletion found{typed, names_in(folder.empty() ? "." : expand_home(folder, home), start)};
  if (found.candidates.empty()) return found;
  const std::string common = common_start(found.candidates);
  if (common.size() > start.size()) found.text = folder + common;
  if (found.candidates.size() == 1) found.candidates.clear();
  return found;
}

}  // namespace ttscope::terminal
