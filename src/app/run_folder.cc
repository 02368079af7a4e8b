#include "app/run_folder.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/text_escape.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

constexpr int kMostRunFolders = 10000;
constexpr mode_t kPrivateFolder = 0700;

std::string stem_of(const std::string& argument) {
  return file_name_safe(fs::path(argument.substr(0, argument.find("::"))).stem().string());
}

}  // namespace

bool is_python_file(const std::string& argument) {
  const std::string path = argument.substr(0, argument.find("::"));
  return path.size() > 3 && path[0] != '-' && path.compare(path.size() - 3, 3, ".py") == 0;
}

std::string name_of_command(const std::vector<std::string>& command) {
  for (const std::string& argument : command) {
    if (is_python_file(argument)) return stem_of(argument);
  }
  return command.empty() ? file_name_safe("") : stem_of(command.front());
}

std::string run_folder_name(const std::string& name, std::time_t now) {
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%d_%H%M%S", &parts);
  return fmt::format("{}_{}", name, std::string_view(text.data(), size));
}

Result<TemporaryFolder> make_run_folder(const std::string& base, const std::string& name) {
  const std::string first = (fs::path(base) / run_folder_name(name, std::time(nullptr))).string();
  for (int number = 1; number < kMostRunFolders; ++number) {
    auto folder =
        TemporaryFolder::make(number == 1 ? first : fmt::format("{}-{}", first, number), kPrivateFolder);
    if (folder) return std::move(*folder);
    if (errno != EEXIST) break;
  }
  return failure(write_failed(fmt::format("{}: cannot make the folder: {}", first, std::strerror(errno))));
}

long long free_bytes_at(const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored).lexically_normal();
  while (!place.empty() && !fs::exists(place, ignored) && place != place.parent_path()) {
    place = place.parent_path();
  }
  struct statvfs facts {};
  if (statvfs(place.c_str(), &facts) != 0) return -1;
  return static_cast<long long>(facts.f_bavail) * static_cast<long long>(facts.f_frsize);
}

}  // namespace ttscope::app
