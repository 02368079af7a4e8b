// Declared in zone_report.h, with the other forms of the zones.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text_escape.h"
#include "perf/analyse/zones/merged_zones.h"
#include "perf/write/terminal/fitted_table.h"
#include "perf/write/terminal/folded_text.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/zones/zone_report.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::perf {

namespace {

constexpr std::size_t kZonesShown = 25;
constexpr std::size_t kUsualWidth = 120;
std::string zone_remark(bool is_modelled) {
  return fmt::format(
      "those of kernels' authors first; self time is without the zones inside; times are {} and added up "
      "over "
      "cores and devices; of data markers the values",
      is_modelled ? "modelled (simulated chips)" : "measured");
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
    total = zone.least_value == zone.most_value ? fmt::format("= {}", zone.most_value)
                                                : fmt::format("{} .. {}", zone.least_value, zone.most_value);
  }
  return {zone.source->name,
          std::string(key_of(zone.source->kind)),
          zone.devices.size() == 1 ? std::to_string(zone.devices[0])
                                   : report::counted(zone.devices.size(), "device"),
          zone.risc,
          report::count_text(zone.count),
          report::count_text(zone.cores),
          zone.has_self() ? time_text(zone.self) : std::string(),
          zone.has_self() ? report::percent_text(zone.self_share()) : std::string(),
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
  std::string text =
      fmt::format("{} without a partner, left out: ", report::counted(stats.unmatched, "marker"));
  for (std::size_t i = 0; i < stats.unmatched_places.size(); ++i) {
    text += (i == 0 ? "" : "; ") + stats.unmatched_places[i];
  }
  return text + (stats.unmatched > stats.unmatched_places.size() ? "; ..." : "");
}

std::string more_text(const ShownZones& zones) {
  const std::size_t more = zones.all().size() - zones.shown();
  return more > 0 ? report::counted(more, "more zone") + " with less time" : std::string();
}

}  // namespace

void write_zone_table(const CaptureZones& report, const PerfTableOptions& options, Writer& out) {
  const std::string heading = inked("Zones", CellInk::kWhite, options.color) + "  " +
                              inked(zone_remark(report.is_modelled), CellInk::kGrey, options.color) + "\n";
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
    FittedTable table(std::move(columns), options.width > 0 ? options.width : kUsualWidth, options.color);
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
  std::string remark = zone_remark(reports.front()->is_modelled);
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

}  // namespace ttscope::perf
