#include "perf/formats.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/csv.h"
#include "base/file_names.h"
#include "base/json_reader.h"
#include "base/result.h"
#include "io/input_files.h"
#include "perf/read/ops_report.h"
#include "perf/read/table_csv.h"

namespace ttscope::perf {
namespace {

/// profile_log_device.csv, also under another name.
bool is_device_log(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("ARCH:") || beginning.bytes.starts_with("Chip clock is at");
}

bool has_columns(const io::Beginning& beginning, std::string_view first, std::string_view second) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  return header.find(first) != CsvHeader::kNoColumn && header.find(second) != CsvHeader::kNoColumn;
}

/// cpp_device_perf_report.csv: the runtime's own report.
bool is_cpp_report(const io::Beginning& beginning) {
  return has_columns(beginning, "GLOBAL CALL COUNT", "OP NAME") &&
         !has_columns(beginning, "OP NAME", "OP CODE");
}

/// tracy_ops_times.csv: zones of the host.
bool is_host_times(const io::Beginning& beginning) {
  return has_columns(beginning, "special_parent_text", "ns_since_start");
}

/// tracy_ops_data.csv: messages of the host.
bool is_host_messages(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("MessageName;total_ns");
}

}  // namespace

bool is_noc_trace(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  return text.starts_with('[') && looks_like_json(text) && has_json_key(text, "proc") &&
         has_json_key(text, "timestamp") && (has_json_key(text, "sx") || has_json_key(text, "noc"));
}

namespace {

/// A finished ops report of any version: ops_perf_results*.csv.
bool is_ops_report(const io::Beginning& beginning) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  const auto has = [&](std::string_view name) { return header.find(name) != CsvHeader::kNoColumn; };
  if (has("OP CODE") || has("DEVICE KERNEL DURATION PER CORE MIN [ns]")) return true;
  return has("GLOBAL CALL COUNT") && !has("OP NAME") && has("DEVICE FW DURATION [ns]");
}

/// Saved buffers of the device profiler: the document beside the raw words.
bool is_raw_run(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  return text.starts_with('{') && looks_like_json(text) && has_json_key(text, "riscs") &&
         has_json_key(text, "dram") && has_json_key(text, "bytes_per_risc");
}

bool has_columns(const io::Beginning& beginning, std::initializer_list<std::string_view> names) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  for (const std::string_view name : names) {
    if (header.find(name) == CsvHeader::kNoColumn) return false;
  }
  return true;
}

}  // namespace

bool is_table_csv(const io::Beginning& beginning) {
  return has_columns(beginning, {"ID", "Total %", "OP Code"});
}

bool is_stacked_csv(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("Total % [%],Op Code,");
}

Result<io::WholeText> OpenedTexts::open(const std::string& path) {
  if (path.empty()) return io::WholeText();
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  Result<io::WholeText> text = io::open_whole_text(path);
  if (text) texts_.emplace(path, *text);
  return text;
}

namespace {

namespace fs = std::filesystem;

/// The name of a file without what packing appended to it.
std::string plain_name(const std::string& path) {
  return std::string(unpacked_name(fs::path(path).filename().string()));
}

bool is_recording_name(const std::string& path) { return plain_name(path).ends_with(".ttrec"); }

/// A folder with recordings of marked code and without files of the profiler.
bool is_recording_folder(const fs::path& folder) {
  bool has_recording = false;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    const std::string path = at->path().string();
    if (format_by_name(path) != nullptr) return false;
    has_recording = has_recording || is_recording_name(path);
  }
  return has_recording;
}

/// The recordings of a run, where no capture of Tracy is: in its folder, or in one of their own.
void take_recordings(const fs::path& folder, bool has_recording, CaptureFiles& files) {
  if (!files.host_capture.empty()) return;
  const fs::path own = folder / profiler_names::kRecording;
  if (has_recording) {
    files.host_capture = folder.string();
  } else if (is_recording_folder(own)) {
    files.host_capture = own.string();
  }
}

/// Puts a file of a capture where it belongs, by its name.
bool take_by_name(const std::string& path, CaptureFiles& files, FoundFiles& inputs) {
  const std::string name = plain_name(path);
  if (name == profiler_names::kSyncInfo) {
    files.sync_info = path;
  } else if (name == kSimulatedChips) {
    files.simulated = find_simulated_marker_of_run(path);
  } else if (name == profiler_names::kZones) {
    files.zone_locations = path;
  } else if (name.ends_with(".tracy") || is_recording_name(path)) {
    files.host_capture = path;
  } else {
    const Format* format = format_by_name(path);
    // Any CSV may be called as reports are.
    if (format == nullptr || format->read_report != nullptr) return false;
    format->put(path, files, inputs);
  }
  return true;
}

/// The same by what it says, for files that were renamed.
Result<void> take_by_content(const std::string& path, CaptureFiles& files, FoundFiles& inputs) {
  ASSIGN_OR_RETURN(const io::WholeText text, inputs.texts.open(path));
  const Format* format = format_by_content(io::beginning_of(path, text.bytes()));
  if (format == nullptr) {
    return failure(bad_input(fmt::format(
        "{}: not a file of the profiler; expected profile_log_device.csv, cpp_device_perf_report.csv, "
        "tracy_ops_times.csv, tracy_ops_data.csv, a NoC trace, an ops report or the table that "
        "tt-perf-report makes of one",
        path)));
  }
  format->put(path, files, inputs);
  return {};
}

void take_folder(const fs::path& folder, CaptureFiles& files, FoundFiles& inputs) {
  std::error_code ignored;
  std::vector<std::string> paths;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    std::error_code not_a_file;
    if (at->is_regular_file(not_a_file)) paths.push_back(at->path().string());
  }
  // Backwards, so that a plain file counts where it lies beside its compressed one.
  std::sort(paths.rbegin(), paths.rend());
  bool has_recording = false;
  for (const std::string& path : paths) {
    if (is_recording_name(path)) {
      has_recording = true;
    } else {
      take_by_name(path, files, inputs);
    }
  }
  take_recordings(folder, has_recording, files);
  std::reverse(files.noc_traces.begin(), files.noc_traces.end());
  const auto is_same = [](const std::string& a, const std::string& b) {
    return plain_name(a) == plain_name(b);
  };
  files.noc_traces.erase(std::unique(files.noc_traces.begin(), files.noc_traces.end(), is_same),
                         files.noc_traces.end());
  const fs::path manifest = folder.parent_path() / "npe_viz" / "manifest.json";
  std::error_code no_manifest;
  if (fs::is_regular_file(manifest, no_manifest)) files.npe_results = manifest.string();
}

/// NoC traces under other names, in a folder that has nothing else: told by what they say.
void take_renamed_noc_traces(const fs::path& folder, CaptureFiles& files) {
  std::error_code ignored;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    std::error_code not_a_file;
    const std::string path = at->path().string();
    if (!plain_name(path).ends_with(".json") || !at->is_regular_file(not_a_file)) continue;
    const Result<io::Beginning> beginning = io::read_beginning(path);
    if (beginning && is_noc_trace(*beginning)) files.noc_traces.push_back(path);
  }
  std::sort(files.noc_traces.begin(), files.noc_traces.end());
}

/// The captures below a folder of ranks: `rank0/.logs`, `rank1/.logs`, ...
std::vector<CaptureFiles> captures_below(const fs::path& folder, FoundFiles& inputs) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    std::error_code no_folder;
    if (at->is_directory(no_folder)) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end(), [](const fs::path& a, const fs::path& b) {
    const std::string first = a.filename().string();
    const std::string second = b.filename().string();
    return first.size() != second.size() ? first.size() < second.size() : first < second;
  });
  std::vector<CaptureFiles> captures;
  for (const fs::path& below : folders) {
    CaptureFiles files;
    files.name = below.string();
    take_folder(below / ".logs", files, inputs);
    if (files.has_any()) captures.push_back(std::move(files));
  }
  return captures;
}

bool is_report_name(const std::string& path) {
  const Format* format = format_by_name(path);
  return format != nullptr && format->read_report != nullptr;
}

/// The finished report of a folder; the last by name, which has the latest date, of several. Empty: none.
std::string report_in(const fs::path& folder) {
  std::string last;
  std::error_code ignored;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored), end;
       !ignored && at != end; at.increment(ignored)) {
    std::error_code not_a_file;
    if (is_report_name(at->path().string()) && at->is_regular_file(not_a_file))
      last = std::max(last, at->path().string());
  }
  return last;
}

/// The finished report below a folder that was written last; `count` is how many there are.
std::string newest_report_below(const fs::path& folder, std::size_t& count) {
  constexpr std::size_t kMaxEntries = 200000;
  constexpr int kMaxLevels = 8;
  std::string newest;
  fs::file_time_type newest_time = fs::file_time_type::min();
  std::size_t entries = 0;
  std::error_code ignored;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, ignored);
  for (const fs::recursive_directory_iterator end; !ignored && at != end && entries < kMaxEntries;
       at.increment(ignored), ++entries) {
    if (at.depth() >= kMaxLevels) at.disable_recursion_pending();
    std::error_code no_file;
    if (!is_report_name(at->path().string()) || !at->is_regular_file(no_file)) continue;
    ++count;
    const fs::file_time_type time = at->last_write_time(no_file);
    const std::string path = at->path().string();
    // Copied files have one time: then the name decides, which has the date.
    if (newest.empty() || time > newest_time || (time == newest_time && path > newest)) {
      newest = path;
      newest_time = time;
    }
  }
  return newest;
}

Result<void> take_argument_folder(const std::string& path, FoundFiles& inputs) {
  CaptureFiles files;
  files.name = path;
  take_folder(fs::path(path) / ".logs", files, inputs);
  if (!files.has_any()) take_folder(path, files, inputs);
  if (files.has_any()) {
    inputs.captures.push_back(std::move(files));
    return {};
  }
  if (std::string report = report_in(path); !report.empty()) {
    inputs.reports.push_back(std::move(report));
    return {};
  }
  take_renamed_noc_traces(path, files);
  if (files.has_any() || files.reads_host_capture()) {
    inputs.captures.push_back(std::move(files));
    return {};
  }
  std::vector<CaptureFiles> below = captures_below(path, inputs);
  std::size_t reports = 0;
  if (std::string report; below.empty() && !(report = newest_report_below(path, reports)).empty()) {
    inputs.remarks.push_back(
        reports == 1 ? fmt::format("reading {}", report)
                     : fmt::format("reading {}, the newest of {} reports below {}", report, reports, path));
    inputs.reports.push_back(std::move(report));
    return {};
  }
  if (below.empty()) {
    return failure(bad_input(fmt::format(
        "{}: no profiler files here; expected profile_log_device.csv, cpp_device_perf_report.csv, "
        "tracy_ops_times.csv or tracy_ops_data.csv in it or in its .logs, or ops_perf_results*.csv below it",
        path)));
  }
  for (CaptureFiles& capture : below) inputs.captures.push_back(std::move(capture));
  return {};
}

}  // namespace

std::vector<std::string> FoundFiles::all() const {
  std::vector<std::string> paths = reports;
  paths.insert(paths.end(), raw_runs.begin(), raw_runs.end());
  for (const CaptureFiles& files : captures) {
    const std::vector<std::string> own = files.all();
    paths.insert(paths.end(), own.begin(), own.end());
  }
  return paths;
}

Result<FoundFiles> find_files(const std::vector<std::string>& paths) {
  FoundFiles inputs;
  CaptureFiles single;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::file_status status =
        path == "-" ? fs::file_status(fs::file_type::fifo) : fs::status(path, error);
    if (status.type() == fs::file_type::directory && is_recording_folder(path)) {
      single.host_capture = path;
    } else if (status.type() == fs::file_type::directory) {
      RETURN_IF_ERROR(take_argument_folder(path, inputs));
    } else if (status.type() == fs::file_type::not_found || error) {
      return failure(bad_input(fmt::format("{}: no such file or folder", path)));
    } else if (!take_by_name(path, single, inputs)) {
      RETURN_IF_ERROR(take_by_content(path, single, inputs));
    }
  }
  if (single.has_device() && single.simulated.empty())
    single.simulated =
        find_simulated_marker_of_run(single.device_log.empty() ? single.cpp_report : single.device_log);
  if (single.has_any() || single.reads_host_capture()) {
    single.name = paths.front();
    inputs.captures.push_back(std::move(single));
  }
  return inputs;
}

namespace {

template <std::string CaptureFiles::*kPart>
void put_part(const std::string& path, CaptureFiles& capture, FoundFiles& /*found*/) {
  capture.*kPart = path;
}

void put_noc_trace(const std::string& path, CaptureFiles& capture, FoundFiles& /*found*/) {
  capture.noc_traces.push_back(path);
}

template <std::vector<std::string> FoundFiles::*kList>
void add_report(const std::string& path, CaptureFiles& /*capture*/, FoundFiles& found) {
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
      {{"raw_run", "saved buffers of the device profiler", {}, is_raw_run}, {}, add_report<&FoundFiles::raw_runs>},
      {{"device_log", "a log of the device profiler", {}, is_device_log},
       profiler_names::kDeviceLog, put_part<&CaptureFiles::device_log>},
      {{"cpp_report", "the runtime's own report of the device profiler", {}, is_cpp_report},
       profiler_names::kProgramReport, put_part<&CaptureFiles::cpp_report>},
      {{"ops_report", "an ops report of the profiler", {}, is_ops_report},
       "ops_perf_results*.csv", add_report<&FoundFiles::reports>, read_ops_report},
      {{"host_times", "a file with host zones of a profiler run", {}, is_host_times},
       profiler_names::kOpTimes, put_part<&CaptureFiles::host_times>},
      {{"host_messages", "a file with host messages of a profiler run", {}, is_host_messages},
       profiler_names::kOpMessages, put_part<&CaptureFiles::host_messages>},
      {{"perf_report_table", "a table made by tt-perf-report", {}, is_table_csv},
       {}, add_report<&FoundFiles::reports>, read_table_csv},
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
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return format.detector.is_beginning(beginning);
  });
  return found == formats().end() ? nullptr : &*found;
}

}  // namespace ttscope::perf
