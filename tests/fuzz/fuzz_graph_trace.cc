// A graph capture through reader, analysis and all forms of output.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "analysis/graph_memory/graph_profile.h"
#include "analysis/graph_memory/levelized_graph.h"
#include "base/writer.h"
#include "input/graph_trace/graph_trace_reader.h"
#include "output/graph_json/graph_json.h"
#include "output/graph_markdown/graph_markdown.h"
#include "output/graph_page/graph_page.h"
#include "output/graph_text/graph_summary.h"
#include "output/graph_text/memory_usage_summary.h"

namespace {

namespace analysis = ttscope::analysis;

void require(bool holds, const char* rule) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", rule);
  std::abort();
}

void check(const ttscope::GraphTrace& trace, const analysis::GraphProfile& profile) {
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
  const auto capture = ttscope::input::parse_graph_capture(text, "capture");
  if (!capture) {
    require(!capture.error().message.empty(), "an error says something");
    return 0;
  }
  ttscope::output::GraphReport report;
  report.files = {"capture"};
  report.formats = {capture->format};
  for (const ttscope::GraphSegment& segment : capture->segments) {
    const auto compat = analysis::profile_graph(segment.trace, analysis::Accounting::kCompat);
    auto profile = analysis::profile_graph(segment.trace, analysis::Accounting::kCorrected);
    if (!profile) continue;
    require(!compat || compat->dram == profile->dram, "DRAM is the same in both accountings");
    check(segment.trace, *profile);
    static_cast<void>(analysis::levelized_graph(segment.trace, 2));
    static_cast<void>(analysis::pretty_format(segment.trace));
    static_cast<void>(analysis::extract_peak_l1_memory_usage(segment.trace));
    report.segments.push_back({0, segment.name, &segment.trace, std::move(*profile)});
  }
  ttscope::StringWriter json, page, markdown;
  ttscope::output::write_graph_json(report, "0", json);
  ttscope::output::write_graph_page(report, page, {"fuzz", "0", "", 50, 50});
  ttscope::output::write_graph_markdown(report, markdown);
  require(json.finish() && page.finish() && markdown.finish(), "outputs are written");
  require(!ttscope::output::memory_usage_summary(report.figures()).empty(), "there is a summary");
  static_cast<void>(ttscope::output::graph_summary_text(report, {}));
  return 0;
}
