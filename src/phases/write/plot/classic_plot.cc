#include "phases/write/plot/classic_plot.h"

#include "phases/write/plot/component_style.h"

namespace ttscope::phases {

PlotPanel classic_panel(const std::string& name, const ClassicBreakdown& bar) {
  using Kind = ComponentKind;
  PlotPanel panel;
  panel.name = name;
  const auto add = [&](Kind kind, double mb) {
    panel.segments.push_back({style_of(kind).label, style_of(kind).color, mb});
  };
  add(Kind::kOther, bar.other_mb);
  add(Kind::kModel, bar.model_mb);
  add(Kind::kGradientsOverhead, bar.gradients_overhead_mb);
  add(Kind::kOptimizer, bar.optimizer_mb);
  add(Kind::kActivations, bar.activations_mb);
  panel.total_mb = bar.total_mb;
  panel.limit_mb = bar.device_mb;
  return panel;
}

}  // namespace ttscope::phases
