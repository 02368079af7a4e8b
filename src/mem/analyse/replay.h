#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// A buffer takes less of every bank from one moment until before another.
struct SmallerFor {
  Moment from = 0;
  Moment until = 0;
  std::int64_t bytes_per_bank = 0;
};

/// The curve of one memory of a rank, to be run again with buffers that are smaller or die earlier. The
/// points are those that the peak was found among: printed states and figures of failure messages, else the
/// modelled curve.
class Replay {
 public:
  Replay(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile, Memory memory);

  /// A state that was asked for and not reached, such as that of a failed allocation.
  void add_point(Moment moment, std::int64_t bytes_per_bank);
  /// The highest point as it was.
  std::int64_t peak() const;
  /// The highest point with the changes; it may be another. Not thread safe.
  std::int64_t peak_with(const std::vector<SmallerFor>& changes);

 private:
  struct Point {
    Moment moment = 0;
    std::int64_t bytes_per_bank = 0;
  };
  void add_measured(const RankTrace& rank, Memory memory);
  void add_modelled(const RankProfile& profile, Memory memory);

  std::vector<Point> points_;        ///< by moment
  std::vector<std::int64_t> steps_;  ///< by moment, all 0 between calls: where changes begin and end
};

}  // namespace ttscope::mem
