#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "output/perf_table/perf_cells.h"
#include "output/perf_table/perf_sections.h"
#include "output/text/text_layout.h"
#include "output/wording/number_text.h"
#include "output/zone_stats/zone_report.h"

namespace ttscope::output {

using analysis::ZoneFigures;

namespace {

constexpr std::size_t kZonesShown = 25;
constexpr std::size_t kNameWidth = 44;
constexpr std::string_view kZoneRemark =
    "self time is without the zones inside; times are measured and added up over cores";

/// The zones of all devices and processors with the most time of their own.
std::vector<const ZoneFigures*> longest_zones(const ZoneReport& report) {
  std::vector<const ZoneFigures*> zones;
  for (const ZoneFigures& zone : report.stats.zones) {
    if (zone.count > 0) zones.push_back(&zone);
  }
  std::stable_sort(zones.begin(), zones.end(), [](const ZoneFigures* a, const ZoneFigures* b) {
    return a->own_cycles() > b->own_cycles();
  });
  if (zones.size() > kZonesShown) zones.resize(kZonesShown);
  return zones;
}

/// Microseconds, or cycles where the clock is not known.
std::string time_text(double cycles, double clock_mhz) {
  if (clock_mhz <= 0) return grouped_number(cycles, 0, "cycles");
  const double us = cycles / clock_mhz;
  return grouped_number(us, us < 10 ? 2 : us < 1000 ? 1 : 0, "μs");
}

std::string place_text(const ZoneSource& source) {
  const std::string file = source.file.substr(source.file.rfind('/') + 1);
  if (file.empty()) return {};
  return source.line.empty() ? file : file + ":" + source.line;
}

/// In the order of kTitles.
std::vector<std::string> zone_cells(const ZoneReport& report, const ZoneFigures& zone) {
  const double clock = report.clock_of(zone.device);
  const bool sum = zone.is_sum();
  return {zone.source.name,
          std::string(key_of(zone.source.kind)),
          std::to_string(zone.device),
          zone.risc,
          count_text(zone.count),
          count_text(zone.cores),
          sum ? "" : time_text(static_cast<double>(zone.self_cycles), clock),
          sum ? "" : percent_text(report.stats.self_share(zone)),
          time_text(static_cast<double>(zone.total_cycles), clock),
          time_text(zone.mean_cycles(), clock),
          time_text(zone.p99_cycles, clock),
          place_text(zone.source)};
}

const std::vector<std::string>& zone_titles() {
  static const std::vector<std::string> titles = {"Zone", "Kind",  "Device", "RISC", "Count", "Cores",
                                                  "Self", "Share", "Total",  "Mean", "P99",   "Source"};
  return titles;
}

std::string unmatched_text(const analysis::ZoneStats& stats) {
  if (stats.unmatched == 0) return {};
  std::string text = fmt::format("{} without a partner, left out: ", counted(stats.unmatched, "marker"));
  for (std::size_t i = 0; i < stats.unmatched_places.size(); ++i) {
    text += (i == 0 ? "" : "; ") + stats.unmatched_places[i];
  }
  return text + (stats.unmatched > stats.unmatched_places.size() ? "; ..." : "");
}

std::string more_text(const analysis::ZoneStats& stats, std::size_t shown) {
  const auto paired = static_cast<std::size_t>(std::count_if(
      stats.zones.begin(), stats.zones.end(), [](const ZoneFigures& zone) { return zone.count > 0; }));
  return paired > shown ? counted(paired - shown, "more zone") + " with less time" : std::string();
}

}  // namespace

void write_zone_table(const ZoneReport& report, bool color, Writer& out) {
  out.write("\n" + inked("Zones", CellInk::kWhite, color) + "  " + inked(kZoneRemark, CellInk::kGrey, color) +
            "\n");
  const std::vector<const ZoneFigures*> zones = longest_zones(report);
  if (zones.empty()) {
    out.write("  no zone with both of its ends\n");
  } else {
    std::vector<std::vector<std::string>> lines = {zone_titles()};
    for (const ZoneFigures* zone : zones) {
      lines.push_back(zone_cells(report, *zone));
      for (std::string& cell : lines.back()) cell = terminal_safe(cell);
      lines.back().front() = fit(lines.back().front(), kNameWidth);
    }
    write_aligned(lines, out);
  }
  for (const std::string& text : {more_text(report.stats, zones.size()), unmatched_text(report.stats)}) {
    if (!text.empty()) out.write("  " + terminal_safe(text) + "\n");
  }
}

std::string zone_markdown(const std::vector<const ZoneReport*>& reports) {
  if (reports.empty()) return {};
  std::string text = fmt::format("\n## Zones with the most time (measured)\n\n{}{}.\n",
                                 static_cast<char>(kZoneRemark.front() - 'a' + 'A'), kZoneRemark.substr(1));
  for (const ZoneReport* one : reports) {
    const ZoneReport& report = *one;
    if (!report.host.empty()) text += fmt::format("\n### {}\n", markdown_cell(report.host));
    text += "\n|";
    for (const std::string& title : zone_titles()) text += " " + title + " |";
    text += "\n|---|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---|\n";
    const std::vector<const ZoneFigures*> zones = longest_zones(report);
    for (const ZoneFigures* zone : zones) {
      text += '|';
      for (const std::string& cell : zone_cells(report, *zone)) text += " " + markdown_cell(cell) + " |";
      text += '\n';
    }
    for (const std::string& line : {more_text(report.stats, zones.size()), unmatched_text(report.stats)}) {
      if (!line.empty()) text += "\n" + markdown_cell(line) + ".\n";
    }
  }
  return text;
}

}  // namespace ttscope::output
