#include "mem/analyse/tensor_origin.h"

#include <algorithm>

#include "mem/analyse/graphs.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {
namespace {

class OriginFinder {
 public:
  OriginFinder(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank)
      : trace_(trace), rank_(trace.ranks[rank]), programs_(profile.ranks[rank].programs), profile_(profile) {}

  std::uint32_t find(std::uint32_t op) const { return find(only_tensor_of(op), op); }

  /// `name` is an operand of `op`.
  std::uint32_t find(std::uint32_t name, std::uint32_t op) const {
    constexpr int kMostSteps = 1000;  // chains of one tensor are short; a log may be anything
    for (int step = 0; step < kMostSteps && name != kNone; ++step) {
      if (const std::uint32_t maker = maker_of(name, op); maker != kNone) {
        op = maker;
        name = only_tensor_of(op);
        continue;
      }
      const std::uint32_t instance = rank_.ops[op].instance;
      if (instance >= rank_.programs.size()) return kNone;
      const ProgramInstance& program = rank_.programs[instance];
      if (program.parent == kNone) return described(name, instance);
      name = passed_as(name, program.caller_op);
      op = program.caller_op;
    }
    return kNone;
  }

 private:
  /// Devices are operands too, and no tensors.
  std::uint32_t only_tensor_of(std::uint32_t op) const {
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
  std::uint32_t maker_of(std::uint32_t name, std::uint32_t op) const {
    const std::uint32_t instance = rank_.ops[op].instance;
    const std::uint32_t first = instance < rank_.programs.size() ? rank_.programs[instance].first_op : op;
    while (op-- > first) {
      if (rank_.ops[op].instance != instance) continue;
      const OpText* text = trace_.text_of(rank_.ops[op]);
      if (text == nullptr || text->role == OpRole::kDeallocate) continue;
      const auto results = trace_.ids(text->results);
      if (std::find(results.begin(), results.end(), name) != results.end()) return op;
    }
    return kNone;
  }

  /// `%arg2` of a called program is the third operand of the call.
  std::uint32_t passed_as(std::uint32_t name, std::uint32_t call) const {
    const OpText* text = call < rank_.ops.size() ? trace_.text_of(rank_.ops[call]) : nullptr;
    const std::size_t position = argument_position(trace_.names[name]);
    return text == nullptr || position >= text->operands.count ? kNone : trace_.ids(text->operands)[position];
  }

  std::uint32_t described(std::uint32_t name, std::uint32_t instance) const {
    if (instance >= programs_.size()) return kNone;
    for (std::uint32_t a = 0; a < profile_.arguments.size(); ++a) {
      const Argument& argument = profile_.arguments[a];
      if (argument.ssa == name && argument.graph == programs_[instance].graph) return a;
    }
    return kNone;
  }

  const RuntimeTrace& trace_;
  const RankTrace& rank_;
  const std::vector<ProgramSummary>& programs_;
  const MemoryProfile& profile_;
};

}  // namespace

std::uint32_t find_origin(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank,
                          std::uint32_t op) {
  return OriginFinder(trace, profile, rank).find(op);
}

std::uint32_t find_origin_of(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const OperandPlace& operand) {
  return OriginFinder(trace, profile, operand.rank).find(operand.name, operand.op);
}

}  // namespace ttscope::mem
