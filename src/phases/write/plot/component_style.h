#pragma once

#include <string_view>

#include "phases/analyse/phase_analysis.h"

namespace ttscope::phases {

/// How a part of the peak is called and coloured in every output; the first five as in the tracker's
/// document.
struct ComponentStyle {
  std::string_view label;
  std::string_view color;
};
const ComponentStyle& style_of(ComponentKind kind);

}  // namespace ttscope::phases
