#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyze/fixes.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// A buffer takes less of every bank from one moment until before another.
struct SizeReduction {
  Moment from = 0;
  Moment until = 0;
  std::int64_t bytes_per_bank = 0;
};

/// When an allocation failed: in an op, or between programs after the ops that had run.
inline Moment moment_of(const OutOfMemory& failure) {
  if (failure.last_op != kNone) return before_op(failure.last_op);
  return failure.before_op == 0 ? 0 : after_op(failure.before_op - 1);
}

/// The curve of one memory of a rank, to be run again with buffers that are smaller or die earlier. The
/// points are those that the peak was found among: printed states and figures of failure messages, else the
/// modeled curve.
class Replay {
 public:
  Replay(const RuntimeLog& log, std::uint32_t rank, const RankProfile& profile, Memory memory);

  /// A state that was asked for and not reached, such as that of a failed allocation.
  void add_point(Moment moment, std::int64_t bytes_per_bank);
  /// The highest point as it was.
  std::int64_t peak() const;
  /// The highest point with the changes; it may be another. Not thread safe.
  std::int64_t peak_with(const std::vector<SizeReduction>& changes);

 private:
  struct Point {
    Moment moment = 0;
    std::int64_t bytes_per_bank = 0;
  };
  void add_measured(const RankLog& rank, Memory memory);
  void add_modeled(const RankProfile& profile, Memory memory);

  std::vector<Point> points_;        ///< by moment
  std::vector<std::int64_t> steps_;  ///< by moment, all 0 between calls: where changes begin and end
};

/// Which buffers a fix makes smaller, and when.
struct FixChanges {
  std::vector<SizeReduction> smaller;
  std::vector<std::uint32_t> buffers;          ///< parallel: whose change it is
  std::int64_t halved = 0;                     ///< the batch or the sequence length; 0: neither
  std::int64_t asked_less_bytes_per_bank = 0;  ///< of what a failed allocation asked for
};

/// Where the buffers of a rank are looked at.
struct FixScene {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  std::uint32_t rank_index = 0;
  Memory memory = Memory::kDram;
  Buffer asked{};  ///< what an allocation failed for; its type is kNone where none did, or nothing tells
  const RankLog& ops = log.ranks[rank_index];
  const RankProfile& rank = profile.ranks[rank_index];
};

FixChanges changes_of(const FixScene& scene, FixKind kind);

}  // namespace ttscope::mem
