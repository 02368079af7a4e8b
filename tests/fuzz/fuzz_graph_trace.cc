// A graph capture through reader, analysis and all forms of output.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/writer.h"
#include "graph/analyse/levelized_graph.h"
#include "graph/analyse/segment_profile.h"
#include "graph/read/graph_trace/graph_trace_reader.h"
#include "graph/write/json/graph_json.h"
#include "graph/write/markdown/graph_markdown.h"
#include "graph/write/page/graph_page.h"
#include "graph/write/terminal/graph_summary.h"
#include "graph/write/terminal/memory_usage_summary.h"

namespace {

void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

void check(const ttscope::graph::GraphTrace& trace, const ttscope::graph::SegmentProfile& profile) {
  require(profile.dram.peak == profile.dram_peak.bytes, "the DRAM peak is where its moment is");
  require(profile.calls.size() == trace.functions.size(), "every function is a call");
  for (const std::uint32_t buffer : profile.dram_peak.live) {
    require(buffer < profile.buffers.size() && profile.buffers[buffer].in_dram,
            "what is live is a buffer of that memory");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto capture = ttscope::graph::parse_graph_capture(text, "capture");
  if (!capture) {
    require(!capture.error().message.empty(), "an error says something");
    return 0;
  }
  ttscope::graph::Profile profile;
  if (!ttscope::graph::add_capture(profile, "capture", std::move(*capture))) return 0;
  for (const ttscope::graph::ProfiledSegment& segment : profile.segments) {
    const auto compat = ttscope::graph::profile_segment(*segment.trace, ttscope::graph::kCompatRules);
    require(!compat || compat->dram == segment.profile.dram, "DRAM is the same by both sets of rules");
    check(*segment.trace, segment.profile);
    static_cast<void>(ttscope::graph::levelized_graph(*segment.trace, 2));
    static_cast<void>(ttscope::graph::pretty_format(*segment.trace));
    static_cast<void>(ttscope::graph::extract_peak_l1_memory_usage(*segment.trace));
  }
  ttscope::StringWriter json, page, markdown;
  ttscope::graph::write_graph_json(profile, "0", json);
  ttscope::graph::write_graph_page(profile, page, {"fuzz", "0", "", 50, 50});
  ttscope::graph::write_graph_markdown(profile, markdown);
  require(json.finish() && page.finish() && markdown.finish(), "outputs are written");
  require(!ttscope::graph::memory_usage_summary(profile.figures()).empty(), "there is a summary");
  static_cast<void>(ttscope::graph::graph_summary_text(profile, {}));
  return 0;
}
