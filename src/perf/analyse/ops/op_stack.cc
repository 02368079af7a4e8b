#include "perf/analyse/ops/op_stack.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/module_path.h"
#include "base/text_search.h"
#include "perf/analyse/ops/op_sections.h"

namespace ttscope::perf {
namespace {

/// Sums without losing the small ones (Kahan); totals of a million ops must still add up.
struct Sum {
  double total = 0;
  double lost = 0;

  void add(double value) {
    const double corrected = value - lost;
    const double next = total + corrected;
    lost = (next - total) - corrected;
    total = next;
  }
};

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
  StackEntry entry;
  Sum device_us;
  Spread flops;
  Sum flops_sum;
  Sum weighted;
  Sum weights;
};

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }

/// `dram_interleaved` of `DEV_1_DRAM_INTERLEAVED`: the last two words.
std::string memory_words(std::string_view memory) {
  const std::size_t last = memory.rfind('_');
  if (last == std::string_view::npos || last == 0) return lower(memory);
  const std::size_t before = memory.rfind('_', last - 1);
  return lower(before == std::string_view::npos ? memory : memory.substr(before + 1));
}

bool is_by_signpost(StackBy by) { return by == StackBy::kSignpost || by == StackBy::kModule; }

class Stacker {
 public:
  Stacker(const OpsReport& table, const ShownOps& ops, const StackOptions& options)
      : table_(table), ops_(ops), options_(options), names_(ops.facts.size()) {
    if (!is_by_signpost(options.by)) return;
    signposts_ = last_signposts(table);
    has_signposts_ = std::any_of(signposts_.begin(), signposts_.end(), [](auto one) { return one != 0; });
  }

  std::vector<StackEntry> stack();

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
  void finish(Accumulator& sum);
  void set_percent(std::vector<StackEntry>& entries) const;

  const OpsReport& table_;
  const ShownOps& ops_;
  const StackOptions& options_;
  std::vector<std::string> names_;                   ///< by kind; empty: not asked yet
  std::vector<std::optional<std::string>> modules_;  ///< by kind; none: not asked yet
  std::vector<std::uint32_t> signposts_;
  std::unordered_map<std::uint32_t, std::string> signpost_modules_;
  std::map<Key, Accumulator> sums_;
  std::map<std::string, std::pair<Sum, Sum>> weighted_by_name_;
  bool has_signposts_ = false;
};

std::string Stacker::name_of_row(std::uint32_t row) {
  if (!is_by_signpost(options_.by)) return name_of_kind(table_.rows[row]);
  if (options_.by == StackBy::kModule) {
    const std::string& module = module_of_kind(table_.rows[row]);
    if (!module.empty()) return module;
  }
  const std::uint32_t signpost = signposts_[row];
  if (signpost == 0)
    return options_.by == StackBy::kModule && !has_signposts_ ? "(no module)" : "(before any signpost)";
  const std::string_view name = table_.text(table_.kind_of(table_.rows[signpost - 1]).op_code);
  if (options_.by != StackBy::kModule) return std::string(name);
  std::string& module = signpost_modules_[signpost];
  if (module.empty()) module = module_name(name);
  return module;
}

/// Empty where neither location nor attributes name one.
const std::string& Stacker::module_of_kind(const OpRow& row) {
  if (modules_.empty()) modules_.resize(table_.kinds.size());
  std::optional<std::string>& module = modules_[row.kind];
  if (module) return *module;
  const ReportKind& kind = table_.kinds[row.kind];
  module = module_of_location(table_.text(kind.location));
  if (module->empty()) module = module_in_attributes(table_.text(kind.attributes));
  return *module;
}

const std::string& Stacker::name_of_kind(const OpRow& row) {
  std::string& name = names_[row.kind];
  if (!name.empty()) return name;
  const KindFacts& facts = ops_.facts[row.kind];
  if (options_.by == StackBy::kCategory) return name = name_of(facts.category);
  name = first_word(facts.label);
  const OpTensor* in0 = table_.input(table_.kinds[row.kind], 0);
  const std::string_view memory = in0 == nullptr ? std::string_view{} : table_.text(in0->memory);
  if (options_.by == StackBy::kMemory && !memory.empty()) name += " (in0:" + memory_words(memory) + ")";
  if (name.empty()) name = "(unnamed)";
  return name;
}

void Stacker::add(const ShownOp& row) {
  const OpRow& op = table_.rows[row.row];
  if (row.is_signpost || (row.is_host && options_.no_host_ops)) return;
  if (options_.per_device && op.device < 0 && !options_.rules->stacks_ops_without_device) return;
  Accumulator& sum = sums_[{name_of_row(row.row), options_.per_device ? op.device : -1}];
  StackEntry& entry = sum.entry;
  if (entry.ops++ == 0 && !is_by_signpost(options_.by))
    entry.category = row.is_host && options_.rules->knows_all_categories ? OpCategory::kHost
                                                                         : ops_.facts[op.kind].category;
  const double device_us = has_number(row.device_us) ? row.device_us : 0;
  sum.device_us.add(device_us);
  if (options_.rules->shares_wall_time && has_number(row.total_percent)) entry.percent += row.total_percent;
  if (!has_number(row.flops_percent)) return;
  entry.flops_min = sum.flops.count == 0 ? row.flops_percent : std::min(entry.flops_min, row.flops_percent);
  entry.flops_max = sum.flops.count == 0 ? row.flops_percent : std::max(entry.flops_max, row.flops_percent);
  sum.flops.add(row.flops_percent);
  sum.flops_sum.add(row.flops_percent);
  sum.weighted.add(row.flops_percent * device_us);
  sum.weights.add(device_us);
}

void Stacker::finish(Accumulator& sum) {
  StackEntry& entry = sum.entry;
  entry.device_us = sum.device_us.total;
  if (sum.flops.count > 0) entry.flops_mean = sum.flops_sum.total / sum.flops.count;
  if (sum.flops.count > 1) entry.flops_std = std::sqrt(sum.flops.squares / (sum.flops.count - 1));
  const auto& [weighted, weights] = options_.rules->averages_flops_by_device
                                        ? std::pair(sum.weighted, sum.weights)
                                        : weighted_by_name_[entry.name];
  if (weights.total > 0) entry.flops_weighted_mean = weighted.total / weights.total;
}

void Stacker::set_percent(std::vector<StackEntry>& entries) const {
  std::map<std::int32_t, Sum> totals;
  for (const StackEntry& entry : entries) totals[entry.device].add(entry.device_us);
  for (StackEntry& entry : entries) {
    if (options_.rules->shares_wall_time) continue;
    const double total = totals[entry.device].total;
    entry.percent = total > 0 ? entry.device_us / total * 100 : 0;
  }
}

std::vector<StackEntry> Stacker::stack() {
  for (const ShownOp& row : ops_.rows) add(row);
  for (auto& [key, sum] : sums_) {
    sum.entry.name = key.name;
    sum.entry.device = key.device;
    auto& [weighted, weights] = weighted_by_name_[key.name];
    weighted.add(sum.weighted.total);
    weights.add(sum.weights.total);
  }
  std::vector<StackEntry> entries;
  for (auto& [key, sum] : sums_) {
    finish(sum);
    entries.push_back(sum.entry);
  }
  set_percent(entries);
  std::stable_sort(entries.begin(), entries.end(),
                   [](const StackEntry& a, const StackEntry& b) { return a.device_us > b.device_us; });
  return entries;
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

std::vector<StackEntry> stack_ops(const OpsReport& table, const ShownOps& ops, const StackOptions& options) {
  return Stacker(table, ops, options).stack();
}

}  // namespace ttscope::perf
