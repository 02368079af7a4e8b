#include "io/input_names.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>

namespace ttscope::io {
namespace {

namespace fs = std::filesystem;

/// The last part of a path that says something: not `.logs`, not a file of the profiler.
std::string telling_name(const std::string& path) {
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
    const std::string name = by_file ? fs::path(path).stem().string() : telling_name(path);
    std::string distinct = name;
    for (int number = 2; !used.insert(distinct).second; ++number)
      distinct = fmt::format("{}-{}", name, number);
    names.push_back(distinct);
  }
  return names;
}

}  // namespace ttscope::io
