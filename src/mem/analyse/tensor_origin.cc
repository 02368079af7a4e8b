#include "mem/analyse/tensor_origin.h"

#include <algorithm>

#include "mem/analyse/graphs.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {
namespace {

template <typename Visit>
void each_made(const RuntimeTrace& trace, const RankTrace& rank, const Visit& visit) {
  for (std::uint32_t op = 0; op < rank.ops.size(); ++op) {
    const OpText* text = trace.text_of(rank.ops[op]);
    if (text == nullptr || text->role == OpRole::kDeallocate) continue;
    for (const std::uint32_t name : trace.ids(text->results)) {
      if (name < trace.names.size()) visit(name, op);
    }
  }
}

}  // namespace

OriginFinder::OriginFinder(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank)
    : trace_(trace),
      profile_(profile),
      rank_number_(rank),
      rank_(trace.ranks[rank]),
      first_maker_(trace.names.size() + 1) {
  each_made(trace_, rank_, [&](std::uint32_t name, std::uint32_t) { ++first_maker_[name + 1]; });
  for (std::size_t name = 1; name < first_maker_.size(); ++name) first_maker_[name] += first_maker_[name - 1];
  makers_.resize(first_maker_.back());
  std::vector<std::uint32_t> next(first_maker_.begin(), first_maker_.end() - 1);
  each_made(trace_, rank_, [&](std::uint32_t name, std::uint32_t op) { makers_[next[name]++] = op; });
}

std::uint32_t OriginFinder::find(std::uint32_t name, std::uint32_t op) const {
  constexpr int kMostSteps = 1000;  // chains of one tensor are short; a log may be anything
  for (int step = 0; step < kMostSteps && name != kNone; ++step) {
    if (const std::uint32_t maker = maker_of(name, op); maker != kNone) {
      op = maker;
      name = only_tensor_of(op);
      continue;
    }
    const std::uint32_t instance = op < rank_.ops.size() ? rank_.ops[op].instance : kNone;
    if (instance >= rank_.programs.size()) return kNone;
    const ProgramInstance& program = rank_.programs[instance];
    if (program.parent == kNone) return described(name, instance);
    name = passed_as(name, program.caller_op);
    op = program.caller_op;
  }
  return kNone;
}

/// Devices are operands too, and no tensors.
std::uint32_t OriginFinder::only_tensor_of(std::uint32_t op) const {
  const OpText* text = op < rank_.ops.size() ? trace_.text_of(rank_.ops[op]) : nullptr;
  if (text == nullptr) return kNone;
  const auto names = trace_.ids(text->operands);
  const auto types = trace_.ids(text->input_types);
  std::uint32_t only = kNone;
  for (std::size_t i = 0; i < std::min(names.size(), types.size()); ++i) {
    if (types[i] >= trace_.types.size() || !trace_.types[types[i]].is_tensor) continue;
    if (only != kNone) return kNone;
    only = names[i];
  }
  return only;
}

/// The op before `op` of the same program that made the tensor; kNone for an argument.
std::uint32_t OriginFinder::maker_of(std::uint32_t name, std::uint32_t op) const {
  if (name >= trace_.names.size() || op >= rank_.ops.size()) return kNone;
  const std::uint32_t instance = rank_.ops[op].instance;
  const std::uint32_t first = instance < rank_.programs.size() ? rank_.programs[instance].first_op : op;
  const auto begin = makers_.begin() + first_maker_[name];
  auto maker = std::lower_bound(begin, makers_.begin() + first_maker_[name + 1], op);
  while (maker != begin && *--maker >= first) {
    if (rank_.ops[*maker].instance == instance) return *maker;
  }
  return kNone;
}

/// `%arg2` of a called program is the third operand of the call.
std::uint32_t OriginFinder::passed_as(std::uint32_t name, std::uint32_t call) const {
  const OpText* text = call < rank_.ops.size() ? trace_.text_of(rank_.ops[call]) : nullptr;
  const std::size_t position = argument_position(trace_.names[name]);
  return text == nullptr || position >= text->operands.count ? kNone : trace_.ids(text->operands)[position];
}

std::uint32_t OriginFinder::described(std::uint32_t name, std::uint32_t instance) const {
  const std::vector<ProgramSummary>& programs = profile_.ranks[rank_number_].programs;
  if (instance >= programs.size()) return kNone;
  for (std::uint32_t a = 0; a < profile_.arguments.size(); ++a) {
    const Argument& argument = profile_.arguments[a];
    if (argument.ssa == name && argument.graph == programs[instance].graph) return a;
  }
  return kNone;
}

}  // namespace ttscope::mem
