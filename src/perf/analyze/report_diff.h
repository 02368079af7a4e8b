#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::perf {

struct ReportDiffOptions {
  double tolerance = 0;                   ///< numbers may differ by so much
  double relative_tolerance = 0;          ///< or by this fraction of the larger one
  std::vector<std::string> columns = {};  ///< only these; empty: all that both have
  std::size_t max_differences = 20;
};

/// A cell that differs, or a row that only one report has.
struct ReportDifference {
  std::string row;     ///< `GLOBAL CALL COUNT 1027, METAL TRACE ID 7, METAL TRACE REPLAY SESSION ID 1`
  std::string op;      ///< what runs there; `A | B` where the reports disagree, empty where they do not tell
  std::string column;  ///< empty: the whole row
  std::string first;
  std::string second;
};

struct ReportDiff {
  std::uint64_t rows = 0;        ///< that both have
  std::uint64_t columns = 0;     ///< compared
  std::uint64_t only_first = 0;  ///< rows
  std::uint64_t only_second = 0;
  std::uint64_t cells = 0;  ///< that differ
  std::uint64_t missing_cells =
      0;  ///< empty on one side in columns that not every tool fills; not a difference
  std::vector<std::string> columns_only_first;
  std::vector<std::string> columns_only_second;
  std::vector<ReportDifference> differences;  ///< the first ones

  bool is_equal() const { return only_first + only_second + cells == 0; }
};

/// Whether the first line names the column that brings rows together.
bool is_comparable_report(std::string_view text);
/// What a text is not where it does not.
std::string no_report_text();

/// Compares two reports given as CSV text. Rows are brought together by host, device, call count, trace,
/// replay and occurrence, never by position; columns by name without regard to case; empty, `nan` and `none`
/// are equal. Errors are a text without a column GLOBAL CALL COUNT and a
/// column asked for that one of them lacks.
Result<ReportDiff> compare_reports(std::string_view first, std::string_view second,
                                   const ReportDiffOptions& options);

/// How two files differ, and what could not be unpacked of them.
struct ComparedFiles {
  ReportDiff diff;
  std::vector<std::string> warnings;
};

/// Compares two ops reports (or the runtime's own ones) cell by cell, plain or compressed.
Result<ComparedFiles> compare_files(const std::string& path_a, const std::string& path_b,
                                    const ReportDiffOptions& options);

}  // namespace ttscope::perf
