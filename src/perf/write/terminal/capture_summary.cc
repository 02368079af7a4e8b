#include "perf/write/terminal/capture_summary.h"

#include <fmt/format.h>

#include <set>

#include "base/text_escape.h"
#include "perf/write/device_stats/counter_tables.h"
#include "perf/write/words/note_text.h"
#include "perf/write/words/perf_trust.h"
#include "perf/write/zones/zone_report.h"
#include "report/number_text.h"

namespace ttscope::perf {
namespace {

std::string counters_text_of(const Capture& capture, const PerfTableOptions& form) {
  if (!capture.log || capture.log->counters.empty()) return "No hardware counters in the device log\n";
  return counter_table_text(summarise_counters(*capture.log), capture.counter_figures, form);
}

std::string zones_text(const Capture& capture, const SummaryOptions& options) {
  if (!capture.zones) return options.wants_zones ? "No device log, so no zones\n" : "";
  StringWriter out;
  write_zone_table(*capture.zones, options.form, out);
  static_cast<void>(out.finish());
  return out.text() + "\n";
}

std::string device_line(const Capture& capture) {
  std::set<std::uint32_t> devices;
  std::string arch;
  for (const Execution& execution : capture.report.executions) {
    devices.insert(execution.key.device);
    if (arch.empty()) arch = execution.arch;
  }
  if (devices.empty()) return "  no device data\n";
  std::string clock = "clock unknown";
  const auto found = capture.clocks.find(*devices.begin());
  if (found != capture.clocks.end() && found->second > 0) clock = fmt::format("{:g} MHz", found->second);
  return fmt::format("  {} {}, {}, {}\n", report::counted(devices.size(), "device"),
                     terminal_safe(arch.empty() ? "of unknown architecture" : arch), clock,
                     report::counted(capture.report.executions.size(), "execution"));
}

std::string capture_text(const Capture& capture) {
  std::string text = fmt::format("{}\n", terminal_safe(capture.files.name));
  std::uint64_t signposts = 0;
  for (const ReportRow& row : capture.report.rows) {
    signposts += row.kind == ReportRowKind::kSignpost ? 1 : 0;
  }
  const std::uint64_t rows = capture.report.rows.size();
  const bool is_of_device = capture.report.host_ops == 0 && !capture.report.executions.empty();
  if (capture.device_only || is_of_device) {
    text += fmt::format("  {} of the device alone", report::counted(rows - signposts, "row"));
  } else {
    text += fmt::format("  {}: {}, {} with device data", report::counted(rows, "row"),
                        report::counted(capture.report.host_ops, "op"),
                        report::count_text(capture.report.ops_with_device_data));
  }
  if (signposts > 0) text += ", " + report::counted(signposts, "signpost");
  text += "\n" + device_line(capture);
  if (capture.log) text += fmt::format("  {} of the device log\n", report::counted(capture.log->rows, "row"));
  if (capture.lacks_op_ids()) text += fmt::format("  {}\n", no_op_ids_text());
  if (capture.report.unmatched_device_ns > 0) {
    text += fmt::format("  {:.0f} ns of kernel time are in executions that the host does not know\n",
                        capture.report.unmatched_device_ns);
  }
  return text;
}

}  // namespace

std::string counters_text(const std::vector<Capture>& captures, const PerfTableOptions& form) {
  std::string text;
  for (const Capture& capture : captures) {
    if (captures.size() > 1) text += fmt::format("{}\n", terminal_safe(capture.files.name));
    text += counters_text_of(capture, form);
  }
  return text;
}

std::string capture_summary(const std::vector<Capture>& captures, const SummaryOptions& options,
                            const std::vector<std::string>& written) {
  std::string text;
  for (const Capture& capture : captures) {
    text += capture_text(capture) + perf_trust_text(capture.problems);
    text += zones_text(capture, options);
  }
  if (options.counter_tables) text += counters_text(captures, options.form);
  if (!written.empty()) text += "Written\n";
  for (const std::string& path : written) text += fmt::format("  {}\n", terminal_safe(path));
  return text;
}

}  // namespace ttscope::perf
