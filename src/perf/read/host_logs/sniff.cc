#include "perf/read/host_logs/sniff.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/csv_scanner.h"
#include "base/packed_name.h"

namespace ttscope::perf {
namespace {

namespace fs = std::filesystem;

bool has_columns(const io::Beginning& beginning, std::string_view first, std::string_view second) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  return header.find(first) != CsvHeader::kNone && header.find(second) != CsvHeader::kNone;
}

bool is_profiler_file(std::string_view file_name) {
  const std::string_view name = unpacked_name(file_name);
  constexpr std::array<std::string_view, 4> kNames = {"profile_log_device.csv", "cpp_device_perf_report.csv",
                                                      "tracy_ops_times.csv", "tracy_ops_data.csv"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         (name.starts_with("ops_perf_results") && name.ends_with(".csv")) ||
         (name.starts_with("noc_trace_") && name.ends_with(".json"));
}

bool has_profiler_file(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    if (is_profiler_file(at->path().filename().string())) return true;
  }
  return false;
}

}  // namespace

bool is_cpp_report(const io::Beginning& beginning) {
  return has_columns(beginning, "GLOBAL CALL COUNT", "OP NAME") &&
         !has_columns(beginning, "OP NAME", "OP CODE");
}

bool is_host_times(const io::Beginning& beginning) {
  return has_columns(beginning, "special_parent_text", "ns_since_start");
}

bool is_host_messages(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("MessageName;total_ns");
}

bool is_profiler_folder(const io::Beginning& beginning) {
  if (beginning.path_kind != io::PathKind::kFolder) return false;
  const fs::path folder(beginning.path);
  return std::any_of(beginning.names.begin(), beginning.names.end(), [&](const std::string& name) {
    return is_profiler_file(name) || (name == ".logs" && has_profiler_file(folder / name)) ||
           has_profiler_file(folder / name / ".logs");
  });
}

}  // namespace ttscope::perf
