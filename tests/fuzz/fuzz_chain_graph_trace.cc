// A graph capture through reader, analysis and all forms of output.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <utility>

#include "base/writer.h"
#include "fuzz/compared_run_check.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/output_rules.h"
#include "graph/analyze/fit.h"
#include "graph/analyze/segment_profile.h"
#include "graph/analyze/trace_utilities.h"
#include "graph/diff_run.h"
#include "graph/read/capture_reader.h"
#include "graph/write/outputs.h"

namespace ttscope::graph {
namespace {

using fuzz::require;

void check(const GraphTrace& trace, const SegmentProfile& profile) {
  require(profile.dram.peak == profile.dram_peak.bytes, "the DRAM peak is where its moment is");
  require(profile.calls.size() == trace.functions.size(), "every function is a call");
  for (const std::uint32_t buffer : profile.dram_peak.live) {
    require(buffer < profile.buffers.size() && profile.buffers[buffer].in_dram,
            "what is live is a buffer of that memory");
  }
}

TTSCOPE_FUZZ_TARGET(chain_graph_trace) {
  auto capture = parse_graph_capture(text, "capture");
  if (!capture) {
    require(!capture.error().message.empty(), "an error says something");
    return;
  }
  Profile profile;
  if (!add_capture(profile, "capture", std::move(*capture))) return;
  finish_profile(profile);
  for (const ProfiledSegment& segment : profile.segments) {
    const auto compat = profile_segment(*segment.trace, kCompatRules);
    require(!compat || compat->dram == segment.profile.dram, "DRAM is the same by both sets of rules");
    check(*segment.trace, segment.profile);
    static_cast<void>(levelized_graph(*segment.trace, 2));
    static_cast<void>(pretty_format(*segment.trace));
    static_cast<void>(extract_peak_l1_memory_usage(*segment.trace));
  }
  require(cumulative_dram(profile.figures()).empty() ||
              cumulative_dram(profile.figures()).back().peak >= profile.live.dram.bytes,
          "the overall peak is that of the tracker");
  static_cast<void>(fit_profile(profile, {}));
  for (const bool in_dram : {true, false}) fuzz::require_comparable(diff_run_of(profile, in_dram));
  StringWriter json, page, markdown;
  write_graph_json(profile, "0", json);
  write_graph_page(profile, page,
                   {.name = "fuzz",
                    .tool_version = "0",
                    .generated = "",
                    .max_buffers = 50,
                    .max_calls = 50,
                    .threads = 1});
  write_graph_markdown(profile, markdown);
  require(json.finish() && page.finish() && markdown.finish(), "outputs are written");
  fuzz::require_json(json.text());
  fuzz::require_markdown(markdown.text());
  fuzz::require_terminal_text(memory_usage_summary(profile.figures()));
  fuzz::require_terminal_text(graph_summary_text(profile, {.top = 0}));
}

}  // namespace
}  // namespace ttscope::graph
