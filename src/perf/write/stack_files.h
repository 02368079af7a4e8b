#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyze/op_groups.h"
#include "perf/write/table_csv.h"
#include "ui/plot.h"

namespace ttscope::perf {

/// The stacked report as a picture: one bar, or one for each device; ops of a category lie together, and
/// parts of at least two percent are named.
ui::PlotScene stack_scene(const std::vector<StackEntry>& entries, const StackOptions& options);

/// `#rrggbb` of a category: the same in pictures and on the page.
std::string_view category_color(OpCategory category);

/// What limits each op, beside the CSV of the table: `report_bounds.csv` of `report.csv`.
std::string bounds_path(const std::string& csv_path);
/// The files of the stacked report beside that CSV, without what they end in: `report_stacked`.
std::string stack_base(const std::string& csv_path);
/// Those files: BASE.csv, BASE.png and BASE.svg.
std::vector<std::string> stack_paths(const std::string& base);

/// Writes a stacked report to them.
Result<void> write_stack_files(const std::vector<StackEntry>& entries, const StackOptions& options,
                               const std::string& base,
                               void (*write_csv)(const std::vector<StackEntry>& entries,
                                                 const StackOptions& options, Writer& out) = write_stack_csv);

/// What was written of a reading.
struct WrittenFiles {
  std::string csv_path{};            ///< of the table; empty: it is in no file
  std::string stack_base{};          ///< of the stacked report; empty: it is in none
  std::vector<std::string> paths{};  ///< all files, in the order of writing
};

}  // namespace ttscope::perf
