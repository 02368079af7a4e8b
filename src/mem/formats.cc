#include "mem/formats.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/result.h"
#include "mem/read/log_reader.h"
#include "mem/read/ttmem_files.h"
#include "mem/read/ttnn_module.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kReportHint = "`ttscope mem` reads the folder of the report that it is part of";

Result<Profile> load_folder(const std::vector<std::string>& paths, const LoadOptions& options) {
  return paths.size() == 1 ? load_run(paths.front(), options) : load_logs(paths, options);
}

/// A file of a report stands for the report, where its name tells of which.
Result<Profile> load_folder_of(const std::vector<std::string>& paths, const LoadOptions& options) {
  const std::optional<RunFile> file = paths.size() == 1 ? run_file_of(paths.front()) : std::nullopt;
  if (!file) return load_logs(paths, options);
  RETURN_IF_ERROR(check_log(paths.front()));
  LoadOptions of_run = options;
  of_run.run_name = file->run_name;
  return load_run(file->folder, of_run);
}

/// A log that begins with a module and goes on with a run is a log.
Result<Profile> load_modules_or_logs(const std::vector<std::string>& paths, const LoadOptions& options) {
  Result<Profile> modules = load_modules(paths, options);
  if (modules || modules.error().code != ErrorCode::kOtherKind) return modules;
  return load_logs(paths, options);
}

// A format a line.
// clang-format off
std::vector<Format> make_formats() {
  return {
      {{"ttmem_folder", "a folder with the files of a memory report", {}, is_report_folder}, load_folder},
      {{"ttmem_memory", "the memory file of a memory report", kReportHint, is_memory_file}, load_folder_of},
      {{"ttmem_side", "a file of a memory report", kReportHint, is_side_file_of_report}, load_folder_of},
      {{"ttnn_module", "a compiled module of TTNN ops", {}, is_ttnn_module}, load_modules_or_logs},
      {{"runtime_log", "a runtime log of TT-XLA", {}, nullptr, has_runtime_lines}, load_logs},
      {{"bare_log", "a log of TT-XLA without op lines", {}, nullptr, has_compiler_lines}, load_logs},
      {{"module_log", "a log with compiled modules", {}, nullptr, has_ttnn_module}, load_logs},
      {{"failure_text", "a text that quotes an out-of-memory failure", {}, nullptr, has_failure}, load_logs},
  };
}

// clang-format on

const Format* format_of(const io::Beginning& beginning) {
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return format.detector.is_beginning != nullptr && format.detector.is_beginning(beginning);
  });
  return found == formats().end() ? nullptr : &*found;
}

const Format* find_format(std::string_view key) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [&](const Format& format) { return format.detector.key == key; });
  return found == formats().end() ? nullptr : &*found;
}

/// Pipes are not looked into: what was taken from one is gone. Folders and damaged files of a report go to
/// its reader, which says what it misses.
const Format* format_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) return find_format("ttmem_folder");
  if (run_file_of(path)) return find_format("ttmem_side");
  if (!std::filesystem::is_regular_file(status)) return nullptr;
  const Result<io::Beginning> beginning = io::read_beginning(path);
  return beginning ? format_of(*beginning) : nullptr;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = make_formats();
  return kFormats;
}

const Format* format_of(const std::vector<std::string>& paths) {
  const Format* first = nullptr;
  for (const std::string& path : paths) {
    const Format* own = format_of(path);
    if (own == nullptr || (first != nullptr && own != first)) return nullptr;
    first = own;
  }
  return first;
}

}  // namespace ttscope::mem
