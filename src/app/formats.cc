#include "app/formats.h"

#include <algorithm>

#include "app/other_formats.h"
#include "graph/read/graph_trace/sniff.h"
#include "mem/read/runtime_log/sniff.h"
#include "mem/read/ttmem_files/sniff.h"
#include "mem/read/ttnn_module/sniff.h"
#include "perf/read/device_log/sniff.h"
#include "perf/read/host_logs/sniff.h"
#include "perf/read/noc_trace/sniff.h"
#include "perf/read/ops_report/sniff.h"
#include "perf/read/raw_run/sniff.h"
#include "perf/read/table_csv/sniff.h"
#include "phases/read/phase_log/sniff.h"

namespace ttscope::app {
namespace {

constexpr auto kMem = Subject::kMem;
constexpr auto kPhases = Subject::kPhases;
constexpr auto kGraph = Subject::kGraph;
constexpr auto kPerf = Subject::kPerf;

constexpr std::string_view kGiveReport = "`ttscope mem` reads the folder of the report that it is part of";
constexpr std::string_view kNotRead = "ttscope does not read it";
constexpr std::string_view kGiveSource = "give the file that it was made from";
constexpr std::string_view kGiveFolder = "give the folder of the run, with its .logs, to `ttscope perf`";
constexpr std::string_view kGiveTtnn =
    "give the TTNN stage of the compiler (\"MLIR Module ttnn\", irs/ttnn_*.mlir), or the log of the run";
constexpr std::string_view kGiveFit = "`ttscope fit` tells whether it fits a device";
constexpr std::string_view kGiveLog = "give the log of the run that executed it";

// A format a line.
// clang-format off
std::vector<Format> make_formats() {
  return {
      {"empty", "an empty file", {}, "nothing is in it", is_empty_file},
      // Folders.
      {"profiler_folder", "a folder of the device profiler", kPerf, {}, perf::is_profiler_folder},
      {"ttmem_folder", "a folder with the files of a memory report", kMem, {}, mem::is_report_folder},
      // Files of one subject.
      {"own_document", "a JSON document that ttscope wrote", {}, kGiveSource, is_own_document},
      {"report_database", "a database of ttnn-visualizer", kGraph, {}, graph::is_report_database},
      {"noc_trace", "a NoC trace", kPerf, {}, perf::is_noc_trace},
      {"raw_run", "saved buffers of the device profiler", kPerf, {}, perf::is_raw_run},
      {"ttmem_memory", "the memory file of a memory report", kMem, kGiveReport, mem::is_memory_file},
      {"ttmem_side", "a file of a memory report", kMem, kGiveReport, mem::is_side_file_of_report},
      {"graph_capture", "a graph capture of ttnn", kGraph, {}, graph::is_graph_capture},
      {"device_log", "a log of the device profiler", kPerf, {}, perf::is_device_log},
      {"cpp_report", "the runtime's own report of the device profiler", kPerf, {}, perf::is_cpp_report},
      {"ops_report", "an ops report of the profiler", kPerf, {}, perf::is_ops_report},
      {"host_times", "a file with host zones of a profiler run", kPerf, {}, perf::is_host_times},
      {"host_messages", "a file with host messages of a profiler run", kPerf, {}, perf::is_host_messages},
      {"perf_report_table", "a table made by tt-perf-report", kPerf, {}, perf::is_table_csv},
      // Files that no command reads.
      {"perf_report_stack", "a stacked report of tt-perf-report", {}, kGiveSource, perf::is_stacked_csv},
      {"own_page", "a report page of ttscope", {}, "open it in a browser", is_own_page},
      {"page", "a page for browsers", {}, kNotRead, is_other_page},
      {"tracy", "a capture of the Tracy profiler", {}, kGiveFolder, is_tracy_capture},
      {"spreadsheet", "a spreadsheet", {}, "save the table as CSV first", is_spreadsheet},
      {"zip", "a zip archive", {}, "unpack it first", is_zip},
      {"database", "an SQLite database without graph captures", {}, kNotRead, is_other_database},
      {"ttnn_module", "a compiled module of TTNN ops", kMem, {}, mem::is_ttnn_module},
      {"mlir", "an MLIR module of another stage", {}, kGiveTtnn, is_mlir_module},
      {"training_config", "a training configuration of tt-train", {}, kGiveFit, is_training_config},
      {"json", "a JSON file of a kind that ttscope does not know", {}, kNotRead, is_other_json},
      {"elf", "a program or a library", {}, kGiveLog, is_elf},
      {"picture", "a picture or a document", {}, kNotRead, is_picture},
      // Logs: a training run may have op lines too, its summaries say more.
      {"phase_log", "a training log with memory summaries", kPhases, {}, nullptr, phases::has_summary_lines},
      {"runtime_log", "a runtime log of TT-XLA", kMem, {}, nullptr, mem::has_runtime_lines},
      {"bare_log", "a log of TT-XLA without op lines", kMem, {}, nullptr, mem::has_compiler_lines},
      {"module_log", "a log with compiled modules", kMem, {}, nullptr, mem::has_ttnn_module},
      {"failure_text", "a text that quotes an out-of-memory failure", kMem, {}, nullptr, mem::has_failure},
  };
}
// clang-format on

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = make_formats();
  return kFormats;
}

const Format* find_format(std::string_view key) {
  const auto found = std::find_if(formats().begin(), formats().end(),
                                  [&](const Format& format) { return format.key == key; });
  return found == formats().end() ? nullptr : &*found;
}

const Format* format_of(const io::Beginning& beginning) {
  for (const Format& format : formats()) {
    if (format.is_beginning != nullptr && format.is_beginning(beginning)) return &format;
  }
  return nullptr;
}

const Format* better_log_format(std::string_view text, const Format* than) {
  for (const Format& format : formats()) {
    if (&format == than) return nullptr;
    if (format.is_part != nullptr && format.is_part(text)) return &format;
  }
  return nullptr;
}

}  // namespace ttscope::app
