#include "mem/analyse/measured_curve.h"

namespace ttscope::mem {
namespace {

constexpr std::uint8_t kTensorViews = (1u << kTensorMemoryCount) - 1;

}  // namespace

MeasuredCurve::MeasuredCurve(const RankTrace& rank)
    : rank_(rank), boundary_before_(rank.ops.size() + 1, false) {
  for (const ProgramEvent& event : rank.events) boundary_before_[event.before_op] = true;
  for (const MemoryBlock& block : rank.blocks) {
    views_seen_ = static_cast<std::uint8_t>(views_seen_ | (block.present & kTensorViews));
    if (block.moment != MemoryBlock::Moment::kBeforeOp) boundary_before_[block.before_op] = true;
  }
}

std::optional<PerTensorMemory> MeasuredCurve::before(std::uint32_t op) const {
  if (op >= rank_.ops.size() || rank_.ops[op].block == kNone) return std::nullopt;
  const MemoryBlock& block = rank_.blocks[rank_.ops[op].block];
  if ((block.present & views_seen_) != views_seen_) return std::nullopt;
  PerTensorMemory state{};
  for (const Memory memory : kTensorMemories)
    state[index_of(memory)] = bytes_of(block.allocated[index_of(memory)]);
  return state;
}

std::optional<PerTensorMemory> MeasuredCurve::change_by(std::uint32_t op) const {
  if (op + 1 >= rank_.ops.size() || boundary_before_[op + 1]) return std::nullopt;
  const auto now = before(op);
  const auto next = before(op + 1);
  if (!now || !next) return std::nullopt;
  PerTensorMemory change{};
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) change[m] = (*next)[m] - (*now)[m];
  return change;
}

}  // namespace ttscope::mem
