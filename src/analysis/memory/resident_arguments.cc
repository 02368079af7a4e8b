#include "analysis/memory/resident_arguments.h"

#include <cstdlib>

namespace ttscope::analysis {
namespace {

constexpr std::int64_t kTolerance = 2 * kLogResolutionBytes;

std::int64_t distance(const PerTensorMemory& a, const PerTensorMemory& b) {
  std::int64_t sum = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum = saturating_add(sum, std::abs(saturating_add(a[m], -b[m])));
  return sum;
}

PerTensorMemory plus(const PerTensorMemory& a, const PerTensorMemory& b, int sign) {
  PerTensorMemory sum{};
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum[m] = saturating_add(a[m], sign * b[m]);
  return sum;
}

}  // namespace

/// An argument is the tensor that the same argument left on the device, an earlier program's output or another resident
/// tensor of its type, or a new one.
void ResidentArguments::bind(ProgramNames& names, const Start& start) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  home_buffers_[names.graph].resize(arguments.size(), kNoId);
  std::vector<std::uint32_t> found(arguments.size(), kNoId);
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    found[k] = resident_home(names.graph, k);
    if (found[k] == kNoId && !arguments[k].only_in_dump) found[k] = pool_.find_resident(arguments[k].type);
    if (found[k] != kNoId) pool_.take(found[k]);
  }
  const std::vector<std::uint32_t> untaken = pool_.untaken_outputs();
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].only_in_dump || found[k] != kNoId) bind_one(names, k, found[k]);
  }
  settle_outputs(untaken, start);
  bind_unnamed(names, start);
}

std::uint32_t ResidentArguments::resident_home(std::uint32_t graph, std::uint32_t position) {
  const std::uint32_t buffer = home_buffers_[graph][position];
  if (buffer == kNoId || !pool_.is_live(buffer)) return kNoId;
  const BufferState& state = pool_.state(buffer);
  return state.resident && state.home_graph == graph && state.home_argument == position ? buffer : kNoId;
}

void ResidentArguments::bind_one(ProgramNames& names, std::uint32_t position, std::uint32_t buffer) {
  const GraphArgument& argument = graphs_.arguments[names.graph][position];
  TensorKind kind = TensorKind::kUnknown;
  Flow flow = Flow::kActivation;
  if (argument.argument != kNoId) {
    const Argument& described = arguments_[argument.argument];
    if (described.is_weight()) flow = Flow::kWeight;
    if (described.is_weight()) kind = TensorKind::kWeight;
    if (described.role == ArgumentRole::kInput) kind = TensorKind::kInput;
  }
  if (buffer == kNoId) buffer = pool_.allocate(argument.type, device_, Buffer{});
  if (buffer != kNoId) {
    Buffer& edited = pool_.edit(buffer);
    edited.kind = kind;
    edited.name = argument.ssa;
    edited.instance = names.instance;
    edited.argument = argument.argument;
    pool_.state(buffer).home_graph = names.graph;
    pool_.state(buffer).home_argument = position;
  }
  home_buffers_[names.graph][position] = buffer;
  names.bind(pool_, argument.ssa, {buffer, argument.written_type, 0, flow});
}

/// Outputs that the program does not take are freed, as a rule; the measured state says when not.
void ResidentArguments::settle_outputs(const std::vector<std::uint32_t>& untaken, const Start& start) {
  PerTensorMemory size{};
  for (const std::uint32_t buffer : untaken) {
    size[pool_[buffer].memory] = saturating_add(size[pool_[buffer].memory], pool_[buffer].bytes_per_bank);
  }
  bool keep = false;
  if (start.measured) {
    const PerTensorMemory kept = plus(pool_.accounted(), start.unaccounted, +1);
    keep = distance(kept, *start.measured) < distance(plus(kept, size, -1), *start.measured);
  }
  for (const std::uint32_t buffer : untaken) {
    if (keep) {
      pool_.make_resident(buffer, false);
      kept_outputs_.push_back(buffer);
    } else {
      pool_.free(buffer);
    }
  }
  if (start.measured) free_outputs_gone(*start.measured);
}

/// Kept outputs that the measured state leaves no room for are gone; looked at newest first, a few at a time.
void ResidentArguments::free_outputs_gone(const PerTensorMemory& measured) {
  for (int tries = 64; tries > 0 && !kept_outputs_.empty(); --tries) {
    const std::uint32_t buffer = kept_outputs_.back();
    const std::uint8_t m = pool_[buffer].memory;
    const bool still_kept = pool_.is_live(buffer) && pool_.state(buffer).resident;
    if (still_kept && pool_[buffer].bytes_per_bank > pool_.accounted()[m] - measured[m] + kTolerance) return;
    kept_outputs_.pop_back();
    if (still_kept) pool_.free(buffer);
  }
}

/// Arguments that the module dump lists but no op line names: on the device if the measured state has room for them
/// that nothing else fills; without measurement, if the program was cut before it could name them.
void ResidentArguments::bind_unnamed(ProgramNames& names, const Start& start) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  std::vector<std::uint32_t> unnamed;
  PerTensorMemory size{};
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    if (!arguments[k].only_in_dump || names.find(arguments[k].ssa) != nullptr) continue;
    unnamed.push_back(k);
    std::uint8_t memory = 0;
    const std::int64_t bytes = pool_.size_of(arguments[k].type, device_, memory);
    size[memory] = saturating_add(size[memory], bytes);
  }
  bool there = start.left_open;
  if (start.measured) {
    const PerTensorMemory without = plus(pool_.accounted(), start.unaccounted, +1);
    there = distance(plus(without, size, +1), *start.measured) < distance(without, *start.measured);
  }
  if (!there) return;
  for (const std::uint32_t k : unnamed) bind_one(names, k, kNoId);
}

}  // namespace ttscope::analysis
