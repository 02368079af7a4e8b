#pragma once

#include <string>
#include <vector>

#include "perf/analyse/ops/op_stack.h"
#include "report/plot/plot_scene.h"

namespace ttscope::perf {

/// The stacked report as a picture: one bar, or one for each device; ops of a category lie together, and
/// parts of at least two percent are named.
report::PlotScene stack_scene(const std::vector<StackEntry>& entries, const StackOptions& options);

/// `#rrggbb` of a category: the same in pictures and on the page.
std::string_view category_color(OpCategory category);

}  // namespace ttscope::perf
