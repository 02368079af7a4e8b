#include "capture/group_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <utility>

namespace ttscope::capture {
namespace {

namespace fs = std::filesystem;

struct Process {
  std::string name;
  char state = '?';
  pid_t group = 0;
  pid_t session = 0;
};

/// `4711 (python3) S 1 4700 4700 ...`; the name may hold blanks and brackets.
std::optional<Process> process_of(const std::string& line) {
  const std::size_t begin = line.find('(');
  const std::size_t end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  Process process;
  process.name = line.substr(begin + 1, end - begin - 1);
  std::istringstream rest(line.substr(end + 1));
  pid_t parent = 0;
  if (!(rest >> process.state >> parent >> process.group >> process.session)) return std::nullopt;
  return process;
}

}  // namespace

std::vector<std::string> group_members(pid_t group) {
  std::vector<std::pair<pid_t, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string number = at->path().filename().string();
    pid_t pid = 0;
    const auto [stop, problem] = std::from_chars(number.data(), number.data() + number.size(), pid);
    if (problem != std::errc() || stop != number.data() + number.size()) continue;
    std::ifstream file(at->path() / "stat");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    const std::optional<Process> process = process_of(line);
    if (!process || process->state == 'Z' || process->state == 'X') continue;
    if (process->group == group || process->session == group)
      found.emplace_back(pid, fmt::format("{} ({})", process->name, pid));
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [pid, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace ttscope::capture
