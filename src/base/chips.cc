#include "base/chips.h"

namespace ttscope {

std::vector<std::string_view> product_names() {
  std::vector<std::string_view> names;
  names.reserve(kProducts.size());
  for (const Product& product : kProducts) names.push_back(product.name);
  return names;
}

}  // namespace ttscope
