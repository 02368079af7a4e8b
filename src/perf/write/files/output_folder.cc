#include "perf/write/files/output_folder.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/output_path.h"

namespace ttscope::perf {

namespace fs = std::filesystem;

std::string OutputFolder::new_path(const std::string& base, const std::string& extension) const {
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : fmt::format("_{}", number);
    const fs::path path = fs::path(folder) / fmt::format("{}{}{}{}", base, suffix, count, extension);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return path.string();
  }
}

Result<OutputFolder> make_output_folder(const OutputPlace& place) {
  OutputFolder result;
  if (!place.name.empty()) result.suffix += "_" + place.name;
  if (place.dates_files || place.folder.empty()) result.suffix += "_" + place.date;
  fs::path folder = place.folder;
  if (place.folder.empty()) {
    folder = fs::path("generated") / "profiler" / "reports";
    if (!place.name.empty()) folder /= place.name;
    folder /= place.date;
  }
  if (const Result<void> checked = check_output_path(folder.string()); !checked)
    return failure(checked.error());
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(write_failed(fmt::format("{}: {}", folder.string(), error.message())));
  result.folder = folder.string();
  return result;
}

}  // namespace ttscope::perf
