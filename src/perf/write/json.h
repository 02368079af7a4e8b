#pragma once

#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/profile.h"
#include "perf/model/capture_files.h"
#include "perf/write/capture_sections.h"

namespace ttscope::perf {

struct PerfJsonOptions {
  std::string tool_version;
  bool list_ops = true;                      ///< false: `ops` is empty; the page has them as columns
  std::vector<const CaptureZones*> zones{};  ///< empty: the document has no `zones`
  std::vector<const NocSummary*> noc{};      ///< empty: it has no `noc`
};

/// Everything as one document of schema `ttscope.perf/1` (docs/formats/perf_json.md).
void write_perf_json(const OpsReport& table, const OpAnalysis& analysis, const PerfJsonOptions& options,
                     Writer& out);

}  // namespace ttscope::perf
