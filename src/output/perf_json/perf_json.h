#pragma once

#include <string>
#include <vector>

#include "analysis/op_reading/op_reading.h"
#include "base/writer.h"
#include "output/zone_stats/zone_report.h"

namespace ttscope::output {

struct PerfJsonOptions {
  std::string tool_version;
  bool list_ops = true;                    ///< false: `ops` is empty; the page has them as columns
  std::vector<const ZoneReport*> zones{};  ///< empty: the document has no `zones`
};

/// Everything as one document of schema `ttscope.perf/1` (docs/formats/perf_json.md).
void write_perf_json(const OpsTable& table, const analysis::OpReading& reading,
                     const PerfJsonOptions& options, Writer& out);

}  // namespace ttscope::output
