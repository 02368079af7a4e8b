#pragma once

#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// By row of the report: how long before its start an op had been sent, in us, at least; kNoNumber: nobody
/// knows. Derived, without a clock that host and device share: no op begins before it is sent, so what lies
/// more between two starts than between the two sendings is the lead of the later one.
std::vector<double> find_host_leads(const OpsReport& table);

}  // namespace ttscope::perf
