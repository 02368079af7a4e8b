#include "cli/perf_compare.h"

#include <fmt/format.h>

#include "analysis/report_diff/report_diff.h"
#include "base/mapped_file.h"
#include "base/number_text.h"
#include "base/text_escape.h"
#include "cli/terminal.h"
#include "output/wording/number_text.h"

namespace ttscope::cli {
namespace {

bool read_tolerance(const ParsedArgs& args, analysis::ReportDiffOptions& options) {
  if (!args.has("--tolerance")) return true;
  std::string text = args.value("--tolerance");
  const bool relative = !text.empty() && text.back() == '%';
  if (relative) text.pop_back();
  const auto value = parse_number(text);
  if (!value || *value < 0) {
    complain(fmt::format("--tolerance {}: expected a number or a share like 1%", args.value("--tolerance")));
    return false;
  }
  constexpr double kPercent = 100;
  (relative ? options.relative_tolerance : options.tolerance) = relative ? *value / kPercent : *value;
  return true;
}

bool read_options(const ParsedArgs& args, analysis::ReportDiffOptions& options) {
  if (args.positionals.size() != 3) {
    complain("compare needs two reports: ttscope perf compare A B");
    return false;
  }
  std::string names = args.value("--columns");
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    options.columns.emplace_back(trimmed(names.substr(0, comma)));
    names = comma == std::string::npos ? "" : names.substr(comma + 1);
  }
  if (args.has("--max-differences")) {
    const auto most = parse_unsigned(args.value("--max-differences"));
    if (!most) {
      complain(fmt::format("--max-differences {}: expected a whole number", args.value("--max-differences")));
      return false;
    }
    options.most_differences = *most;
  }
  return read_tolerance(args, options);
}

std::string columns_text(std::string_view which, const std::vector<std::string>& columns) {
  if (columns.empty()) return {};
  constexpr std::size_t kShown = 5;
  std::string text = fmt::format("Only in {}: {}:", which, output::counted(columns.size(), "column"));
  for (std::size_t i = 0; i < columns.size() && i < kShown; ++i) {
    text += fmt::format("{} {}", i == 0 ? "" : ",", terminal_safe(columns[i]));
  }
  return text + (columns.size() > kShown ? ", ...\n" : "\n");
}

std::string diff_text(const analysis::ReportDiff& diff) {
  std::string text = fmt::format("Compared {} in {}.\n", output::counted(diff.rows, "row"),
                                 output::counted(diff.columns, "column"));
  text += columns_text("the first", diff.columns_only_first) +
          columns_text("the second", diff.columns_only_second);
  if (diff.missing_cells > 0) {
    text += fmt::format("Allowed: {} empty on one side, in columns that not every tool fills.\n",
                        output::counted(diff.missing_cells, "cell"));
  }
  if (diff.is_equal()) return text + "The reports are equal.\n";
  text += fmt::format("Different: {}; {} only in the first, {} only in the second.\n",
                      output::counted(diff.cells, "cell"), output::counted(diff.only_first, "row"),
                      output::counted(diff.only_second, "row"));
  for (const analysis::ReportDifference& difference : diff.differences) {
    text += fmt::format("  {}{}{}: {} | {}\n", terminal_safe(difference.row),
                        difference.column.empty() ? "" : ", ", terminal_safe(difference.column),
                        terminal_safe(difference.first), terminal_safe(difference.second));
  }
  return text;
}

}  // namespace

int run_perf_compare(const ParsedArgs& args) {
  analysis::ReportDiffOptions options;
  if (!read_options(args, options)) return kUsage;
  std::vector<std::shared_ptr<const MappedFile>> files;
  for (std::size_t i = 1; i < args.positionals.size(); ++i) {
    auto file = MappedFile::open(args.positionals[i]);
    if (!file) return fail(file.error());
    files.push_back(std::move(*file));
  }
  const Result<analysis::ReportDiff> diff =
      analysis::compare_reports(files[0]->bytes(), files[1]->bytes(), options);
  if (!diff) return fail(diff.error());
  if (!args.has("--quiet")) {
    if (!print(diff_text(*diff))) return kFailed;
  }
  return diff->is_equal() ? kOk : kLimitExceeded;
}

}  // namespace ttscope::cli
