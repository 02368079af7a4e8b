#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/shown_ops.h"
#include "perf/write/terminal_tables.h"

namespace ttscope::perf {

// The words are those that users of tt-perf-report know; other tools match them.

/// Empty: nothing to say.
std::string_view fidelity_text(FidelityRemark remark);

/// What could make a matmul faster.
enum class MatmulRemark : std::uint8_t {
  kTryDramSharded,
  kIncreaseGrid,    ///< of its cores
  kPlaceInputInL1,  ///< where its first input is now
  kNoProgramConfig,
  kSmallInnerBlock,
  kNoInnerBlock,
  kSmallSubblock,
  kNoSubblock,
  kBlocksLookGood,
  kFidelity,  ///< what the fidelity_advice of its kind says
};

/// Empty: nothing found.
std::vector<MatmulRemark> matmul_remarks(const OpsReport& table, const ShownOps& ops, const ShownOp& row);
/// As a sentence. `cores`: how many it has, as they are shown.
std::string remark_text(MatmulRemark remark, const OpsReport& table, const OpKind& kind,
                        const KindFacts& facts, std::string_view cores);

// The columns that other tools read by position: those of the table on the terminal, then these.

inline constexpr std::size_t kCallCountCell = kTableColumns + 8;
inline constexpr std::size_t kAdviceCell = kCallCountCell + 1;  ///< where it is asked for

std::string perf_csv_header(const PerfTableOptions& options);
/// The cells of a row; the text of the advice is left empty.
void fill_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                   const ShownOp& row, std::vector<std::string>& cells);
/// Sentences as one cell.
std::string advice_cell(const std::vector<std::string>& sentences);
void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out);

/// A column of the stacked report.
struct StackColumn {
  std::string_view header;
  std::string_view csv_header;
  bool is_shown;
  std::string (*cell)(const StackEntry&, bool csv);
};

std::vector<StackColumn> stack_columns(const StackOptions& options);
std::string stack_csv_header(const std::vector<StackColumn>& columns);
void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out);

}  // namespace ttscope::perf
