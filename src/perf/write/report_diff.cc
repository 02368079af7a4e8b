#include "perf/write/report_diff.h"

#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/text.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::perf {
namespace {

std::string columns_text(std::string_view which, const std::vector<std::string>& columns) {
  if (columns.empty()) return {};
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("Only in {}: {}:", which, ui::counted(columns.size(), "column"));
  for (std::size_t i = 0; i < columns.size() && i < kShown; ++i) {
    text += fmt::format("{} {}", i == 0 ? "" : ",", terminal_safe(columns[i]));
  }
  return text + (columns.size() > kShown ? ", ...\n" : "\n");
}

/// `Different: 3 cells; 1 only in the first, 0 only in the second.`
std::string verdict(const ReportDiff& diff) {
  if (diff.is_equal()) return "The reports are equal.\n";
  return fmt::format("Different: {}; {} only in the first, {} only in the second.\n",
                     ui::counted(diff.cells, "cell"), ui::counted(diff.only_first, "row"),
                     ui::counted(diff.only_second, "row"));
}

std::string counts_text(const ReportDiff& diff) {
  std::string text =
      fmt::format("Compared {} in {}.\n", ui::counted(diff.rows, "row"), ui::counted(diff.columns, "column"));
  text += columns_text("the first", diff.columns_only_first) +
          columns_text("the second", diff.columns_only_second);
  if (diff.missing_cells > 0) {
    text += fmt::format("Allowed: {} empty on one side, in columns that not every tool fills.\n",
                        ui::counted(diff.missing_cells, "cell"));
  }
  return text;
}

void write_names(JsonWriter& json, std::string_view key, const std::vector<std::string>& names) {
  json.key(key);
  json.begin_array();
  for (const std::string& name : names) json.value(name);
  json.end_array();
}

void write_difference(JsonWriter& json, const ReportDifference& difference) {
  json.begin_object();
  json.field("row", difference.row);
  json.field("op", difference.op);
  json.field("column", difference.column.empty() ? std::optional<std::string_view>()
                                                 : std::optional<std::string_view>(difference.column));
  json.field("first", difference.first);
  json.field("second", difference.second);
  json.end_object();
}

}  // namespace

std::string report_diff_text(const ReportDiff& diff) {
  std::string text = counts_text(diff) + verdict(diff);
  for (const ReportDifference& difference : diff.differences) {
    const bool is_named = !difference.op.empty() && difference.row.find("signpost") == std::string::npos;
    text += fmt::format("  {}{}{}{}: {} | {}\n", terminal_safe(difference.row),
                        is_named ? fmt::format(" ({})", terminal_safe(difference.op)) : "",
                        difference.column.empty() ? "" : ", ", terminal_safe(difference.column),
                        terminal_safe(difference.first), terminal_safe(difference.second));
  }
  return text;
}

void write_report_diff_json(const ReportDiff& diff, const ReportDiffInputs& inputs, Writer& out) {
  JsonWriter json(out, {.indented = true});
  json.begin_object();
  ui::write_document_head(json, "ttscope.perf_compare/1", inputs.version);
  json.field("first", inputs.first);
  json.field("second", inputs.second);
  json.field("tolerance", inputs.options.tolerance);
  json.field("relative_tolerance", inputs.options.relative_tolerance);
  json.field("equal", diff.is_equal());
  json.field("rows_compared", diff.rows);
  json.field("columns_compared", diff.columns);
  json.field("cells_different", diff.cells);
  json.field("cells_allowed_empty", diff.missing_cells);
  json.field("rows_only_in_first", diff.only_first);
  json.field("rows_only_in_second", diff.only_second);
  write_names(json, "columns_only_in_first", diff.columns_only_first);
  write_names(json, "columns_only_in_second", diff.columns_only_second);
  json.key("differences");
  json.begin_array();
  for (const ReportDifference& difference : diff.differences) write_difference(json, difference);
  json.end_array();
  json.end_object();
  out.write("\n");
}

void write_report_diff_markdown(const ReportDiff& diff, const ReportDiffInputs& inputs, Writer& out) {
  out.write(fmt::format("# {} against {}\n\n{}\n\n", markdown_code(inputs.first),
                        markdown_code(inputs.second), ui::kDataNotice));
  out.write(counts_text(diff) + "\n" + verdict(diff));
  if (diff.differences.empty()) return;
  out.write("\n| row | op | column | first | second |\n|---|---|---|---|---|\n");
  for (const ReportDifference& difference : diff.differences) {
    out.write(fmt::format("| {} | {} | {} | {} | {} |\n", markdown_cell(difference.row),
                          markdown_code(difference.op),
                          difference.column.empty() ? "(whole row)" : markdown_cell(difference.column),
                          markdown_code(difference.first), markdown_code(difference.second)));
  }
  const std::uint64_t all = diff.cells + diff.only_first + diff.only_second;
  if (all > diff.differences.size()) {
    out.write(fmt::format("\n{} more are not listed.\n", ui::count_text(all - diff.differences.size())));
  }
}

}  // namespace ttscope::perf
