// Sections of mem/write/terminal/mem_sections.h: programs.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text_escape.h"
#include "mem/write/terminal/mem_sections.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

/// The outermost runs of one graph on the main rank.
struct GraphRuns {
  std::uint64_t runs = 0;
  std::uint32_t ops = 0;
  std::int64_t first_peak = 0;
  std::int64_t last_peak = 0;
};

std::map<std::uint32_t, GraphRuns> runs_by_graph(const ProfileView& view) {
  std::map<std::uint32_t, GraphRuns> graphs;
  const auto& instances = view.rank_trace(view.profile.main_rank).programs;
  const auto& programs = view.rank_profile(view.profile.main_rank).programs;
  for (std::size_t i = 0; i < std::min(instances.size(), programs.size()); ++i) {
    if (instances[i].parent != kNone) continue;
    GraphRuns& runs = graphs[programs[i].graph];
    if (runs.runs++ == 0) runs.first_peak = programs[i].dram_peak_bytes_per_bank;
    runs.last_peak = programs[i].dram_peak_bytes_per_bank;
    runs.ops = std::max(runs.ops, programs[i].counted_ops);
  }
  return graphs;
}

}  // namespace

/// Only where there is something to compare: several graphs, or several runs of one.
void paint_programs(const ProfileView& view, std::size_t top, MemDetail detail, report::Painter& out) {
  auto graphs = runs_by_graph(view);
  if (detail == MemDetail::kUsual) {
    std::erase_if(graphs, [](const auto& entry) {
      return is_rounding(entry.second.last_peak - entry.second.first_peak);
    });
  }
  const bool alone = graphs.size() == 1 && graphs.begin()->second.runs == 1;
  if (graphs.empty() || alone || top == 0) return;
  out.blank_line();
  const bool narrow = out.width() < 76;
  const std::size_t name_width = narrow ? 17 : 22;
  const std::size_t first_width = narrow ? 12 : 23;
  out.line(fmt::format("{}{}", out.paint(report::pad_right("Programs", name_width + 2), Ink::kBold),
                       out.paint(narrow ? "    runs      ops  first peak        last"
                                        : "    runs      ops   DRAM peak: first run    last run",
                                 Ink::kDim)));
  std::size_t shown = 0;
  for (const auto& [graph, runs] : graphs) {
    if (shown++ == top) break;
    const std::string label = report::fit(terminal_safe(graph_label(view, graph)), name_width);
    out.line(fmt::format("  {}{}{}{}{}", report::pad_right(label, name_width),
                         report::pad_left(report::count_text(runs.runs), 8),
                         report::pad_left(report::count_text(runs.ops), 9),
                         report::pad_left(report::size_text(runs.first_peak), first_width),
                         runs.runs > 1 ? report::pad_left(report::size_text(runs.last_peak), 12) : ""));
  }
  if (graphs.size() > top)
    out.paragraph(2, fmt::format("and {} more graphs", graphs.size() - top), Ink::kDim);
}

}  // namespace ttscope::mem
