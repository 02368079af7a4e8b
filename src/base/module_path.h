#pragma once

#include <string>
#include <string_view>

namespace ttscope {

/// The layer that a compiler's location names: `model.layers.*.mlp` of `loc("model.layers.3.mlp/dot.7")`,
/// `model.py:59` of `loc("/home/me/model.py:59:id(0)")`; empty where it names none.
std::string module_of_location(std::string_view location);
/// The path of a layer that stands in attributes: `model.layers.*.mlp` of `{'name': 'model.layers.3.mlp'}`.
std::string module_in_attributes(std::string_view attributes);

}  // namespace ttscope
