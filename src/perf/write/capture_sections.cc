#include "perf/write/capture_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/text.h"
#include "base/writer.h"
#include "perf/analyze/perf_counters.h"
#include "perf/analyze/zones.h"
#include "perf/write/notes_text.h"
#include "perf/write/terminal_tables.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

/// Whole nanoseconds; sums of damaged logs may be beyond what fits into a number of them.
std::string ns_cell(std::uint64_t cycles, double clock_mhz) {
  if (clock_mhz <= 0) return {};
  constexpr double kMaxNs = 1e18;
  const double ns = static_cast<double>(cycles) * 1000 / clock_mhz;
  if (ns > kMaxNs || cycles > INT64_MAX) return fmt::format("{:.0f}", ns);
  return std::to_string(to_ns(static_cast<std::int64_t>(cycles), clock_mhz));
}

/// Zones inside are not known of sums.
std::string self_cells(const CaptureZones& report, const ZoneFigures& zone, double clock) {
  if (!zone.has_self()) return ",,,";
  return fmt::format(",{},{},{:.4f}", zone.self_cycles, ns_cell(zone.self_cycles, clock),
                     100 * report.stats.self_share(zone));
}

std::string length_cells(const ZoneFigures& zone, double clock) {
  if (!zone.has_lengths()) return ",,,,,,";
  const double mean = zone.mean_cycles();
  return fmt::format(",{:.1f},{},{:.0f},{:.0f},{},{}", mean,
                     clock > 0 ? fmt::format("{:.1f}", mean * 1000 / clock) : std::string(), zone.p50_cycles,
                     zone.p99_cycles, zone.min_cycles, zone.max_cycles);
}

std::string zone_row(const CaptureZones& report, const ZoneFigures& zone) {
  const double clock = report.clock_of(zone.device);
  std::string line = std::to_string(zone.device) + ",";
  append_safe_csv_cell(line, zone.risc);
  line += ',';
  append_safe_csv_cell(line, zone.source.name);
  line += fmt::format(",{},{},{},{},{},{}", key_of(zone.source.kind), zone.count, zone.cores, zone.executions,
                      zone.total_cycles, ns_cell(zone.total_cycles, clock));
  line += self_cells(report, zone, clock) + length_cells(zone, clock);
  line += fmt::format(",{},{},", zone.unmatched_starts, zone.unmatched_ends);
  append_safe_csv_cell(line, zone.source.file);
  line += ',';
  append_safe_csv_cell(line, zone.source.line);
  const bool has_values = zone.source.kind == ZoneKind::kData;
  line += has_values ? fmt::format(",{},{}", zone.min_value, zone.max_value) : ",,";
  return line + "\r\n";
}

}  // namespace

void write_zone_csv(const CaptureZones& report, Writer& out) {
  out.write(
      "DEVICE ID,RISC,ZONE,KIND,COUNT,CORES,EXECUTIONS,TOTAL [cycles],TOTAL [ns],SELF [cycles],SELF [ns],"
      "SELF [%],MEAN [cycles],MEAN [ns],P50 [cycles],P99 [cycles],MIN [cycles],MAX [cycles],UNMATCHED "
      "STARTS,UNMATCHED ENDS,SOURCE FILE,SOURCE LINE,MIN VALUE,MAX VALUE\r\n");
  for (const ZoneFigures& zone : report.stats.zones) out.write(zone_row(report, zone));
}

void write_zone_record(const CaptureZones& report, const ZoneFigures& zone, JsonWriter& json) {
  const auto when = [](bool known, auto value) {
    return known ? std::optional<decltype(value)>(value) : std::nullopt;
  };
  const double clock = report.clock_of(zone.device);
  const auto us = [&](double cycles) { return cycles / clock; };
  const bool seen = zone.has_lengths();
  json.begin_object();
  json.field("host", when(!report.host.empty(), std::string_view(report.host)));
  json.field("device", zone.device);
  json.field("risc", zone.risc);
  json.field("zone", zone.source.name);
  json.field("kind", key_of(zone.source.kind));
  json.field("count", zone.count);
  json.field("cores", zone.cores);
  json.field("executions", zone.executions);
  json.field("total_cycles", zone.total_cycles);
  json.field("total_us", when(clock > 0, us(static_cast<double>(zone.total_cycles))));
  json.field("self_cycles", when(zone.has_self(), zone.self_cycles));
  json.field("self_us", when(zone.has_self() && clock > 0, us(static_cast<double>(zone.self_cycles))));
  json.field("self_percent", when(zone.has_self(), 100 * report.stats.self_share(zone)));
  json.field("mean_cycles", when(seen, zone.mean_cycles()));
  json.field("p50_cycles", when(seen, zone.p50_cycles));
  json.field("p99_cycles", when(seen, zone.p99_cycles));
  json.field("min_cycles", when(seen, zone.min_cycles));
  json.field("max_cycles", when(seen, zone.max_cycles));
  json.field("min_value", when(zone.source.kind == ZoneKind::kData, zone.min_value));
  json.field("max_value", when(zone.source.kind == ZoneKind::kData, zone.max_value));
  json.field("unmatched_starts", zone.unmatched_starts);
  json.field("unmatched_ends", zone.unmatched_ends);
  json.field("source_file", when(!zone.source.file.empty(), std::string_view(zone.source.file)));
  json.field("source_line", when(!zone.source.line.empty(), std::string_view(zone.source.line)));
  if (!zone.ops.empty()) {
    json.key("ops");
    json.begin_array();
    for (const ZoneOfOp& op : zone.ops) {
      json.begin_object();
      json.field("call_count", op.call_count);
      json.field("count", op.count);
      json.field("cycles", op.cycles);
      json.field("us", when(clock > 0, us(static_cast<double>(op.cycles))));
      json.end_object();
    }
    json.end_array();
  }
  json.end_object();
}

namespace {

constexpr std::size_t kZonesShown = 25;
constexpr std::size_t kDefaultWidth = 120;

std::string zone_remark(bool is_modeled) {
  return fmt::format(
      "those of kernels' authors first; self time is without the zones inside; times are {} and added up "
      "over "
      "cores and devices; of data markers the values",
      is_modeled ? "modelled (simulated chips)" : "measured");
}

/// The first of them as lines of a table.
class ShownZones {
 public:
  explicit ShownZones(const CaptureZones& report) : zones_(merged_zones(report)) {}

  const std::vector<MergedZone>& all() const { return zones_.list; }
  std::size_t shown() const { return std::min(zones_.list.size(), kZonesShown); }
  std::vector<std::string> cells(const MergedZone& zone) const;

 private:
  std::string time_text(double time) const {
    if (!zones_.in_us) return grouped_number(time, 0, "cycles");
    return grouped_number(time, time < 10 ? 2 : time < 1000 ? 1 : 0, "μs");
  }

  MergedZones zones_;
};

std::string place_text(const ZoneSource& source) {
  const std::string file = source.file.substr(source.file.rfind('/') + 1);
  if (file.empty()) return {};
  return source.line.empty() ? file : file + ":" + source.line;
}

/// In the order of zone_titles().
std::vector<std::string> ShownZones::cells(const MergedZone& zone) const {
  const auto length = [&](double time) { return zone.is_mark() ? std::string() : time_text(time); };
  std::string total = length(zone.total);
  if (zone.source->kind == ZoneKind::kData) {
    total = zone.min_value == zone.max_value ? fmt::format("= {}", zone.max_value)
                                             : fmt::format("{} .. {}", zone.min_value, zone.max_value);
  }
  return {
      zone.source->name,
      std::string(key_of(zone.source->kind)),
      zone.devices.size() == 1 ? std::to_string(zone.devices[0]) : ui::counted(zone.devices.size(), "device"),
      zone.risc,
      ui::count_text(zone.count),
      ui::count_text(zone.cores),
      zone.has_self() ? time_text(zone.self) : std::string(),
      zone.has_self() ? ui::percent_text(zone.self_share()) : std::string(),
      std::move(total),
      length(zone.mean()),
      length(zone.p99),
      place_text(*zone.source)};
}

const std::vector<std::string>& zone_titles() {
  static const std::vector<std::string> kTitles = {"Zone", "Kind",  "Device", "RISC", "Count", "Cores",
                                                   "Self", "Share", "Total",  "Mean", "P99",   "Source"};
  return kTitles;
}

std::string unmatched_text(const ZoneStats& stats) {
  if (stats.unmatched == 0) return {};
  std::string text = fmt::format("{} without a partner, left out: ", ui::counted(stats.unmatched, "marker"));
  for (std::size_t i = 0; i < stats.unmatched_places.size(); ++i) {
    text += (i == 0 ? "" : "; ") + stats.unmatched_places[i];
  }
  return text + (stats.unmatched > stats.unmatched_places.size() ? "; ..." : "");
}

std::string more_text(const ShownZones& zones) {
  const std::size_t more = zones.all().size() - zones.shown();
  return more > 0 ? ui::counted(more, "more zone") + " with less time" : std::string();
}

}  // namespace

void write_zone_table(const CaptureZones& report, const PerfTableOptions& options, Writer& out) {
  const std::string heading = inked("Zones", CellInk::kWhite, options.color) + "  " +
                              inked(zone_remark(report.is_modeled), CellInk::kGray, options.color) + "\n";
  out.write("\n" + folded_text(heading, options.width));
  const ShownZones zones(report);
  if (zones.all().empty()) {
    out.write("  no zone with both of its ends\n");
  } else {
    // What an author of kernels looks for stays longest.
    constexpr std::array<int, 12> kRanks = {0, 4, 6, 0, 0, 5, 0, 1, 0, 2, 3, 7};
    std::vector<FittedColumn> columns;
    for (std::size_t i = 1; i < zone_titles().size(); ++i)
      columns.push_back({zone_titles()[i], kRanks[i], i == 1 || i == 3 || i + 1 == zone_titles().size()});
    columns.push_back({zone_titles().front(), 0, true});
    FittedTable table(std::move(columns), options.width > 0 ? options.width : kDefaultWidth, options.color);
    for (std::size_t i = 0; i < zones.shown(); ++i) {
      FittedLine line{.cells = zones.cells(zones.all()[i])};
      for (std::string& cell : line.cells) cell = terminal_safe(cell);
      std::rotate(line.cells.begin(), line.cells.begin() + 1, line.cells.end());
      table.add(std::move(line));
    }
    table.write(out);
  }
  for (const std::string& text : {more_text(zones), unmatched_text(report.stats)}) {
    if (!text.empty()) out.write(folded_text("  " + terminal_safe(text) + "\n", options.width));
  }
}

std::string zone_markdown(const std::vector<const CaptureZones*>& reports) {
  if (reports.empty()) return {};
  std::string remark = zone_remark(reports.front()->is_modeled);
  remark.front() = static_cast<char>(remark.front() - 'a' + 'A');
  std::string text = fmt::format("\n## Zones with the most time\n\n{}.\n", remark);
  for (const CaptureZones* one : reports) {
    const CaptureZones& report = *one;
    if (!report.host.empty()) text += fmt::format("\n### {}\n", markdown_code(report.host));
    text += "\n|";
    for (const std::string& title : zone_titles()) text += " " + title + " |";
    text += "\n|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---|\n";
    const ShownZones zones(report);
    for (std::size_t i = 0; i < zones.shown(); ++i) {
      text += '|';
      for (const std::string& cell : zones.cells(zones.all()[i])) text += " " + markdown_cell(cell) + " |";
      text += '\n';
    }
    for (const std::string& line : {more_text(zones), unmatched_text(report.stats)}) {
      if (!line.empty()) text += "\n" + markdown_cell(line) + ".\n";
    }
  }
  return text;
}

namespace {

/// A table of counters or of what follows from them, the names last.
class CounterTable {
 public:
  CounterTable(std::string_view title, const PerfTableOptions& form)
      : table_({{"Ops"}, {"Min"}, {"Median"}, {"Max"}, {"Avg"}, {title, 0, true}},
               form.width > 0 ? form.width : kDefaultWidth, form.color) {}

  void add(std::string_view name, std::uint64_t ops, const CounterStats& stats) {
    FittedLine line;
    line.cells = {std::to_string(ops)};
    for (const double figure : {stats.min, stats.median, stats.max, stats.average})
      line.cells.push_back(grouped_number(figure, 1));
    line.cells.push_back(terminal_safe(name));
    table_.add(std::move(line));
  }
  void write(Writer& out) const { table_.write(out); }

 private:
  static constexpr std::size_t kDefaultWidth = 120;
  FittedTable table_;
};

/// Hardware counters for the terminal: the raw values, then the metrics, each over all executions.
std::string counter_table_text(const std::vector<CounterSummary>& counters, const CounterFigures& figures,
                               const PerfTableOptions& form) {
  StringWriter out;
  CounterTable recorded("Counter", form);
  for (const CounterSummary& counter : counters)
    recorded.add(counter.name, counter.executions, counter.stats);
  recorded.write(out);
  out.write("\n");
  CounterTable metrics("Metric", form);
  for (const CounterSummary& metric : summarize_metrics(figures))
    metrics.add(metric.name, metric.executions, metric.stats);
  metrics.write(out);
  static_cast<void>(out.finish());
  return out.text();
}

std::string counters_text_of(const Capture& capture, const PerfTableOptions& form) {
  if (!capture.log || capture.log->counters.empty()) return "No hardware counters in the device log\n";
  return counter_table_text(summarize_counters(*capture.log), capture.counter_figures, form);
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
  return fmt::format("  {} {}, {}, {}\n", ui::counted(devices.size(), "device"),
                     terminal_safe(arch.empty() ? "of unknown architecture" : arch), clock,
                     ui::counted(capture.report.executions.size(), "execution"));
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
    text += fmt::format("  {} of the device alone", ui::counted(rows - signposts, "row"));
  } else {
    text += fmt::format("  {}: {}, {} with device data", ui::counted(rows, "row"),
                        ui::counted(capture.report.host_ops, "op"),
                        ui::count_text(capture.report.ops_with_device_data));
  }
  if (signposts > 0) text += ", " + ui::counted(signposts, "signpost");
  text += "\n" + device_line(capture);
  if (capture.log) text += fmt::format("  {} of the device log\n", ui::counted(capture.log->rows, "row"));
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
