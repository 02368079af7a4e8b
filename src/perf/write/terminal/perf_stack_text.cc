// Declared in perf_table.h. The form of the CSV is that of tt-perf-report, which other programs read.
#include <fmt/format.h>

#include <algorithm>

#include "base/csv_scanner.h"
#include "base/text_escape.h"
#include "perf/write/terminal/perf_cells.h"
#include "perf/write/terminal/perf_table.h"
#include "report/text_layout.h"

namespace ttscope::perf {

namespace {

struct StackColumn {
  std::string_view header;
  std::string_view csv_header;
  bool is_shown;
  std::string (*cell)(const StackEntry&, bool csv);
};

std::string percent_cell(double number, bool csv) {
  if (!has_number(number)) return {};
  return csv ? fmt::format("{:.2f}", number) : grouped_number(number, 2, "%");
}

/// The columns of a stacked report in their order.
std::vector<StackColumn> stack_columns(const StackOptions& options) {
  const bool details = options.by != StackBy::kCategory;
  std::vector<StackColumn> columns = {
      {"Total %", "Total % [%]", true,
       [](const StackEntry& e, bool csv) { return percent_cell(e.percent, csv); }},
      {"Op Code", "Op Code", true, [](const StackEntry& e, bool) { return e.name; }},
      {"Device", "Device", options.per_device,
       [](const StackEntry& e, bool) { return std::to_string(e.device); }},
      {"Device Time Sum", "Device Time Sum [μs]", true,
       [](const StackEntry& e, bool csv) {
         return csv ? fmt::format("{:.2f}", e.device_us) : grouped_number(e.device_us, 2, "μs");
       }},
      {"Op Count", "Op Count", true, [](const StackEntry& e, bool) { return std::to_string(e.ops); }},
      {"Op Category", "Op Category", details && options.by != StackBy::kSignpost,
       [](const StackEntry& e, bool) { return std::string(name_of(e.category)); }},
      {"Min FLOPs", "Min FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_min, csv); }},
      {"Max FLOPs", "Max FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_max, csv); }},
      {"Mean FLOPs", "Mean FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_mean, csv); }},
      {"Std FLOPs", "Std FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_std, csv); }},
      {"Weighted Mean FLOPs", "Weighted Mean FLOPs [%]", details,
       [](const StackEntry& e, bool csv) { return percent_cell(e.flops_weighted_mean, csv); }},
  };
  columns.erase(
      std::remove_if(columns.begin(), columns.end(), [](const StackColumn& c) { return !c.is_shown; }),
      columns.end());
  return columns;
}

/// By device, then by share. tt-perf-report sorts the percentages as texts, so that 5.91 comes before 42.53.
std::vector<StackEntry> in_shown_order(std::vector<StackEntry> entries, const StackOptions& options) {
  if (!options.per_device) return entries;
  std::stable_sort(entries.begin(), entries.end(), [&](const StackEntry& a, const StackEntry& b) {
    if (a.device != b.device) return a.device < b.device;
    if (!options.rules->sorts_by_exact_percent)
      return percent_cell(a.percent, false) > percent_cell(b.percent, false);
    return a.percent > b.percent;
  });
  return entries;
}

}  // namespace

void write_stack_text(const std::vector<StackEntry>& unordered, const StackOptions& options, bool color,
                      Writer& out) {
  const std::vector<StackEntry> entries = in_shown_order(unordered, options);
  const std::vector<StackColumn> columns = stack_columns(options);
  const auto shown = [&](const std::string& cell) {
    return options.rules->shortens_names ? shown_name(cell) : terminal_safe(cell);
  };
  std::vector<std::size_t> widths;
  std::size_t total = (columns.size() - 1) * 2;
  for (const StackColumn& column : columns) {
    std::size_t width = column.header.size();
    for (const StackEntry& entry : entries) {
      width = std::max(width, report::display_width(shown(column.cell(entry, false))));
    }
    widths.push_back(width);
    total += width;
  }
  const auto line = [&](auto&& cell_of) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string cell = cell_of(columns[i]);
      const bool is_name = columns[i].header == "Op Code";
      if (i > 0) text += "  ";
      text += is_name ? inked(report::pad_right(cell, widths[i]), op_ink(cell), color)
                      : report::pad_left(cell, widths[i]);
    }
    out.write(text + "\n");
  };
  out.write("\n📊 Stacked report 📊\n====================\n\n");
  line([](const StackColumn& column) { return std::string(column.header); });
  out.write(std::string(total, '-') + "\n");
  for (const StackEntry& entry : entries) {
    line([&](const StackColumn& column) { return shown(column.cell(entry, false)); });
  }
  out.write(std::string(total, '-') + "\n");
}

void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out) {
  const std::vector<StackColumn> columns = stack_columns(options);
  std::string line;
  for (const StackColumn& column : columns) line.append(line.empty() ? "" : ",").append(column.csv_header);
  out.write(line + "\n");
  for (const StackEntry& entry : entries) {
    line.clear();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (i > 0) line += ',';
      const std::string cell = columns[i].cell(entry, true);
      if (options.rules->defuses_formulas) {
        append_safe_csv_cell(line, cell);
      } else {
        append_csv_cell(line, cell);
      }
    }
    out.write(line + "\n");
  }
}

}  // namespace ttscope::perf
