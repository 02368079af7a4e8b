#include "mem/analyze/bank_states.h"

#include <algorithm>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{4000} << 30;  ///< still below kNone in milli MiB

bool starts_before(const BoundaryChange& a, const BoundaryChange& b) { return a.before_op < b.before_op; }

/// Allocated and free move against each other; which block was taken is not known.
void add_bytes(BankFigures& figures, std::int64_t bytes) {
  if (bytes == 0) return;
  const std::int64_t allocated = std::max<std::int64_t>(bytes_of(figures.allocated) + bytes, 0);
  const std::int64_t free = std::max<std::int64_t>(bytes_of(figures.free) - bytes, 0);
  figures = {milli_mib_of(allocated), milli_mib_of(free), kNone};
}

}  // namespace

std::string_view name_of(StateSource source) {
  constexpr std::array<std::string_view, 4> kNames = {"logged", "partly repeated", "repeated", "modelled"};
  return kNames[static_cast<std::size_t>(source)];
}

MilliMib milli_mib_of(std::int64_t bytes) {
  const std::int64_t in_range = std::clamp<std::int64_t>(bytes, 0, kMaxBytes);
  return static_cast<MilliMib>((in_range * 1000 + 524288) / 1048576);
}

BankStates::BankStates(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank)
    : log_(log), rank_(log.ranks[rank]), profile_(profile.ranks[rank]), changes_(profile_.changes) {
  for (const ProgramInstance& program : rank_.programs) {
    if (program.caller_op != kNone) calls_.emplace_back(program.caller_op, program.end_op);
  }
  std::sort(calls_.begin(), calls_.end());
  std::stable_sort(changes_.begin(), changes_.end(), starts_before);
}

BankState BankStates::from_block(const MemoryBlock& block) const {
  BankState state;
  state.geometry = log_.geometries[block.geometry];
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    state.memories[m] = {block.allocated[m], block.free[m], block.largest_free[m]};
  }
  return state;
}

BankState BankStates::modeled(std::uint32_t op) const {
  BankState state;
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    const std::int64_t capacity = profile_.device.capacity_bytes_per_bank[m];
    const std::int64_t used = op < profile_.accounted.size() ? profile_.accounted[op][m] : 0;
    state.geometry.banks[m] = profile_.device.banks[m];
    state.geometry.total[m] = milli_mib_of(capacity);
    state.memories[m] = {milli_mib_of(used), milli_mib_of(capacity - used), kNone};
  }
  return state;
}

BankStates::Before BankStates::before(std::uint32_t op) {
  const auto& blocks = rank_.blocks;
  while (blocks_passed_ < blocks.size() && blocks[blocks_passed_].before_op <= op) ++blocks_passed_;
  if (rank_.ops[op].block < blocks.size()) {
    const MemoryBlock& block = blocks[rank_.ops[op].block];
    const bool whole = block.present == (1u << kMemoryCount) - 1;
    return {from_block(block), whole ? StateSource::kLogged : StateSource::kPartlyRepeated};
  }
  if (blocks_passed_ > 0) return {from_block(blocks[blocks_passed_ - 1]), StateSource::kRepeated};
  return {modeled(op), StateSource::kModeled};
}

std::uint32_t BankStates::next_op(std::uint32_t op) const {
  const auto after_calls = std::upper_bound(calls_.begin(), calls_.end(), std::pair(op, kNone));
  if (after_calls == calls_.begin() || std::prev(after_calls)->first != op) return op + 1;
  return std::max(std::prev(after_calls)->second, op + 1);
}

bool BankStates::changed_between(std::uint32_t op, std::uint32_t next) const {
  BoundaryChange wanted;
  wanted.before_op = next;
  const auto [first, last] = std::equal_range(changes_.begin(), changes_.end(), wanted, starts_before);
  return std::any_of(first, last, [&](const BoundaryChange& change) {
    // What a called program frees at its end belongs to the op that called it.
    const bool own_call = change.cause == BoundaryChange::Cause::kProgramEnd &&
                          change.instance < rank_.programs.size() &&
                          rank_.programs[change.instance].first_op > op;
    return !own_call;
  });
}

PerTensorMemory BankStates::growth(std::uint32_t op, std::uint32_t next) const {
  PerTensorMemory sum{};
  const auto end = std::min<std::size_t>(next, profile_.effects.size());
  for (std::size_t i = op; i < end; ++i) {
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum[m] += profile_.effects[i].own_growth[m];
  }
  BoundaryChange inside;
  inside.before_op = op + 1;
  auto change = std::lower_bound(changes_.begin(), changes_.end(), inside, starts_before);
  for (; change != changes_.end() && change->before_op < next; ++change) {
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum[m] += change->delta[m];
  }
  return sum;
}

Confidence BankStates::weakest(std::uint32_t op) const {
  Confidence weakest = Confidence::kDerived;
  if (op >= profile_.effects.size()) return Confidence::kModeled;
  for (const Confidence confidence : profile_.effects[op].confidence) weakest = std::max(weakest, confidence);
  return profile_.measured ? weakest : Confidence::kModeled;
}

BankStates::After BankStates::after(std::uint32_t op, const BankState& before) const {
  const std::uint32_t next = next_op(op);
  const bool shown = next < rank_.ops.size() && rank_.ops[next].block < rank_.blocks.size();
  if (shown && !changed_between(op, next))
    return {from_block(rank_.blocks[rank_.ops[next].block]), Confidence::kMeasured};
  After result{before, weakest(op)};
  const PerTensorMemory grown = growth(op, next);
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) add_bytes(result.state.memories[m], grown[m]);
  return result;
}

namespace {

/// Whether the free part of `b` is more fragmented than that of `a`: largest / free compared without
/// dividing.
bool less_fragmented(const MemoryBlock& a, const MemoryBlock& b, std::size_t memory) {
  if (a.free[memory] == 0 || b.free[memory] == 0) return a.free[memory] == 0 && b.free[memory] != 0;
  return std::uint64_t{b.largest_free[memory]} * a.free[memory] <
         std::uint64_t{a.largest_free[memory]} * b.free[memory];
}

}  // namespace

double fragmentation_of(const MemoryBlock& block, Memory memory) {
  const std::size_t m = index_of(memory);
  if (block.free[m] == 0 || block.largest_free[m] >= block.free[m]) return 0;
  return 1.0 - static_cast<double>(block.largest_free[m]) / static_cast<double>(block.free[m]);
}

std::vector<std::uint32_t> fragmentation_curve(std::span<const MemoryBlock> blocks, Memory memory,
                                               std::size_t most) {
  const std::size_t stretch = blocks.size() / most + 1;
  std::vector<std::uint32_t> curve;
  for (std::size_t begin = 0; begin < blocks.size(); begin += stretch) {
    std::size_t worst = begin;
    for (std::size_t i = begin; i < std::min(begin + stretch, blocks.size()); ++i) {
      if (less_fragmented(blocks[worst], blocks[i], index_of(memory))) worst = i;
    }
    curve.push_back(static_cast<std::uint32_t>(worst));
  }
  return curve;
}

}  // namespace ttscope::mem
