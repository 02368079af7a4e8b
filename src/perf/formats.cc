#include "perf/formats.h"

#include <algorithm>
#include <filesystem>

#include "base/packed_name.h"
#include "base/profiler_names.h"
#include "perf/read/device_log/sniff.h"
#include "perf/read/host_logs/sniff.h"
#include "perf/read/noc_trace/sniff.h"
#include "perf/read/ops_report/ops_report_reader.h"
#include "perf/read/ops_report/sniff.h"
#include "perf/read/raw_run/sniff.h"
#include "perf/read/table_csv/sniff.h"
#include "perf/read/table_csv/table_csv_reader.h"

namespace ttscope::perf {
namespace {

namespace fs = std::filesystem;

template <std::string CaptureFiles::*kPart>
void put_part(const std::string& path, CaptureFiles& capture, FoundFiles& /*found*/) {
  capture.*kPart = path;
}

void put_noc_trace(const std::string& path, CaptureFiles& capture, FoundFiles& /*found*/) {
  capture.noc_traces.push_back(path);
}

template <std::vector<std::string> FoundFiles::*kList>
void put_alone(const std::string& path, CaptureFiles& /*capture*/, FoundFiles& found) {
  (found.*kList).push_back(path);
}

bool is_profiler_file(const std::string& path) { return format_by_name(path) != nullptr; }

bool has_profiler_file(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (is_profiler_file(at->path().string())) return true;
  }
  return false;
}

/// A folder of a profiler run: its files, `.logs` with them, such folders of several hosts, or a finished
/// report.
bool is_profiler_folder(const io::Beginning& beginning) {
  if (beginning.path_kind != io::PathKind::kFolder) return false;
  const fs::path folder(beginning.path);
  return std::any_of(beginning.names.begin(), beginning.names.end(), [&](const std::string& name) {
    return is_profiler_file(name) || (name == ".logs" && has_profiler_file(folder / name)) ||
           has_profiler_file(folder / name / ".logs");
  });
}

// A format a line: how it is told, its name, where it goes.
// clang-format off
std::vector<Format> make_formats() {
  return {
      {{"profiler_folder", "a folder of the device profiler", {}, is_profiler_folder}},
      {{"noc_trace", "a NoC trace", {}, is_noc_trace}, "noc_trace_*.json", put_noc_trace},
      {{"raw_run", "saved buffers of the device profiler", {}, is_raw_run}, {}, put_alone<&FoundFiles::raw_runs>},
      {{"device_log", "a log of the device profiler", {}, is_device_log},
       profiler_names::kDeviceLog, put_part<&CaptureFiles::device_log>},
      {{"cpp_report", "the runtime's own report of the device profiler", {}, is_cpp_report},
       profiler_names::kProgramReport, put_part<&CaptureFiles::cpp_report>},
      {{"ops_report", "an ops report of the profiler", {}, is_ops_report},
       "ops_perf_results*.csv", put_alone<&FoundFiles::reports>, read_ops_report},
      {{"host_times", "a file with host zones of a profiler run", {}, is_host_times},
       profiler_names::kOpTimes, put_part<&CaptureFiles::host_times>},
      {{"host_messages", "a file with host messages of a profiler run", {}, is_host_messages},
       profiler_names::kOpMessages, put_part<&CaptureFiles::host_messages>},
      {{"perf_report_table", "a table made by tt-perf-report", {}, is_table_csv},
       {}, put_alone<&FoundFiles::reports>, read_table_csv},
  };
}
// clang-format on

/// Whether a name is that of the pattern, which has at most one `*`.
bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(pattern.substr(star + 1));
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = make_formats();
  return kFormats;
}

const Format* format_by_name(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  const std::string_view name = unpacked_name(file);
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return !format.file_name.empty() && fits(name, format.file_name);
  });
  return found == formats().end() ? nullptr : &*found;
}

const Format* format_by_content(const io::Beginning& beginning) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [&](const Format& format) { return format.told.is_beginning(beginning); });
  return found == formats().end() ? nullptr : &*found;
}

}  // namespace ttscope::perf
