#include "mem/analyse/fit/explain_failure.h"

#include <algorithm>

namespace ttscope::mem {
namespace {

/// More holes than this are not told apart by one that is smaller.
constexpr std::int64_t kMostHoles = 100000;

fit::FreeListStats known_state(const OwnReplay& replay, const Life& asked) {
  const std::vector<fit::Demand> demands = demands_of(replay.lives);
  fit::Placer placer(replay.device);
  for (const fit::ScheduleEvent& event : fit::events_of(demands)) {
    if (event.tick > asked.born || (event.is_birth && event.demand >= replay.lives.failed_life)) break;
    if (event.is_birth) placer.place(event.demand, demands[event.demand]);
    if (!event.is_birth) placer.release(event.demand, demands[event.demand]);
  }
  return placer.memory(asked.memory).stats();
}

Life block_before(const Life& asked, LifeSource source, std::int64_t bytes) {
  Life block;
  block.born = asked.born == 0 ? 0 : asked.born - 1;
  if (source == LifeSource::kHole) block.died = asked.born;
  block.bytes_per_bank = bytes;
  block.memory = asked.memory;
  block.source = source;
  return block;
}

/// What the message says was held beyond what is known, cut by holes of the largest free block. The last one,
/// at the end of the bank, is what remains.
std::vector<Life> told_blocks(const OutOfMemory& failure, const Life& asked, const fit::FreeListStats& known,
                              std::int64_t alignment) {
  const auto room = static_cast<std::int64_t>(known.largest_free_bytes);
  const std::int64_t other_holes = static_cast<std::int64_t>(known.free_bytes) - room;
  const std::int64_t free = failure.free_bytes - other_holes;
  const std::int64_t held = room - free;
  const std::int64_t largest = failure.largest_free_bytes;
  if (largest <= 0 || free < largest || held <= 0) return {};
  const std::int64_t holes = (free - 1) / largest + 1;
  const std::int64_t piece = held / holes / alignment * alignment;
  if (holes > kMostHoles || piece == 0) return {};
  std::vector<Life> blocks;
  for (std::int64_t i = 0; i < holes; ++i) {
    const bool is_last = i + 1 == holes;
    const std::int64_t size = is_last ? held - piece * (holes - 1) : piece;
    blocks.push_back(block_before(asked, LifeSource::kToldByMessage, size));
    if (!is_last) blocks.push_back(block_before(asked, LifeSource::kHole, largest));
  }
  return blocks;
}

/// Whether the request fails as the message says, to the byte.
bool fails_as_told(const OwnReplay& replay, const OutOfMemory& failure) {
  const fit::Placing placing =
      fit::place_all(demands_of(replay.lives), replay.device, fit::Policy::kFirstFit);
  return placing.failure && placing.failure->demand == replay.lives.failed_life &&
         static_cast<std::int64_t>(placing.failure->stats.free_bytes) == failure.free_bytes &&
         static_cast<std::int64_t>(placing.failure->stats.largest_free_bytes) == failure.largest_free_bytes;
}

/// One block that leaves too little room.
Life one_block(const OutOfMemory& failure, const Life& asked, const fit::FreeListStats& known,
               std::int64_t alignment) {
  const auto room = static_cast<std::int64_t>(known.largest_free_bytes);
  std::int64_t held = room - asked.bytes_per_bank + alignment;
  if (failure.largest_free_bytes >= 0) held = std::max(held, room - failure.largest_free_bytes);
  return block_before(asked, LifeSource::kAssumedHeld, std::min(held, room));
}

void count(const std::vector<Life>& blocks, fit::Agreement& agreement) {
  std::int64_t held = 0;
  for (const Life& block : blocks) {
    if (block.source == LifeSource::kHole) continue;
    ++agreement.corrections;
    if (block.memory == Memory::kDram) held = saturating_add(held, block.bytes_per_bank);
  }
  agreement.unexplained_bytes_per_bank = std::max(agreement.unexplained_bytes_per_bank, held);
}

}  // namespace

void explain_failure(const OutOfMemory& failure, OwnReplay& replay) {
  if (replay.lives.failed_life == kNone || failure.kind != FailureKind::kAllocation) return;
  const Life asked = replay.lives.lives[replay.lives.failed_life];
  if (fit::place_all(demands_of(replay.lives), replay.device, fit::Policy::kFirstFit).failure) return;
  const fit::FreeListStats known = known_state(replay, asked);
  const std::int64_t alignment = replay.device.alignment_bytes;
  std::vector<Life>& lives = replay.lives.lives;
  const std::size_t before = lives.size();
  std::vector<Life> blocks = told_blocks(failure, asked, known, alignment);
  lives.insert(lives.end(), blocks.begin(), blocks.end());
  if (blocks.empty() || !fails_as_told(replay, failure)) {
    lives.resize(before);
    blocks = {one_block(failure, asked, known, alignment)};
    lives.push_back(blocks.front());
  }
  count(blocks, replay.agreement);
}

}  // namespace ttscope::mem
