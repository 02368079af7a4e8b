#include "graph/write/terminal/memory_usage_summary.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text_escape.h"

namespace ttscope::graph {
namespace {

constexpr double kMb = 1024.0 * 1024.0;

template <typename Bytes>
double mb(Bytes bytes) {
  return static_cast<double>(bytes) / kMb;
}

}  // namespace

std::string memory_usage_summary(std::span<const SegmentFigures> segments) {
  if (segments.empty()) return "WARNING: No traces captured\n";
  const std::vector<CumulativeDram> cumulative = cumulative_dram(segments);
  std::string text = "=== Memory Usage Summary ===\n\n";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const DramUsage& dram = segments[i].dram;
    const L1Usage& l1 = segments[i].l1;
    text += "--- " + terminal_safe(segments[i].name) + " ---\n";
    fmt::format_to(out,
                   "  DRAM: Segment Peak {:.2f} MB, Allocations {:.2f} MB, Deallocations {:.2f} MB, "
                   "Segment Change {:+.2f} MB\n",
                   mb(dram.peak), mb(dram.total_allocations), mb(dram.total_deallocations),
                   mb(dram.total_allocations) - mb(dram.total_deallocations));
    fmt::format_to(out, "  DRAM: Cumulative Peak {:.2f} MB, Cumulative Current {:.2f} MB\n",
                   mb(cumulative[i].peak), mb(cumulative[i].current));
    fmt::format_to(out, "  L1: Peak CB {:.2f} MB, Peak Buffer {:.2f} MB, Peak Total {:.2f} MB\n",
                   mb(l1.peak_cb), mb(l1.peak_l1), mb(l1.peak_total));
  }
  fmt::format_to(out, "\n=== Final Totals ===\nOverall DRAM Peak: {:.2f} MB, Final DRAM Usage: {:.2f} MB\n\n",
                 mb(cumulative.back().peak), mb(cumulative.back().current));
  return text;
}

}  // namespace ttscope::graph
