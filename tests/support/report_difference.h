#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "perf/model/ops_report.h"

namespace ttscope::testing {

/// The first field in which two reports differ, empty if there is none. Lines of rows are left aside: only a
/// file has them.
std::string report_difference(const perf::OpsReport& a, const perf::OpsReport& b);

/// What differs between a report that was made directly and the one that its CSV text reads as. A text that
/// is no report must not have been made either.
std::string difference_from_csv(const Result<perf::OpsReport>& made, std::string_view csv);

}  // namespace ttscope::testing
