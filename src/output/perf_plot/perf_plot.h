#pragma once

#include <string>
#include <vector>

#include "analysis/op_stack/op_stack.h"
#include "output/plot/plot_scene.h"

namespace ttscope::output {

/// The stacked report as a picture: one bar, or one for each device; ops of a category lie together, and
/// parts of at least two percent are named.
PlotScene stack_scene(const std::vector<analysis::StackEntry>& entries,
                      const analysis::StackOptions& options);

/// `#rrggbb` of a category: the same in pictures and on the page.
std::string_view category_color(analysis::OpCategory category);

}  // namespace ttscope::output
