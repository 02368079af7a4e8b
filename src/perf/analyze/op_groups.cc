#include "perf/analyze/op_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/ids.h"
#include "base/module_path.h"
#include "base/text.h"
#include "perf/analyze/kind_facts.h"
#include "perf/analyze/roofline.h"
#include "perf/analyze/window.h"

namespace ttscope::perf {
namespace {

/// What is summed up of a group while its rows are met.
struct GroupSum {
  ShapeGroup group;
  double mean = 0;
  double squares = 0;
  double ideal_us = 0;
  double us_with_ideal = 0;
  std::array<double, kOpLimitCount> us_by_limit{};
  bool has_cores = false;

  void add_time(double us, const OpBound& bound) {
    ++group.measured;
    group.device_us += us;
    const double before = us - mean;
    mean += before / static_cast<double>(group.measured);
    squares += before * (us - mean);
    us_by_limit[static_cast<std::size_t>(bound.limit)] += us;
    if (!(bound.ideal_us > 0)) return;
    ideal_us += static_cast<double>(bound.ideal_us);
    us_with_ideal += us;
  }

  void add_cores(double cores) {
    if (!has_cores) group.cores = cores;
    if (group.cores != cores) group.cores = kNoNumber;
    has_cores = true;
  }

  void finish() {
    if (group.measured > 0) group.mean_us = mean;
    if (group.measured > 1 && mean > 0) {
      const double variance = squares / static_cast<double>(group.measured - 1);
      group.spread_percent = std::sqrt(std::max(0.0, variance)) / mean * 100;
    }
    if (us_with_ideal > 0) group.peak_percent = ideal_us / us_with_ideal * 100;
    const auto most = std::max_element(us_by_limit.begin(), us_by_limit.end());
    if (*most > 0) group.limit = static_cast<OpLimit>(most - us_by_limit.begin());
    if (group.is_host) group.limit = OpLimit::kHost;
  }
};

/// Finds the group of each row; what makes one is worked out once for a kind.
class ShapeGrouper {
 public:
  ShapeGrouper(const OpsReport& table, const ShownOps& ops, const std::string& wanted)
      : report_(table), ops_(ops), wanted_(wanted), by_kind_(table.kinds.size(), kUnseen) {}

  void add(std::uint32_t index, const OpBound& bound);
  ShapeGroups take();

 private:
  static constexpr std::uint32_t kUnseen = kNone - 1;

  std::uint32_t place_of(std::uint32_t kind);

  const OpsReport& report_;
  const ShownOps& ops_;
  const std::string& wanted_;
  std::vector<std::uint32_t> by_kind_;  ///< kNone: not wanted
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::vector<GroupSum> sums_;
  std::vector<std::uint32_t> group_of_;
};

std::uint32_t ShapeGrouper::place_of(std::uint32_t kind) {
  std::uint32_t& place = by_kind_[kind];
  if (place != kUnseen) return place;
  const KindFacts& facts = ops_.facts[kind];
  if (!is_named_like(facts, wanted_)) return place = kNone;
  const std::string text =
      facts.label + '\n' + shapes_text(report_, report_.kinds[kind]) + '\n' + facts.fidelity;
  const auto [found, is_new] = by_text_.try_emplace(text, static_cast<std::uint32_t>(sums_.size()));
  if (is_new) sums_.emplace_back().group.kind = kind;
  return place = found->second;
}

void ShapeGrouper::add(std::uint32_t index, const OpBound& bound) {
  const ShownOp& row = ops_.rows[index];
  const std::uint32_t kind = report_.rows[row.row].kind;
  const std::uint32_t place = row.is_signpost ? kNone : place_of(kind);
  group_of_.push_back(place);
  if (place == kNone) return;
  GroupSum& sum = sums_[place];
  if (sum.group.rows++ == 0) sum.group.first_row = index;
  sum.group.is_host = sum.group.is_host || row.is_host;
  if (has_number(row.total_percent)) sum.group.total_percent += row.total_percent;
  const bool is_apart = ops_.compile_gaps_apart && is_compile_gap(row);
  if (has_number(row.gap_us) && !is_apart) sum.group.gap_us += row.gap_us;
  if (has_number(row.device_us)) sum.add_time(row.device_us, bound);
  sum.add_cores(ops_.facts[kind].cores);
}

ShapeGroups ShapeGrouper::take() {
  ShapeGroups result;
  result.group_of = std::move(group_of_);
  for (GroupSum& sum : sums_) {
    sum.finish();
    result.groups.push_back(sum.group);
  }
  return result;
}

/// What the largest comes first by; missing figures come last.
double figure_of(const ShapeGroup& group, OpOrder order) {
  const auto or_last = [](double number) { return has_number(number) ? number : -1; };
  switch (order) {
    case OpOrder::kTime:
      return group.device_us;
    case OpOrder::kGap:
      return group.gap_us;
    case OpOrder::kCount:
      return static_cast<double>(group.rows);
    case OpOrder::kMean:
      return or_last(group.mean_us);
    case OpOrder::kSpread:
      return or_last(group.spread_percent);
    default:
      return group.total_percent;
  }
}

}  // namespace

std::string shape_text(const OpTensor& tensor) {
  if (!tensor.has_shape()) return {};
  std::string text;
  for (std::size_t i = 0; i < tensor.padded.size(); ++i) {
    const bool is_last = i + 1 == tensor.padded.size();
    if (text.empty() && tensor.padded[i] == 1 && !is_last) continue;
    text.append(text.empty() ? "" : "x").append(std::to_string(tensor.padded[i]));
  }
  return text;
}

std::string shapes_text(const OpsReport& table, const OpKind& kind) {
  std::string text;
  std::string first;
  for (std::size_t i = 0; i < 2; ++i) {
    const OpTensor* input = table.input(kind, i);
    const std::string shape = input == nullptr ? std::string() : shape_text(*input);
    if (i == 0) first = shape;
    if (!shape.empty()) text.append(text.empty() ? "" : ", ").append(shape);
  }
  const OpTensor* output = table.output(kind, 0);
  const std::string shape = output == nullptr ? std::string() : shape_text(*output);
  if (!shape.empty() && shape != first) text.append(text.empty() ? "=> " : " => ").append(shape);
  return text;
}

std::string tensors_text(const OpsReport& table, const OpKind& kind) {
  std::string text;
  const auto add = [&](std::string_view place, std::size_t index, const OpTensor& tensor) {
    if (!tensor.is_present() && !tensor.has_shape()) return;
    text.append(text.empty() ? "" : "\n").append(place).append(std::to_string(index)).append(":");
    std::string shape = shape_text(tensor);
    if (tensor.has_shape() && tensor.logical != tensor.padded && tensor.logical[3] >= 0) {
      OpTensor logical = tensor;
      logical.padded = tensor.logical;
      shape += " [" + shape_text(logical) + "]";
    }
    for (const std::string_view part : {std::string_view(shape), table.text(tensor.datatype),
                                        table.text(tensor.layout), table.text(tensor.memory)}) {
      if (!part.empty()) text.append(" ").append(part);
    }
  };
  for (std::size_t i = 0; i < kind.input_count; ++i) add("in ", i, *table.input(kind, i));
  for (std::size_t i = 0; i < kind.output_count; ++i) add("out ", i, *table.output(kind, i));
  return text;
}

bool is_named_like(const KindFacts& facts, const std::string& wanted) {
  return wanted.empty() || contains(lower(facts.label), lower(wanted));
}

Result<void> check_wanted_op(const OpsReport& table, const ShownOps& ops, const std::string& wanted) {
  if (wanted.empty()) return {};
  std::vector<bool> is_seen(ops.facts.size());
  std::vector<std::string> names;
  for (const ShownOp& row : ops.rows) {
    const std::uint32_t kind = table.rows[row.row].kind;
    if (row.is_signpost || is_seen[kind]) continue;
    if (is_named_like(ops.facts[kind], wanted)) return {};
    is_seen[kind] = true;
    // Without shape and ending, which nobody types: `Matmul` of `MatmulDeviceOperation 32 x 64 x 64`.
    std::string_view name = ops.facts[kind].label;
    name = name.substr(0, name.find(' '));
    names.emplace_back(name.substr(0, name.find("DeviceOperation")));
  }
  std::vector<std::string> lowered;
  lowered.reserve(names.size());
  for (const std::string& name : names) lowered.push_back(lower(name));
  const std::string_view near =
      nearest_name(lower(wanted), std::vector<std::string_view>(lowered.begin(), lowered.end()));
  std::string hint;
  for (std::size_t i = 0; i < names.size() && hint.empty(); ++i)
    if (!near.empty() && lowered[i] == near) hint = "; did you mean " + names[i] + "?";
  return failure(nothing_found("--op " + wanted + ": no op of the window has such a name" + hint));
}

ShapeGroups find_shape_groups(const OpsReport& table, const ShownOps& ops, const OpBounds& bounds,
                              const std::string& wanted) {
  ShapeGrouper grouper(table, ops, wanted);
  for (std::uint32_t i = 0; i < ops.rows.size(); ++i) grouper.add(i, bounds.rows[i]);
  return grouper.take();
}

void sort_groups(std::vector<ShapeGroup>& groups, const ShownOps& ops, OpOrder order) {
  std::stable_sort(groups.begin(), groups.end(), [&](const ShapeGroup& a, const ShapeGroup& b) {
    if (order == OpOrder::kRow) return a.first_row < b.first_row;
    if (order == OpOrder::kName) return ops.facts[a.kind].label < ops.facts[b.kind].label;
    return figure_of(a, order) > figure_of(b, order);
  });
}

namespace {

/// Mean and spread of values, each seen once (Welford).
struct Spread {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void add(double value) {
    ++count;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }
};

struct Accumulator {
  StackSum sum;
  PreciseSum device_us;
  Spread flops;
  PreciseSum flops_sum;
};

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }

/// `dram_interleaved` of `DEV_1_DRAM_INTERLEAVED`: the last two words.
std::string memory_name(std::string_view memory) {
  const std::size_t last = memory.rfind('_');
  if (last == std::string_view::npos || last == 0) return lower(memory);
  const std::size_t before = memory.rfind('_', last - 1);
  return lower(before == std::string_view::npos ? memory : memory.substr(before + 1));
}

class Stacker {
 public:
  Stacker(const OpsReport& table, const ShownOps& ops, const StackOptions& options)
      : report_(table), ops_(ops), options_(options), names_(ops.facts.size()) {
    if (!is_by_signpost(options.by)) return;
    signposts_ = last_signposts(table);
    has_signposts_ = std::any_of(signposts_.begin(), signposts_.end(), [](auto one) { return one != 0; });
  }

  std::vector<StackSum> sums();

 private:
  struct Key {
    std::string name;
    std::int32_t device;
    bool operator<(const Key& other) const {
      return name != other.name ? name < other.name : device < other.device;
    }
  };

  std::string name_of_row(std::uint32_t row);
  const std::string& name_of_kind(const OpRow& row);
  const std::string& module_of_kind(const OpRow& row);
  void add(const ShownOp& row);

  const OpsReport& report_;
  const ShownOps& ops_;
  const StackOptions& options_;
  std::vector<std::string> names_;                   ///< by kind; empty: not asked yet
  std::vector<std::optional<std::string>> modules_;  ///< by kind; none: not asked yet
  std::vector<std::uint32_t> signposts_;
  std::unordered_map<std::uint32_t, std::string> signpost_modules_;
  std::map<Key, Accumulator> sums_;
  bool has_signposts_ = false;
};

std::string Stacker::name_of_row(std::uint32_t row) {
  if (!is_by_signpost(options_.by)) return name_of_kind(report_.rows[row]);
  if (options_.by == StackBy::kModule) {
    const std::string& module = module_of_kind(report_.rows[row]);
    if (!module.empty()) return module;
  }
  const std::uint32_t signpost = signposts_[row];
  if (signpost == 0)
    return options_.by == StackBy::kModule && !has_signposts_ ? "(no module)" : "(before any signpost)";
  const std::string_view name = report_.text(report_.kind_of(report_.rows[signpost - 1]).op_code);
  if (options_.by != StackBy::kModule) return std::string(name);
  std::string& module = signpost_modules_[signpost];
  if (module.empty()) module = module_name(name);
  return module;
}

/// Empty where neither location nor attributes name one.
const std::string& Stacker::module_of_kind(const OpRow& row) {
  if (modules_.empty()) modules_.resize(report_.kinds.size());
  std::optional<std::string>& module = modules_[row.kind];
  if (module) return *module;
  const OpKind& kind = report_.kinds[row.kind];
  module = module_of_location(report_.text(kind.location));
  if (module->empty()) module = module_in_attributes(report_.text(kind.attributes));
  return *module;
}

const std::string& Stacker::name_of_kind(const OpRow& row) {
  std::string& name = names_[row.kind];
  if (!name.empty()) return name;
  const KindFacts& facts = ops_.facts[row.kind];
  if (options_.by == StackBy::kCategory) return name = name_of(facts.category);
  name = first_word(facts.label);
  const OpTensor* in0 = report_.input(report_.kinds[row.kind], 0);
  const std::string_view memory = in0 == nullptr ? std::string_view{} : report_.text(in0->memory);
  if (options_.by == StackBy::kMemory && !memory.empty()) name += " (in0:" + memory_name(memory) + ")";
  if (name.empty()) name = "(unnamed)";
  return name;
}

void Stacker::add(const ShownOp& row) {
  const OpRow& op = report_.rows[row.row];
  if (row.is_signpost || (row.is_host && options_.no_host_ops)) return;
  Accumulator& group = sums_[{name_of_row(row.row), options_.per_device ? op.device : -1}];
  StackEntry& entry = group.sum.entry;
  if (entry.ops++ == 0) {
    group.sum.first_kind = op.kind;
    if (!is_by_signpost(options_.by))
      entry.category = row.is_host ? OpCategory::kHost : ops_.facts[op.kind].category;
  }
  const double device_us = has_number(row.device_us) ? row.device_us : 0;
  group.device_us.add(device_us);
  if (has_number(row.total_percent)) entry.percent += row.total_percent;
  if (!has_number(row.flops_percent)) return;
  entry.flops_min = group.flops.count == 0 ? row.flops_percent : std::min(entry.flops_min, row.flops_percent);
  entry.flops_max = group.flops.count == 0 ? row.flops_percent : std::max(entry.flops_max, row.flops_percent);
  group.flops.add(row.flops_percent);
  group.flops_sum.add(row.flops_percent);
  group.sum.weighted.add(row.flops_percent * device_us);
  group.sum.weights.add(device_us);
}

std::vector<StackSum> Stacker::sums() {
  for (const ShownOp& row : ops_.rows) add(row);
  std::vector<StackSum> sums;
  for (auto& [key, group] : sums_) {
    StackEntry& entry = group.sum.entry;
    entry.name = key.name;
    entry.device = key.device;
    entry.device_us = group.device_us.total;
    if (group.flops.count > 0) entry.flops_mean = group.flops_sum.total / group.flops.count;
    if (group.flops.count > 1) entry.flops_std = std::sqrt(group.flops.squares / (group.flops.count - 1));
    sums.push_back(group.sum);
  }
  return sums;
}

}  // namespace

std::string module_name(std::string_view signpost) {
  constexpr std::array<std::string_view, 12> kMarks = {"started", "starts",   "start",  "begins",
                                                       "begin",   "finished", "finish", "ended",
                                                       "ends",    "end",      "stop",   "forward"};
  std::string name;
  for (std::size_t at = 0; at < signpost.size();) {
    const std::size_t word_start = std::min(signpost.find_first_not_of(" _:-", at), signpost.size());
    const std::size_t word_end = std::min(signpost.find_first_of(" _:-", word_start), signpost.size());
    const std::string_view word = signpost.substr(word_start, word_end - word_start);
    if (std::find(kMarks.begin(), kMarks.end(), lower(word)) == kMarks.end()) {
      name += signpost.substr(at, word_end - at);
    }
    at = std::max(word_end, at + 1);
  }
  std::string module;
  for (const char letter : trimmed(name)) {
    const bool is_digit = letter >= '0' && letter <= '9';
    if (!is_digit) {
      module += letter;
    } else if (module.empty() || module.back() != '*') {
      module += '*';
    }
  }
  return module.empty() ? std::string(signpost) : module;
}

std::vector<StackEntry> stack_modules(const OpsReport& table, const ShownOps& ops) {
  std::vector<StackEntry> entries = stack_ops(table, ops, {.by = StackBy::kModule});
  if (entries.size() < 2) entries.clear();
  return entries;
}

bool is_by_signpost(StackBy by) { return by == StackBy::kSignpost || by == StackBy::kModule; }

std::vector<StackSum> sum_stack(const OpsReport& table, const ShownOps& ops, const StackOptions& options) {
  return Stacker(table, ops, options).sums();
}

std::vector<StackEntry> stack_ops(const OpsReport& table, const ShownOps& ops, const StackOptions& options) {
  std::vector<StackEntry> entries;
  for (const StackSum& sum : sum_stack(table, ops, options)) {
    StackEntry& entry = entries.emplace_back(sum.entry);
    if (sum.weights.total > 0) entry.flops_weighted_mean = sum.weighted.total / sum.weights.total;
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const StackEntry& a, const StackEntry& b) { return a.device_us > b.device_us; });
  return entries;
}

std::vector<PathSum> path_sums(const OpsReport& table, const ShownOps& ops) {
  std::map<std::tuple<PathPartKind, bool, std::string, std::int32_t>, PathSum> sums;
  for (const PathPart& part : ops.path.parts) {
    const std::uint32_t kind = table.rows[part.row].kind;
    const std::string name = part.kind == PathPartKind::kGap ? std::string() : ops.facts[kind].label;
    PathSum& sum = sums[{part.kind, part.is_compile, name, part.device}];
    sum.us += part.us;
    ++sum.parts;
    sum.kind = kind;
    sum.device = part.device;
    sum.part = part.kind;
    sum.is_compile = part.is_compile;
  }
  std::vector<PathSum> list;
  list.reserve(sums.size());
  for (const auto& [key, sum] : sums) list.push_back(sum);
  std::stable_sort(list.begin(), list.end(), [](const PathSum& a, const PathSum& b) { return a.us > b.us; });
  return list;
}

namespace {

constexpr std::string_view kLayoutNames[] = {
    "Tilize",  "Untilize", "Typecast",     "FillPad",        "InterleavedToSharded", "ShardedToInterleaved",
    "Reshard", "ToLayout", "ToMemoryConf", "CopyDeviceOper", "CloneOperation"};
constexpr std::string_view kStructuralNames[] = {"Permute", "Transpose", "Reshape", "Slice",  "Concat",
                                                 "Split",   "Heads",     "Repeat",  "PadDev", "Fold"};
/// Names with such a word compute, or write into a tensor that is there.
constexpr std::string_view kOtherNames[] = {"Matmul", "Conv2d", "Attention", "SDPA", "Cache", "SliceWrite"};
/// Select or add by element, whatever category people know them in.
constexpr std::string_view kComputeNames[] = {"Ternary", "Where"};

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
  if (!has_word(name, kOtherNames)) {
    if (has_word(name, kLayoutNames) || name == "Copy") return MovementClass::kLayout;
    if (has_word(name, kStructuralNames) || name == "Pad") return MovementClass::kStructural;
  }
  if (has_word(name, kComputeNames)) return MovementClass::kComputes;
  if (category == OpCategory::kTm) return MovementClass::kStructural;
  return category == OpCategory::kCompute ? MovementClass::kComputes : MovementClass::kOther;
}

double moved_bytes(const OpsReport& table, const OpKind& kind) {
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

std::string distinct_name(const OpsReport& table, const KindFacts& facts, const OpKind& kind) {
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
