#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/executions/extra_columns.h"
#include "perf/analyse/executions/report_rows.h"
#include "perf/model/host_ops.h"
#include "perf/model/noc_summary.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// The part of a report that one capture makes: several when hosts are put together.
struct CaptureRows {
  const ReportRows* report = nullptr;
  const HostCapture* host = nullptr;
  const ExtraColumns* counters = nullptr;
  const ExtraColumns* network = nullptr;
  std::string host_name;                         ///< in the column HOST; empty: no such column
  std::int64_t device_offset = 0;                ///< added to device ids, which then are those of all hosts
  const std::vector<NocSummary>* noc = nullptr;  ///< of its NoC traces
  std::string source{};                          ///< where it was read from
};

/// Which columns a report has.
struct ReportForm {
  const Rules* rules = &own_rules();
  bool device_only = false;  ///< the columns of a report without host data
  bool quasar = false;
};

}  // namespace ttscope::perf
