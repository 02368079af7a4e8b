#include "launch/runtime_logging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>

#include "base/files.h"

namespace ttscope::launch {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlugin = "pjrt_plugin_tt.so";
constexpr std::string_view kRuntime = "libTTMLIRRuntime.so";

/// Where the plugin lies in a package, a build folder and a checkout of various ages.
const std::vector<std::string>& plugin_places() {
  static const std::vector<std::string> kPlaces = {"",
                                                   "pjrt_plugin_tt",
                                                   "jax_plugins/pjrt_plugin_tt",
                                                   "python_package/pjrt_plugin_tt",
                                                   "pjrt_implementation/src",
                                                   "build/pjrt_implementation/src",
                                                   "src/tt",
                                                   "build/src/tt"};
  return kPlaces;
}

/// Where the runtime lies, seen from the plugin's folder or one above it.
const std::vector<std::string>& runtime_places() {
  static const std::vector<std::string> kPlaces = {"", "lib", "tt-mlir/install/lib",
                                                   "third_party/tt-mlir/install/lib"};
  return kPlaces;
}

fs::path real_path(const fs::path& path) {
  std::error_code error;
  fs::path real = fs::canonical(path, error);
  return error ? path : real;
}

std::string find_plugin(const std::vector<std::string>& folders) {
  std::error_code ignored;
  for (const std::string& folder : folders) {
    for (const std::string& place : plugin_places()) {
      const fs::path candidate = fs::path(folder) / place / kPlugin;
      if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    }
  }
  return {};
}

std::vector<std::string> find_runtimes(const std::string& plugin) {
  constexpr int kFoldersUp = 4;
  std::vector<std::string> found;
  std::error_code ignored;
  fs::path folder = real_path(plugin).parent_path();
  for (int up = 0; up < kFoldersUp && found.empty() && !folder.empty(); ++up) {
    for (const std::string& place : runtime_places()) {
      const fs::path candidate = folder / place / kRuntime;
      if (fs::is_regular_file(candidate, ignored)) found.push_back(candidate.string());
    }
    folder = folder.parent_path();
  }
  return found;
}

/// Yes as soon as one file holds it, no when all are read and none does.
Tristate any_holds(const std::vector<std::string>& files, std::string_view text) {
  bool unknown = files.empty();
  for (const std::string& file : files) {
    const Tristate holds = file_holds(file, text);
    if (holds == Tristate::kYes) return Tristate::kYes;
    unknown = unknown || holds == Tristate::kUnknown;
  }
  return unknown ? Tristate::kUnknown : Tristate::kNo;
}

}  // namespace

Tristate file_holds(const std::string& path, std::string_view text) {
  const auto file = MappedFile::open(path);
  if (!file) return Tristate::kUnknown;
  const std::string_view bytes = (*file)->bytes();
  return ::memmem(bytes.data(), bytes.size(), text.data(), text.size()) == nullptr ? Tristate::kNo
                                                                                   : Tristate::kYes;
}

RuntimeBuild find_runtime_build(const std::vector<std::string>& folders) {
  RuntimeBuild build;
  build.plugin = find_plugin(folders);
  if (build.plugin.empty()) return build;
  build.runtimes = find_runtimes(build.plugin);
  build.reads_memory_variable = file_holds(build.plugin, "TT_RUNTIME_MEMORY_LOG_LEVEL");
  // A plugin that is linked with the runtime statically holds its texts itself.
  std::vector<std::string> libraries = build.runtimes;
  libraries.push_back(build.plugin);
  build.has_op_lines = any_holds(libraries, "Executing operation: ");
  // `Device memory state before operation`: compilers may keep long texts in parts of 16 bytes.
  build.has_memory_lines = any_holds(libraries, "Device memory st");
  // Both kinds need the same build option, and the memory lines are newer.
  if (build.has_op_lines == Tristate::kNo) build.has_memory_lines = Tristate::kNo;
  // Without its runtime library a plugin proves nothing by what it does not hold.
  if (build.runtimes.empty()) {
    if (build.has_op_lines == Tristate::kNo) build.has_op_lines = Tristate::kUnknown;
    if (build.has_memory_lines == Tristate::kNo) build.has_memory_lines = Tristate::kUnknown;
  }
  return build;
}

std::string_view tristate_text(Tristate known) {
  constexpr std::array<std::string_view, 3> kWords = {"no", "yes", "unknown"};
  return kWords[static_cast<std::size_t>(known)];
}

namespace {

/// What a variable should be and what is lost with other values.
struct Wanted {
  std::string_view name;
  std::string_view value;
  std::vector<std::string_view> also_good;
  bool any_case = false;
  std::string_view otherwise;
};

const std::array<Wanted, 4>& wanted_variables() {
  static const std::array<Wanted, 4> kWanted = {{
      {"TTMLIR_RUNTIME_LOGGER_LEVEL", "DEBUG", {"TRACE"}, true, "op lines need DEBUG"},
      {"TT_RUNTIME_MEMORY_LOG_LEVEL",
       "operation",
       {"any", "all"},
       true,
       "memory lines for each op need operation"},
      {"TTXLA_LOGGER_LEVEL", "DEBUG", {"VERBOSE"}, false, "module dumps need DEBUG, in capital letters"},
      {"PYTHONUNBUFFERED", "1", {}, false, ""},
  }};
  return kWanted;
}

bool equal(std::string_view a, std::string_view b, bool any_case) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [any_case](char x, char y) {
    return x == y || (any_case && std::tolower(static_cast<unsigned char>(x)) ==
                                      std::tolower(static_cast<unsigned char>(y)));
  });
}

std::string problem_with(const Wanted& wanted, const std::string& value) {
  if (wanted.otherwise.empty() || equal(value, wanted.value, wanted.any_case)) return {};
  for (const std::string_view good : wanted.also_good) {
    if (equal(value, good, wanted.any_case)) return {};
  }
  return std::string(wanted.otherwise);
}

/// Variables that send lines elsewhere or leave them out.
std::vector<std::string> find_obstacles(const std::vector<std::string>& environment) {
  std::vector<std::string> found;
  std::string value;
  for (const std::string_view name : {"TTMLIR_RUNTIME_LOGGER_FILE", "TTXLA_LOGGER_FILE"}) {
    if (find_variable(environment, name, value) == nullptr || value.empty()) continue;
    found.push_back(
        fmt::format("{}={}: those lines go to that file, not into this log; unset {}", name, value, name));
  }
  if (find_variable(environment, "TTMLIR_RUNTIME_LOGGER_TYPES", value) != nullptr && !value.empty() &&
      value.find("RuntimeTTNN") == std::string::npos && value.find("All") == std::string::npos) {
    found.push_back(
        fmt::format("TTMLIR_RUNTIME_LOGGER_TYPES={}: leaves out RuntimeTTNN, the op lines; unset it", value));
  }
  if (find_variable(environment, "LOGGER_LEVEL", value) != nullptr) {
    found.push_back(
        "LOGGER_LEVEL is the old name of TTXLA_LOGGER_LEVEL: newer TT-XLA switches its log off when it is "
        "set; unset LOGGER_LEVEL");
  }
  return found;
}

}  // namespace

const std::string* find_variable(const std::vector<std::string>& environment, std::string_view name,
                                 std::string& value) {
  for (const std::string& entry : environment) {
    if (entry.size() > name.size() && entry[name.size()] == '=' && entry.compare(0, name.size(), name) == 0) {
      value = entry.substr(name.size() + 1);
      return &value;
    }
  }
  return nullptr;
}

LogEnvironment plan_environment(const std::vector<std::string>& environment) {
  LogEnvironment plan;
  plan.environment = environment;
  plan.obstacles = find_obstacles(environment);
  for (const Wanted& wanted : wanted_variables()) {
    LogVariable variable;
    variable.name = wanted.name;
    variable.is_users = find_variable(environment, wanted.name, variable.value) != nullptr;
    if (variable.is_users) {
      variable.remark = problem_with(wanted, variable.value);
    } else {
      variable.value = wanted.value;
      plan.environment.push_back(fmt::format("{}={}", wanted.name, wanted.value));
    }
    plan.variables.push_back(std::move(variable));
  }
  return plan;
}

}  // namespace ttscope::launch
