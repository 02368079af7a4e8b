// A graph capture through reader, analysis and all forms of output.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "base/writer.h"
#include "fuzz/fuzz_target.h"
#include "graph/analyse/graph_profile.h"
#include "graph/analyse/levelized_graph.h"
#include "graph/read/graph_trace/graph_trace_reader.h"
#include "graph/write/json/graph_json.h"
#include "graph/write/markdown/graph_markdown.h"
#include "graph/write/page/graph_page.h"
#include "graph/write/terminal/graph_summary.h"
#include "graph/write/terminal/memory_usage_summary.h"

namespace ttscope::graph {
namespace {

using fuzz::require;

void check(const GraphTrace& trace, const GraphProfile& profile) {
  require(profile.dram.peak == profile.dram_peak.bytes, "the DRAM peak is where its moment is");
  require(profile.calls.size() == trace.functions.size(), "every function is a call");
  for (const std::uint32_t buffer : profile.dram_peak.live) {
    require(buffer < profile.buffers.size() && profile.buffers[buffer].in_dram,
            "what is live is a buffer of that memory");
  }
}

TTSCOPE_FUZZ_TARGET(chain_graph_trace) {
  const auto capture = parse_graph_capture(text, "capture");
  if (!capture) {
    require(!capture.error().message.empty(), "an error says something");
    return;
  }
  GraphReport report;
  report.files = {"capture"};
  report.formats = {capture->format};
  for (const GraphSegment& segment : capture->segments) {
    const auto compat = profile_graph(segment.trace, Accounting::kCompat);
    auto profile = profile_graph(segment.trace, Accounting::kCorrected);
    if (!profile) continue;
    require(!compat || compat->dram == profile->dram, "DRAM is the same in both accountings");
    check(segment.trace, *profile);
    static_cast<void>(levelized_graph(segment.trace, 2));
    static_cast<void>(pretty_format(segment.trace));
    static_cast<void>(extract_peak_l1_memory_usage(segment.trace));
    report.segments.push_back({0, segment.name, &segment.trace, std::move(*profile)});
  }
  StringWriter json, page, markdown;
  write_graph_json(report, "0", json);
  write_graph_page(report, page, {"fuzz", "0", "", 50, 50});
  write_graph_markdown(report, markdown);
  require(json.finish() && page.finish() && markdown.finish(), "outputs are written");
  require(!memory_usage_summary(report.figures()).empty(), "there is a summary");
  static_cast<void>(graph_summary_text(report, {}));
}

}  // namespace
}  // namespace ttscope::graph
