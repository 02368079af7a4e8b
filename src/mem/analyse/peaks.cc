// find_peaks() of mem/analyse/effects.h: peaks are found by another walk than effects.
#include <algorithm>

#include "mem/analyse/effects.h"
#include "mem/analyse/failed_tensor.h"
#include "mem/analyse/fragmentation.h"
#include "mem/analyse/replay.h"

namespace ttscope::mem {
namespace {

class PeakFinder {
 public:
  PeakFinder(const RuntimeTrace& trace, std::uint32_t rank, RankProfile& profile)
      : trace_(trace), rank_(trace.ranks[rank]), profile_(profile), points_(measure_points(rank_)) {
    for (std::size_t c = 0; c < profile.changes.size(); ++c)
      changes_by_op_.push_back(profile.changes[c].before_op);
  }

  void find() {
    if (points_.empty()) {
      for (const Memory memory : kTensorMemories) find_modelled(memory);
    } else {
      for (const Memory memory : kMemories) find_measured(memory);
    }
    for (const OutOfMemory& failure : rank_.failures) take_failure(failure);
    for (const Memory memory : kTensorMemories) {
      const Peak& peak = profile_.peaks[index_of(memory)];
      const bool measured = peak.block != kNone || peak.message_line != 0;
      if (peak.bytes_per_bank == 0) continue;
      LiveSet& live = profile_.live_at_peak[index_of(memory)];
      live = live_set_at(trace_, profile_, {memory, peak.moment, measured ? peak.bytes_per_bank : -1});
      for (const OutOfMemory& failure : rank_.failures) {
        if (failure.line == peak.message_line && failure.memory == memory)
          claim_failing_results(failing_results(trace_, rank_, profile_.device, failure), profile_.device,
                                live);
      }
    }
  }

 private:
  void find_measured(Memory memory) {
    const std::size_t m = index_of(memory);
    const MeasurePoint* highest = nullptr;
    std::uint32_t shown_before = 0;  // op of the block before the highest that shows this memory
    std::uint32_t last_op = 0;
    MilliMib value = 0;
    for (const MeasurePoint& point : points_) {
      const MemoryBlock& block = rank_.blocks[point.block];
      if (!block.has(memory)) continue;
      note_fragmentation(memory, point.block, block);
      if (block.allocated[m] > value) {
        value = block.allocated[m];
        highest = &point;
        shown_before = last_op;
      }
      last_op = point.before_op;
    }
    Peak& peak = profile_.peaks[m];
    peak.confidence = Confidence::kMeasured;
    if (highest == nullptr) return;
    peak.bytes_per_bank = bytes_of(value);
    peak.block = highest->block;
    peak.moment = highest->moment;
    find_maker(memory, shown_before, highest->before_op, peak);
  }

  /// What the message of a failed allocation says is allocated is a measurement too.
  void take_failure(const OutOfMemory& failure) {
    Peak& peak = profile_.peaks[index_of(failure.memory)];
    const bool is_same = is_rounding(failure.allocated_bytes - peak.bytes_per_bank);
    if (is_same || failure.allocated_bytes < peak.bytes_per_bank) return;
    peak = {};
    peak.bytes_per_bank = failure.allocated_bytes;
    peak.confidence = Confidence::kMeasured;
    peak.message_line = failure.line;
    peak.op = failure.last_op;
    peak.moment = moment_of(failure);
  }

  void note_fragmentation(Memory memory, std::uint32_t index, const MemoryBlock& block) {
    const std::size_t m = index_of(memory);
    if (block.free[m] == 0) return;
    const double fraction = fragmentation_of(block, memory);
    FragmentationMoment& worst = profile_.worst_fragmentation[m];
    if (worst.block == kNone || fraction > worst.fraction) worst = {fraction, index};
  }

  /// The op (or program start) between the block before and the one that shows the peak which added to it
  /// last.
  void find_maker(Memory memory, std::uint32_t begin, std::uint32_t end, Peak& peak) const {
    const std::size_t m = index_of(memory);
    begin = std::min(begin, end);
    if (m < kTensorMemoryCount) {
      if (start_grew(end, m)) return made_at_start(end, peak);
      for (std::uint32_t i = end; i-- > begin;) {
        if (profile_.effects[i].own_growth[m] > 0) {
          peak.op = i;
          return;
        }
      }
    }
    if (end > begin) {
      peak.op = end - 1;
    } else {
      made_at_start(end, peak);
    }
  }

  bool start_grew(std::uint32_t op, std::size_t m) const {
    const auto range = std::equal_range(changes_by_op_.begin(), changes_by_op_.end(), op);
    for (auto it = range.first; it != range.second; ++it) {
      const BoundaryChange& change = profile_.changes[static_cast<std::size_t>(it - changes_by_op_.begin())];
      if (change.cause == BoundaryChange::Cause::kProgramStart && change.delta[m] > 0) return true;
    }
    return false;
  }

  void made_at_start(std::uint32_t op, Peak& peak) const {
    peak.at_program_start = true;
    peak.op = rank_.ops.empty()
                  ? kNone
                  : std::min<std::uint32_t>(op, static_cast<std::uint32_t>(rank_.ops.size() - 1));
  }

  void find_modelled(Memory memory) {
    const std::size_t m = index_of(memory);
    Peak& peak = profile_.peaks[m];
    peak.confidence = Confidence::kModelled;
    for (std::uint32_t i = 0; i < rank_.ops.size(); ++i) {
      const std::int64_t before = profile_.accounted[i][m];
      if (before > peak.bytes_per_bank) {  // grew between programs: growth by an op was seen right after it
        peak.bytes_per_bank = before;
        peak.moment = before_op(i);
        peak.at_program_start = true;
        peak.op = i;
      }
      const std::int64_t after = saturating_add(before, profile_.effects[i].own_growth[m]);
      if (after > peak.bytes_per_bank) {
        peak.bytes_per_bank = after;
        peak.moment = after_op(i);
        peak.at_program_start = false;
        peak.op = i;
      }
    }
  }

  const RuntimeTrace& trace_;
  const RankTrace& rank_;
  RankProfile& profile_;
  std::vector<MeasurePoint> points_;
  std::vector<std::uint32_t> changes_by_op_;  ///< before_op of RankProfile::changes, which are in order
};

}  // namespace

void find_peaks(const RuntimeTrace& trace, std::uint32_t rank, RankProfile& profile) {
  PeakFinder(trace, rank, profile).find();
}

}  // namespace ttscope::mem
