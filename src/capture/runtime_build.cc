#include "capture/runtime_build.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>

#include "base/mapped_file.h"

namespace ttscope::capture {
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
Known any_holds(const std::vector<std::string>& files, std::string_view text) {
  bool unknown = files.empty();
  for (const std::string& file : files) {
    const Known holds = file_holds(file, text);
    if (holds == Known::kYes) return Known::kYes;
    unknown = unknown || holds == Known::kUnknown;
  }
  return unknown ? Known::kUnknown : Known::kNo;
}

}  // namespace

Known file_holds(const std::string& path, std::string_view text) {
  const auto file = MappedFile::open(path);
  if (!file) return Known::kUnknown;
  const std::string_view bytes = (*file)->bytes();
  return ::memmem(bytes.data(), bytes.size(), text.data(), text.size()) == nullptr ? Known::kNo : Known::kYes;
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
  if (build.has_op_lines == Known::kNo) build.has_memory_lines = Known::kNo;
  // Without its runtime library a plugin proves nothing by what it does not hold.
  if (build.runtimes.empty()) {
    if (build.has_op_lines == Known::kNo) build.has_op_lines = Known::kUnknown;
    if (build.has_memory_lines == Known::kNo) build.has_memory_lines = Known::kUnknown;
  }
  return build;
}

std::string_view known_word(Known known) {
  constexpr std::array<std::string_view, 3> kWords = {"no", "yes", "unknown"};
  return kWords[static_cast<std::size_t>(known)];
}

}  // namespace ttscope::capture
