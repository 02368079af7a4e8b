#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/profile.h"
#include "perf/write/stack_files.h"
#include "perf/write/terminal_tables.h"

namespace ttscope::perf {

void write_heading(std::string_view title, std::string_view remark, bool color, Writer& out);
/// `12.3%`; empty where the whole is nothing.
std::string share_text(double part, double whole);
/// `1,234 μs`.
std::string us_text(double us);
/// Lines of cells, each column as wide as its widest cell; the first is at the left, the others at the right,
/// the last one is text.
void write_aligned(const std::vector<std::vector<std::string>>& lines, Writer& out);
/// The same, names at the ends of the lines cut to what `width` columns leave them.
void write_named(std::vector<std::vector<std::string>> lines, std::size_t width, Writer& out);
/// Rows that advice rests on, by their ids: `12, 13, 15 and 40 more`.
std::string row_ids(const OpsReport& table, const ShownOps& ops, const OpAdvice& advice, std::size_t shown);
/// What limits the ops, with shares of the counted time; a line for each limit that occurs.
void write_bound_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                         Writer& out);
/// Why the device waited; the lines add up to the gaps of the table.
void write_gap_section(const OpAnalysis& analysis, const PerfTableOptions& options, Writer& out);
/// Devices against each other; nothing for one device.
void write_skew_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out);
/// What to change, the largest gain first.
void write_advice_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                          Writer& out);
/// What was wrong with the report; nothing if nothing was.
void write_trust_section(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                         Writer& out);

/// Bound, model, gap cause and skew of each row: the columns that the known CSV has no place for.
void write_bounds_csv(const OpsReport& table, const OpAnalysis& analysis, Writer& out);

/// Wall, busy and idle time, what repeats, what computes.
void write_time_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out);
/// What the path that decides the wall time consists of. Nothing without cycles.
void write_path_section(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                        Writer& out);
/// The costliest ops that only move or convert data.
void write_conversion_section(const OpsReport& table, const OpAnalysis& analysis,
                              const PerfTableOptions& options, Writer& out);

/// The costliest ops, those of one name and shape as one line; the others as one line; the sum. At most as
/// wide as the options say.
void write_group_table(const OpsReport& table, const OpAnalysis& analysis, const PerfTableOptions& options,
                       Writer& out);

/// The stacked report in as many columns as fit.
void write_fitted_stack(const std::vector<StackEntry>& entries, const StackOptions& stack,
                        const PerfTableOptions& options, Writer& out);

/// `dram 57%`: what limits ops, and how near they are to it; `?` where nothing is known.
std::string bound_cell(OpLimit limit, double peak_percent);

/// What the terminal shows of a reading.
struct PerfReportOptions {
  PerfTableOptions table;
  StackOptions stack;
  bool summary = true;         ///< the stacked report
  bool all_rows = false;       ///< the table has rows, not the costliest groups
  bool shows_sections = true;  ///< else only zones, and what was written
};

/// The report on the terminal: notes, the table, what it means and how far it can be trusted, the zones, and
/// the files that were written.
void write_perf_report(const Profile& profile, const PerfReportOptions& options, const WrittenFiles& written,
                       Writer& out);

}  // namespace ttscope::perf
