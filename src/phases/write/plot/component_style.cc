#include "phases/write/plot/component_style.h"

#include <array>

namespace ttscope::phases {

const ComponentStyle& style_of(ComponentKind kind) {
  static constexpr std::array<ComponentStyle, kComponentCount> kStyles = {{
      {"Other", "#cccccc"},
      {"Model Parameters", "#4da6b8"},
      {"Gradients Overhead", "#e789ab"},
      {"Optimizer State", "#cec0fa"},
      {"Activations", "#e38a42"},
      {"Gradients", "#b5527c"},
      {"Other Phases", "#8dbb7c"},
      {"Temporaries", "#e6c34a"},
  }};
  return kStyles[static_cast<std::size_t>(kind)];
}

}  // namespace ttscope::phases
