#pragma once

#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

struct HostLead {
  double us = kNoNumber;  ///< how long before its start an op had been sent, at least; none: nobody knows
  double most_us = kNoNumber;  ///< how much could be told: since the first op of the device
};

/// By row of the report. Derived, without a clock that host and device share: no op begins before it is sent,
/// so what lies more between two starts than between the two sendings is the lead of the later one.
std::vector<HostLead> find_host_leads(const OpsReport& table);

}  // namespace ttscope::perf
