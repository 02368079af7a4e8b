#include "perf/analyse/advice/movement.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/text_search.h"
#include "perf/analyse/advice/distinct_name.h"
#include "perf/analyse/ops/op_traffic.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kLayoutWords[] = {
    "Tilize",  "Untilize", "Typecast",     "FillPad",        "InterleavedToSharded", "ShardedToInterleaved",
    "Reshard", "ToLayout", "ToMemoryConf", "CopyDeviceOper", "CloneOperation"};
constexpr std::string_view kStructuralWords[] = {"Permute", "Transpose", "Reshape", "Slice",  "Concat",
                                                 "Split",   "Heads",     "Repeat",  "PadDev", "Fold"};
/// Names with such a word compute, or write into a tensor that is there.
constexpr std::string_view kOtherWords[] = {"Matmul", "Conv2d", "Attention", "SDPA", "Cache", "SliceWrite"};
/// Select or add by element, whatever category people know them in.
constexpr std::string_view kComputingWords[] = {"Ternary", "Where"};

template <typename Words>
bool has_word(std::string_view name, const Words& words) {
  return std::any_of(std::begin(words), std::end(words),
                     [&](std::string_view word) { return contains(name, word); });
}

}  // namespace

std::string_view key_of(MovementClass movement) {
  constexpr std::array<std::string_view, kMovementClassCount> kKeys = {"compute", "collective", "layout",
                                                                       "structural", "other"};
  return kKeys[static_cast<std::size_t>(movement)];
}

bool is_view(std::string_view op_name) { return contains(op_name, "View"); }

MovementClass movement_of(std::string_view op_name, OpCategory category) {
  if (category == OpCategory::kCcl) return MovementClass::kCollective;
  const std::string_view name = op_name.substr(0, op_name.find(' '));
  if (!has_word(name, kOtherWords)) {
    if (has_word(name, kLayoutWords) || name == "Copy") return MovementClass::kLayout;
    if (has_word(name, kStructuralWords) || name == "Pad") return MovementClass::kStructural;
  }
  if (has_word(name, kComputingWords)) return MovementClass::kComputes;
  if (category == OpCategory::kTm) return MovementClass::kStructural;
  return category == OpCategory::kCompute ? MovementClass::kComputes : MovementClass::kOther;
}

double moved_bytes(const OpsReport& table, const ReportKind& kind) {
  double in = 0;
  double out = 0;
  for (std::size_t i = 0; i < kind.input_count; ++i) in += tensor_bytes(table, *table.input(kind, i), true);
  for (std::size_t i = 0; i < kind.output_count; ++i)
    out += tensor_bytes(table, *table.output(kind, i), true);
  // A slice takes no more than it gives, a concatenation gives all that it takes.
  return kind.output_count > 0 && contains(table.text(kind.op_code), "Slice") ? out : std::max(in, out);
}

MovementBudget find_movement(const OpsReport& table, const ShownOps& ops) {
  MovementBudget budget;
  std::map<std::uint32_t, std::string> names;  // by kind
  std::map<std::string, Conversion> by_name;
  for (const ShownOp& row : ops.rows) {
    if (row.is_signpost) continue;
    if (!has_number(row.device_us)) {
      const double firmware_ns = row.is_host ? 0 : table.rows[row.row].fw_duration_ns;
      if (!(firmware_ns > 0)) continue;
      ++budget.unmeasured_ops;
      budget.unmeasured_us += firmware_ns / 1000;
      continue;
    }
    const std::uint32_t kind = table.rows[row.row].kind;
    const MovementClass movement =
        row.is_host ? MovementClass::kOther
                    : movement_of(table.text(table.kinds[kind].op_code), ops.facts[kind].category);
    budget.device_us[static_cast<std::size_t>(movement)] += row.device_us;
    if (movement != MovementClass::kLayout && movement != MovementClass::kStructural) continue;
    std::string& name = names[kind];
    if (name.empty()) name = distinct_name(table, ops.facts[kind], table.kinds[kind]);
    Conversion& conversion = by_name[name];
    if (conversion.ops++ == 0) conversion.kind = kind;
    conversion.movement = movement;
    conversion.device_us += row.device_us;
    const double bytes = moved_bytes(table, table.kinds[kind]);
    conversion.bytes += bytes;
    if (bytes > 0) conversion.us_with_bytes += row.device_us;
  }
  for (const auto& [name, conversion] : by_name) budget.conversions.push_back(conversion);
  std::stable_sort(budget.conversions.begin(), budget.conversions.end(),
                   [](const Conversion& a, const Conversion& b) { return a.device_us > b.device_us; });
  if (budget.conversions.size() > MovementBudget::kConversionsListed)
    budget.conversions.resize(MovementBudget::kConversionsListed);
  return budget;
}

}  // namespace ttscope::perf
