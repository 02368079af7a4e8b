#include "phases/write/plot/phases_plot.h"

#include "phases/write/plot/component_style.h"

namespace ttscope::phases {
namespace {

/// What the two decimals of all figures can add up to.
double rounding_mb(const Configuration& run) { return 0.01 * (static_cast<double>(run.phases.size()) + 2); }

}  // namespace

PhasePlot phases_plot(const PhaseAnalysis& analysis, const std::string& title) {
  constexpr double kMb = 1048576;
  PhasePlot plot;
  plot.title = title;
  for (const Configuration& run : analysis.configurations) {
    PlotPanel& panel = plot.panels.emplace_back();
    panel.name = run.name;
    for (std::size_t i = 0; i < kComponentCount; ++i) {
      const auto kind = static_cast<ComponentKind>(i);
      const Component* part = run.component(kind);
      double mb = part == nullptr ? 0 : static_cast<double>(part->bytes) / kMb;
      if (kind == ComponentKind::kOther && mb < rounding_mb(run)) mb = 0;
      panel.segments.push_back({style_of(kind).label, style_of(kind).color, mb});
    }
    panel.total_mb = static_cast<double>(run.peak_bytes) / kMb;
    if (run.device.bytes) panel.limit_mb = static_cast<double>(*run.device.bytes) / kMb;
  }
  return plot;
}

}  // namespace ttscope::phases
