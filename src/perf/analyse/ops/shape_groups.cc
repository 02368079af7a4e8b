#include "perf/analyse/ops/shape_groups.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/edit_distance.h"
#include "base/none.h"
#include "base/text_search.h"

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
      : table_(table), ops_(ops), wanted_(wanted), by_kind_(table.kinds.size(), kUnseen) {}

  void add(std::uint32_t index, const OpBound& bound);
  ShapeGroups take();

 private:
  static constexpr std::uint32_t kUnseen = kNone - 1;

  std::uint32_t place_of(std::uint32_t kind);

  const OpsReport& table_;
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
      facts.label + '\n' + shapes_text(table_, table_.kinds[kind]) + '\n' + facts.fidelity;
  const auto [found, is_new] = by_text_.try_emplace(text, static_cast<std::uint32_t>(sums_.size()));
  if (is_new) sums_.emplace_back().group.kind = kind;
  return place = found->second;
}

void ShapeGrouper::add(std::uint32_t index, const OpBound& bound) {
  const ShownOp& row = ops_.rows[index];
  const std::uint32_t kind = table_.rows[row.row].kind;
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

std::string shapes_text(const OpsReport& table, const ReportKind& kind) {
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

std::string tensors_text(const OpsReport& table, const ReportKind& kind) {
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

}  // namespace ttscope::perf
