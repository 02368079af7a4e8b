#include "perf/model/ops_report.h"

namespace ttscope::perf {

const ReportProblemInfo& info_of(ReportProblem problem) {
  static constexpr std::array<ReportProblemInfo, kReportProblemCount> kInfos = {{
      {"short_row", "rows with fewer cells than the header; the missing ones count as empty"},
      {"long_row", "rows with more cells than the header; the extra ones are left out"},
      {"cut_row", "the file ends inside a row (is it cut off?)"},
      {"bad_number", "cells that should be numbers; they count as empty"},
      {"unclosed_quote", "quotes that are never closed, read as ordinary characters"},
      {"no_duration", "device ops without a kernel duration; their time is missing in all sums"},
      {"negative_time", "durations below zero; they count as empty"},
      {"no_device", "device ops without a device id"},
      {"long_text", "rows with a text over 64 KiB; the rest of it is left out"},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

}  // namespace ttscope::perf
