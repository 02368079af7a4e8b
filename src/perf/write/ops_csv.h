#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/report_builder.h"
#include "perf/analyze/report_rows.h"
#include "perf/model/capture_files.h"

namespace ttscope::perf {

struct OpsColumn {
  std::string name;
  ReportColumn source = ReportColumn::kFigure;
  std::uint32_t index = 0;  ///< of a tensor, counter column, ...
  std::uint32_t field = 0;  ///< of a tensor; a Figure
};

/// Behind the name of a zone that ran inside of an op.
inline constexpr std::string_view kChildColumnEnd = "_TT_HOST_FUNC [ns]";

/// The columns of a report, from what its rows need.
std::vector<OpsColumn> ops_columns(const std::vector<CaptureRows>& parts, const ColumnOptions& form);

/// The last zone of an op that such a column is about; null: it has none.
const ChildTime* child_of(const CaptureRows& part, const HostOp& op, std::string_view column);

/// Appends the name of a column: those of kernel sizes come from a log.
using AppendName = void (*)(std::string& line, std::string_view name);
/// Appends a cell as recorded to a line, which may change it before.
using AppendCell = void (*)(const CaptureRows& part, const RowValues& values, const OpsColumn& column,
                            std::string& cell, std::string& line);

/// Writes the rows in these columns.
void write_ops_csv(const std::vector<CaptureRows>& parts, const std::vector<OpsColumn>& columns,
                   AppendName append_name, AppendCell append, Writer& out);
/// Writes ops_perf_results.csv: the columns of the reference in its order, lines that end in CRLF, `;` for
/// `,` in cells.
void write_ops_csv(const std::vector<CaptureRows>& parts, const ColumnOptions& form, Writer& out);

/// noc_summary.csv: a row for each execution, in it for all, for each type of transfer and for each sender.
void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out);

}  // namespace ttscope::perf
