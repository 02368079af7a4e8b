#include "mem/model/module_dump.h"

#include <array>

namespace ttscope::mem {

std::string_view name_of(Stage stage) {
  constexpr std::array<std::string_view, 9> kNames = {
      "vhlo", "shlo", "shlo_frontend", "shlo_compiler", "shlo_set_mesh_attr", "shlo_compiler_cleaned",
      "ttir", "ttnn", "ttnn_runtime"};
  return kNames[static_cast<std::size_t>(stage)];
}

std::string_view name_of(ArgumentRole role) {
  constexpr std::array<std::string_view, 4> kNames = {"unknown", "input", "parameter", "constant"};
  return kNames[static_cast<std::size_t>(role)];
}

}  // namespace ttscope::mem
