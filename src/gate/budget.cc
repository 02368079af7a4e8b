#include "gate/budget.h"

namespace ttscope::gate {

std::string Bound::path() const {
  std::string text(name_of(figure->section));
  if (figure->scope == Scope::kOp) text += ".ops." + name;
  if (figure->scope == Scope::kLayer) text += ".layers." + name;
  return text + "." + std::string(figure->key);
}

}  // namespace ttscope::gate
