#include "perf/analyse/advice/distinct_name.h"

#include <fmt/format.h>

#include "perf/analyse/ops/attributes.h"

namespace ttscope::perf {

std::string distinct_name(const OpsReport& table, const KindFacts& facts, const ReportKind& kind) {
  std::string name = facts.label;
  const OpTensor* tensor = table.input(kind, 0);
  if (tensor == nullptr) tensor = table.output(kind, 0);
  if (tensor == nullptr) return name;
  if (!facts.is_matmul && !facts.is_conv && tensor->has_shape()) {
    name += ' ';
    std::size_t first = 0;
    while (first < 2 && tensor->padded[first] == 1) ++first;
    for (std::size_t i = first; i < 4; ++i)
      name += fmt::format("{}{}", i > first ? "x" : "", tensor->padded[i]);
  }
  const std::string_view type = short_datatype(table.text(tensor->datatype));
  if (!facts.is_matmul && !type.empty()) name.append(" ").append(type);
  return name;
}

}  // namespace ttscope::perf
