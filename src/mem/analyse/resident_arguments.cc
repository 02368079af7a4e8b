#include "mem/analyse/resident_arguments.h"

#include <algorithm>
#include <cstdlib>

namespace ttscope::mem {
namespace {

std::int64_t distance(const PerTensorMemory& a, const PerTensorMemory& b) {
  std::int64_t sum = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
    sum = saturating_add(sum, std::abs(saturating_add(a[m], -b[m])));
  return sum;
}

PerTensorMemory plus(const PerTensorMemory& a, const PerTensorMemory& b, int sign) {
  PerTensorMemory sum{};
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum[m] = saturating_add(a[m], sign * b[m]);
  return sum;
}

/// By how much the room for a tensor may miss its size because figures were rounded; of a small one its half
/// tells rounding from absence.
std::int64_t rounding_of(std::int64_t bytes_per_bank) { return std::min(bytes_per_bank / 2, kRoundingBytes); }

/// Whether the state is that of the parts, and at most so much beside them.
bool is_about(const PerTensorMemory& state, const PerTensorMemory& parts, std::int64_t most_beside) {
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
    const std::int64_t beside = saturating_add(state[m], -parts[m]);
    if (beside < -kRoundingBytes || beside > most_beside) return false;
  }
  return true;
}

void add_to(PerTensorMemory& sum, std::uint8_t memory, std::int64_t bytes) {
  sum[memory] = saturating_add(sum[memory], bytes);
}

}  // namespace

/// An argument is the tensor that the same argument left on the device, an earlier program's output or
/// another resident tensor of its type, or a new one.
void ResidentArguments::bind(ProgramNames& names, const Start& start) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  std::vector<std::uint32_t> found;
  find_resident(names, found);
  std::vector<std::uint32_t> untaken = pool_.untaken_outputs();
  const Explanation how = explain(measure_parts(names.graph, found, untaken), start);
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    const bool named = !arguments[k].only_in_dump;
    if (named ? how.named_there || found[k] != kNone : how.unnamed_there) {
      bind_one(names, k, found[k]);
    } else if (named) {
      bind_absent(names, k);
    } else if (found[k] != kNone && was_output_[k]) {
      untaken.push_back(found[k]);
    } else if (found[k] != kNone) {
      pool_.make_resident(found[k], false);
    }
  }
  settle_outputs(untaken, start);
  if (start.measured) free_outputs_gone(*start.measured);
}

/// Outputs that nobody takes are freed, but for those that the measured state has room for, largest first.
void ResidentArguments::settle_outputs(std::vector<std::uint32_t>& untaken, const Start& start) {
  PerTensorMemory room{};
  if (start.measured) {
    room = plus(*start.measured, plus(pool_.accounted(), start.unaccounted, +1), -1);
    for (const std::uint32_t buffer : untaken)
      add_to(room, pool_[buffer].memory, pool_[buffer].bytes_per_bank);
  }
  std::stable_sort(untaken.begin(), untaken.end(), [this](std::uint32_t a, std::uint32_t b) {
    return pool_[a].bytes_per_bank > pool_[b].bytes_per_bank;
  });
  for (const std::uint32_t buffer : untaken) {
    const std::int64_t size = pool_[buffer].bytes_per_bank;
    std::int64_t& left = room[pool_[buffer].memory];
    if (start.measured && size - rounding_of(size) <= left) {
      left -= size;
      pool_.make_resident(buffer, false);
      kept_outputs_.push_back(buffer);
    } else {
      pool_.free(buffer);
    }
  }
}

bool ResidentArguments::begins_anew(std::uint32_t graph, const PerTensorMemory& measured,
                                    const ConstEvalCache& cache) const {
  constexpr std::int64_t kOwnOfDevice = 64 << 10;  // what a device holds before its first program, at most
  constexpr std::int64_t kNoticed = 4 * kRoundingBytes;
  PerTensorMemory named{};
  PerTensorMemory all{};
  for (const GraphArgument& argument : graphs_.arguments[graph]) {
    std::uint8_t memory = 0;
    const std::int64_t bytes = pool_.size_of(argument.type, device_, memory);
    add_to(all, memory, bytes);
    if (!argument.only_in_dump) add_to(named, memory, bytes);
  }
  const auto are_alone = [&](std::int64_t most_beside) {
    return is_about(measured, named, most_beside) || is_about(measured, all, most_beside);
  };
  if (!are_alone(kOwnOfDevice)) return false;
  const std::int64_t cached = cache.bytes_per_bank(pool_);
  if (cached > kNoticed) return are_alone(std::min(kOwnOfDevice, cached / 2));
  bool is_less = false;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
    is_less |= saturating_add(pool_.accounted()[m], -measured[m]) > kNoticed;
  return is_less && are_alone(kRoundingBytes);
}

/// Arguments that op lines name choose first.
void ResidentArguments::find_resident(const ProgramNames& names, std::vector<std::uint32_t>& found) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  home_buffers_[names.graph].resize(arguments.size(), kNone);
  found.assign(arguments.size(), kNone);
  was_output_.assign(arguments.size(), false);
  for (const bool unnamed : {false, true}) {
    for (std::uint32_t k = 0; k < arguments.size(); ++k) {
      if (arguments[k].only_in_dump != unnamed) continue;
      found[k] = resident_home(names.graph, k);
      if (found[k] == kNone) found[k] = pool_.find_resident(arguments[k].type);
      if (found[k] == kNone) continue;
      was_output_[k] = pool_.state(found[k]).output;
      pool_.take(found[k]);
    }
  }
}

ResidentArguments::Parts ResidentArguments::measure_parts(std::uint32_t graph,
                                                          const std::vector<std::uint32_t>& found,
                                                          const std::vector<std::uint32_t>& untaken) const {
  Parts parts;
  const std::vector<GraphArgument>& arguments = graphs_.arguments[graph];
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    std::uint8_t memory = 0;
    const std::int64_t bytes = pool_.size_of(arguments[k].type, device_, memory);
    const bool unnamed = arguments[k].only_in_dump;
    if (found[k] == kNone) add_to(unnamed ? parts.new_unnamed : parts.new_named, memory, bytes);
    if (found[k] != kNone && unnamed && was_output_[k]) add_to(parts.outputs_of_unnamed, memory, bytes);
  }
  for (const std::uint32_t buffer : untaken)
    add_to(parts.untaken, pool_[buffer].memory, pool_[buffer].bytes_per_bank);
  return parts;
}

/// As a rule arguments that op lines name are there, others are not, and outputs nobody takes are freed.
/// Another explanation is taken when it comes nearer to the measured state. Without measurement, what
/// is known of the program decides.
ResidentArguments::Explanation ResidentArguments::explain(const Parts& parts, const Start& start) const {
  if (!start.measured) return {true, start.all_there, false};
  const PerTensorMemory base = plus(pool_.accounted(), start.unaccounted, +1);
  Explanation best;
  std::int64_t best_miss = -1;
  for (unsigned choice = 0; choice < 8; ++choice) {  // the rule first: of equal ones it wins
    const Explanation how{(choice & 4) == 0, (choice & 1) != 0, (choice & 2) != 0};
    if (how.unnamed_there && !how.named_there) continue;
    PerTensorMemory state = base;
    if (how.named_there) state = plus(state, parts.new_named, +1);
    if (how.unnamed_there) state = plus(state, parts.new_unnamed, +1);
    if (!how.outputs_kept) state = plus(state, parts.untaken, -1);
    if (!how.outputs_kept && !how.unnamed_there) state = plus(state, parts.outputs_of_unnamed, -1);
    const std::int64_t miss = distance(state, *start.measured);
    const std::int64_t doubt = how.named_there ? 0 : kRoundingBytes;  // op lines outweigh a rounding
    if (best_miss >= 0 && miss + doubt >= best_miss) continue;
    best = how;
    best_miss = miss;
  }
  return best;
}

/// A named argument that the measured state has no room for: its name is known, no buffer is.
void ResidentArguments::bind_absent(ProgramNames& names, std::uint32_t position) {
  const GraphArgument& argument = graphs_.arguments[names.graph][position];
  const bool weight = argument.argument != kNone && arguments_[argument.argument].is_weight();
  names.bind(pool_, argument.ssa, {kNone, argument.written_type, weight ? Flow::kWeight : Flow::kActivation});
}

std::uint32_t ResidentArguments::resident_home(std::uint32_t graph, std::uint32_t position) {
  const std::uint32_t buffer = home_buffers_[graph][position];
  if (buffer == kNone || !pool_.is_live(buffer)) return kNone;
  const BufferState& state = pool_.state(buffer);
  return state.resident && state.home_graph == graph && state.home_argument == position ? buffer : kNone;
}

void ResidentArguments::bind_one(ProgramNames& names, std::uint32_t position, std::uint32_t buffer) {
  const GraphArgument& argument = graphs_.arguments[names.graph][position];
  TensorKind kind = TensorKind::kUnknown;
  Flow flow = Flow::kActivation;
  if (argument.argument != kNone) {
    const Argument& described = arguments_[argument.argument];
    if (described.is_weight()) flow = Flow::kWeight;
    if (described.is_weight()) kind = TensorKind::kWeight;
    if (described.role == ArgumentRole::kInput) kind = TensorKind::kInput;
  }
  const bool is_home = buffer != kNone && buffer == home_buffers_[names.graph][position] &&
                       pool_.state(buffer).home_graph == names.graph &&
                       pool_.state(buffer).home_argument == position;
  buffer = buffer == kNone ? pool_.allocate(argument.type, device_, Buffer{})
           : is_home       ? buffer
                           : pool_.rename(buffer);
  if (buffer != kNone && !is_home) {
    Buffer& edited = pool_.edit(buffer);
    edited.kind = kind;
    edited.name = argument.ssa;
    edited.instance = names.instance;
    edited.argument = argument.argument;
    pool_.state(buffer).home_graph = names.graph;
    pool_.state(buffer).home_argument = position;
  }
  home_buffers_[names.graph][position] = buffer;
  names.bind(pool_, argument.ssa, {buffer, argument.written_type, flow});
}

/// Kept outputs that the measured state leaves no room for are gone; looked at newest first, a few at a time.
void ResidentArguments::free_outputs_gone(const PerTensorMemory& measured) {
  for (int tries = 64; tries > 0 && !kept_outputs_.empty(); --tries) {
    const std::uint32_t buffer = kept_outputs_.back();
    const std::uint8_t m = pool_[buffer].memory;
    const bool still_kept = pool_.is_live(buffer) && pool_.state(buffer).resident;
    const std::int64_t size = pool_[buffer].bytes_per_bank;
    if (still_kept && size - rounding_of(size) > pool_.accounted()[m] - measured[m]) return;
    kept_outputs_.pop_back();
    if (still_kept) pool_.free(buffer);
  }
}

}  // namespace ttscope::mem
