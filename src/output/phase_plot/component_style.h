#pragma once

#include <string_view>

#include "analysis/phases/phase_analysis.h"

namespace ttscope::output {

/// How a part of the peak is called and coloured in every output; the first five as in the tracker's
/// document.
struct ComponentStyle {
  std::string_view label;
  std::string_view color;
};
const ComponentStyle& style_of(analysis::ComponentKind kind);

}  // namespace ttscope::output
