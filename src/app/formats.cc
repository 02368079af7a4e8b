#include "app/formats.h"

#include <algorithm>
#include <array>

#include "app/other_formats.h"
#include "graph/formats.h"
#include "mem/formats.h"
#include "perf/formats.h"
#include "perf/read/table_csv/sniff.h"
#include "phases/formats.h"
#include "timeline/formats.h"

namespace ttscope::app {
namespace {

constexpr std::string_view kNotRead = "ttscope does not read it";
constexpr std::string_view kGiveSource = "give the file that it was made from";
constexpr std::string_view kOpenPerfetto =
    "open it in ui.perfetto.dev, and give ttscope what it was made from";
constexpr std::string_view kGiveCapture = "give the capture that it was made from (.tracy)";
constexpr std::string_view kGiveTtnn =
    "give the TTNN stage of the compiler (\"MLIR Module ttnn\", irs/ttnn_*.mlir), or the log of the run";
constexpr std::string_view kGiveFit = "`ttscope fit` tells whether it fits a device";
constexpr std::string_view kGiveLog = "give the log of the run that executed it";

// Files that no command reads, a format a line. What ttscope wrote itself looks like its sources.
// clang-format off
constexpr auto kBefore = std::to_array<io::Format>({
    {"empty", "an empty file", "nothing is in it", is_empty_file},
    {"own_document", "a JSON document that ttscope wrote", kGiveSource, is_own_document},
});
constexpr auto kBehind = std::to_array<io::Format>({
    {"perf_report_stack", "a stacked report of tt-perf-report", kGiveSource, perf::is_stacked_csv},
    {"own_page", "a report page of ttscope", "open it in a browser", is_own_page},
    {"page", "a page for browsers", kNotRead, is_other_page},
    {"spreadsheet", "a spreadsheet", "save the table as CSV first", is_spreadsheet},
    {"zip", "a zip archive", "unpack it first", is_zip},
    {"tar", "a tar archive", "unpack it first", is_tar},
    {"archive", "a packed file of a kind that ttscope does not read", "unpack it first", is_other_archive},
    {"database", "an SQLite database without graph captures", kNotRead, is_other_database},
    {"mlir", "an MLIR module of another stage", kGiveTtnn, is_mlir_module, nullptr, true},
    {"training_config", "a training configuration of tt-train", kGiveFit, is_training_config, nullptr, true},
    {"perfetto", "a Perfetto trace that `ttscope timeline -o` writes", kOpenPerfetto, is_own_perfetto_trace},
    {"chrome_trace", "trace events for chrome://tracing", kOpenPerfetto, is_chrome_trace},
    {"json_rows", "rows of a table", kGiveSource, is_json_rows},
    {"json", "a JSON file of a kind that ttscope does not know", kNotRead, is_other_json, nullptr, true},
    {"tracy_table", "a table that Tracy's csvexport wrote", kGiveCapture, is_tracy_table},
    {"elf", "a program or a library", kGiveLog, is_elf},
    {"picture", "a picture or a document", kNotRead, is_picture},
});
// clang-format on

const io::Format& told_of(const io::Format& format) { return format; }
template <typename Own>
const io::Format& told_of(const Own& format) {
  return format.told;
}

/// A training run may have op lines too, its summaries say more: phases stand before mem.
std::vector<Format> make_formats() {
  std::vector<Format> all;
  const auto add = [&](const auto& formats, std::optional<Subject> subject) {
    for (const auto& format : formats) all.push_back({told_of(format), subject});
  };
  add(kBefore, std::nullopt);
  add(perf::formats(), Subject::kPerf);
  add(phases::formats(), Subject::kPhases);
  add(graph::formats(), Subject::kGraph);
  add(mem::formats(), Subject::kMem);
  add(timeline::formats(), Subject::kTimeline);
  add(kBehind, std::nullopt);
  return all;
}

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
