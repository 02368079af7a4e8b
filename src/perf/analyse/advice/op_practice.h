#pragma once

#include <string_view>

#include "perf/model/ops_report.h"

/// What real optimisation work has shown of ops, by their names.
namespace ttscope::perf {

/// Ops whose cores follow from the batch: one for each user.
bool has_core_per_user(std::string_view op_name);

/// Ops that divide one row of tiles among cores: here the step off one or two cores was measured to win.
bool can_divide_rows(std::string_view op_name);

/// Rows of tiles that an op gives: what most ops divide among cores. 0: unknown.
double tile_rows_of(const OpsReport& table, const ReportKind& kind);

/// What conversions take however little they move, in real reports: none is slow up to the second time, and
/// the first is what the fastest take.
struct UsualPrice {
  std::string_view word;  ///< in their names
  double least_us;
  double most_us;
};
const UsualPrice& usual_price(std::string_view op_name);

}  // namespace ttscope::perf
