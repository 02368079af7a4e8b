#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/profile.h"
#include "perf/write/capture_sections.h"

namespace ttscope::perf {

struct PerfPageOptions {
  std::string name;
  std::string tool_version;
  std::vector<CoreLoad> cores;
  unsigned threads = 2;
  std::vector<const CaptureZones*> zones{};
};

/// The report page (docs/formats/perf_page.md): one HTML file with the built front end and all data inside.
/// The caller finishes the writer.
void write_perf_page(const OpsReport& table, const OpAnalysis& analysis, const PerfPageOptions& options,
                     Writer& out);

/// The built front end, with its marks.
std::string_view perf_page_template();

}  // namespace ttscope::perf
