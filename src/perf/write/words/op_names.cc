#include "perf/write/words/op_names.h"

#include <array>

#include "perf/analyse/ops/shape_groups.h"

namespace ttscope::perf {

std::string readable_label(std::string_view label) {
  constexpr std::array<std::string_view, 2> kEndings = {"DeviceOperation", "Operation"};
  const std::size_t blank = std::min(label.find(' '), label.size());
  std::string_view name = label.substr(0, blank);
  for (const std::string_view ending : kEndings) {
    if (!name.ends_with(ending)) continue;
    if (name != ending) name.remove_suffix(ending.size());
    break;
  }
  if (const std::size_t scope = name.rfind("::"); scope != std::string_view::npos && scope + 2 < name.size())
    name.remove_prefix(scope + 2);
  std::string text(name);
  text += label.substr(blank);
  return text.empty() ? "(unnamed)" : text;
}

std::string label_with_shape(const OpsReport& table, const ShownOps& ops, std::uint32_t kind) {
  const KindFacts& facts = ops.facts[kind];
  std::string text = readable_label(facts.label);
  if (facts.is_matmul || facts.is_conv) return text;
  const std::string shapes = shapes_text(table, table.kinds[kind]);
  if (!shapes.empty()) text.append(" ").append(shapes);
  return text;
}

}  // namespace ttscope::perf
