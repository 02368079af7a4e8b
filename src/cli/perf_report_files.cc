#include "cli/perf_report_files.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <set>

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

std::string date_text() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  return fmt::format("{:04}_{:02}_{:02}_{:02}_{:02}_{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec);
}

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

std::int64_t devices_of(const PerfCapture& capture) {
  std::int64_t most = -1;
  for (const perf::HostOp& op : capture.host.ops) most = std::max(most, op.device);
  for (const perf::Execution& execution : capture.report.executions) {
    most = std::max(most, std::int64_t{execution.key.device});
  }
  return most + 1;
}

}  // namespace

std::string PerfFolder::new_path(const std::string& base, const std::string& extension) const {
  for (int number = 1;; ++number) {
    const std::string count = number == 1 ? "" : fmt::format("_{}", number);
    const fs::path path = fs::path(folder) / (base + suffix + count + extension);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) return path.string();
  }
}

Result<PerfFolder> make_perf_folder(const PerfPlace& place) {
  PerfFolder result;
  const std::string date = place.date || place.folder.empty() ? date_text() : "";
  if (!place.name.empty()) result.suffix += "_" + place.name;
  if (!date.empty()) result.suffix += "_" + date;
  fs::path folder = place.folder;
  if (place.folder.empty()) {
    folder = fs::path("generated") / "profiler" / "reports";
    if (!place.name.empty()) folder /= place.name;
    folder /= date;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(write_failed(fmt::format("{}: {}", folder.string(), error.message())));
  result.folder = folder.string();
  return result;
}

std::vector<std::string> host_names(const std::vector<std::string>& paths) {
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

std::vector<std::string> host_names(const std::vector<PerfCapture>& captures) {
  std::vector<std::string> paths;
  for (const PerfCapture& capture : captures) paths.push_back(capture.files.name);
  return host_names(paths);
}

std::string ops_report_text(const std::vector<PerfCapture>& captures, bool compat) {
  std::vector<perf::OpsCsvPart> parts;
  perf::OpsCsvOptions options{compat, true, false};
  const std::vector<std::string> names = host_names(captures);
  std::int64_t devices = 0;
  for (std::size_t i = 0; i < captures.size(); ++i) {
    const PerfCapture& capture = captures[i];
    perf::OpsCsvPart part{&capture.report, &capture.host, &capture.counters, &capture.network, {}, devices};
    if (captures.size() > 1) {
      part.host_name = names[i];
      devices += devices_of(capture);
    }
    parts.push_back(std::move(part));
    options.device_only &= capture.device_only;
    options.quasar |= capture.quasar;
  }
  StringWriter out;
  perf::write_ops_csv(parts, options, out);
  static_cast<void>(out.finish());
  return out.text();
}

}  // namespace ttscope::cli
