#include "mem/analyse/weight_flow.h"

#include <algorithm>
#include <charconv>

namespace ttscope::mem {
namespace {

std::uint64_t key_of(std::uint32_t graph, std::uint32_t name) { return std::uint64_t{graph} << 32 | name; }

void add_all(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  for (const std::uint32_t id : from) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

}  // namespace

std::uint32_t argument_number(std::string_view name) {
  constexpr std::string_view kPrefix = "%arg";
  if (!name.starts_with(kPrefix)) return kNone;
  std::uint32_t position = kNone;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, position);
  return error == std::errc() && stop == end ? position : kNone;
}

WeightFlow::WeightFlow(const RuntimeTrace& trace, const MemoryProfile& profile)
    : trace_(trace), profile_(profile), positions_(trace.names.size()) {
  for (std::uint32_t id = 0; id < trace.names.size(); ++id) positions_[id] = argument_number(trace.names[id]);
  for (std::uint32_t i = 0; i < profile.arguments.size(); ++i) {
    const Argument& argument = profile.arguments[i];
    if (argument.is_weight()) arguments_.emplace(key_of(argument.graph, argument.ssa), i);
  }
}

void WeightFlow::use_rank(std::uint32_t rank) {
  rank_ = rank;
  instance_ = kNone;
  in_const_eval_ = false;
  scopes_.clear();
}

bool WeightFlow::inside_const_eval(std::uint32_t instance) const {
  const auto& summaries = profile_.ranks[rank_].programs;
  for (; instance < summaries.size(); instance = trace_.ranks[rank_].programs[instance].parent) {
    if (summaries[instance].const_eval) return true;
  }
  return false;
}

bool WeightFlow::is_ancestor(std::uint32_t ancestor, std::uint32_t instance) const {
  const auto& programs = trace_.ranks[rank_].programs;
  while (instance < programs.size() && instance != ancestor) instance = programs[instance].parent;
  return instance == ancestor;
}

void WeightFlow::add_argument(Weights& to, std::uint32_t instance, std::uint32_t name) const {
  const auto& summaries = profile_.ranks[rank_].programs;
  if (positions_[name] == kNone || instance >= summaries.size()) return;
  const auto found = arguments_.find(key_of(summaries[instance].graph, name));
  if (found != arguments_.end()) add_all(to, {found->second});
}

const WeightFlow::Weights* WeightFlow::find(const Scope& scope, std::uint32_t name) const {
  if (positions_[name] < scope.arguments.size()) return &scope.arguments[positions_[name]];
  const auto found = scope.values.find(name);
  return found == scope.values.end() ? nullptr : &found->second;
}

/// Opens the scope of a const-eval program: its arguments are the operands of the op that called it.
void WeightFlow::enter(std::uint32_t instance) {
  instance_ = instance;
  while (!scopes_.empty() && !is_ancestor(scopes_.back().instance, instance)) scopes_.pop_back();
  in_const_eval_ = inside_const_eval(instance);
  if (!in_const_eval_ || (!scopes_.empty() && scopes_.back().instance == instance)) return;
  Scope scope;
  scope.instance = instance;
  const RankTrace& rank = trace_.ranks[rank_];
  const std::uint32_t caller = rank.programs[instance].caller_op;
  const OpText* text = caller < rank.ops.size() ? trace_.text_of(rank.ops[caller]) : nullptr;
  if (text != nullptr) {
    for (const std::uint32_t operand : trace_.ids(text->operands)) {
      Weights& weights = scope.arguments.emplace_back();
      if (scopes_.empty()) {
        add_argument(weights, rank.ops[caller].instance, operand);
      } else if (const Weights* known = find(scopes_.back(), operand)) {
        weights = *known;
      }
    }
  }
  scopes_.push_back(std::move(scope));
}

std::span<const std::uint32_t> WeightFlow::weights_of(std::uint32_t op) {
  const ExecutedOp& record = trace_.ranks[rank_].ops[op];
  weights_.clear();
  if (record.instance != instance_) enter(record.instance);
  const OpText* text = trace_.text_of(record);
  if (text == nullptr) return weights_;
  for (const std::uint32_t operand : trace_.ids(text->operands)) {
    if (!in_const_eval_) {
      add_argument(weights_, record.instance, operand);
    } else if (const Weights* known = find(scopes_.back(), operand)) {
      add_all(weights_, *known);
    }
  }
  if (!in_const_eval_ || weights_.empty()) return weights_;
  for (const std::uint32_t result : trace_.ids(text->results)) scopes_.back().values[result] = weights_;
  return weights_;
}

}  // namespace ttscope::mem
