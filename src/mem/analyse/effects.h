#pragma once

#include "mem/analyse/live_tracker.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// Splits the measured changes among the ops and program boundaries that made them, the model saying how
/// where several share one interval between two blocks. Fills RankProfile::effects and changes; what no cause
/// explains is listed as unattributed, so that effects and changes always add up to the measured difference.
void attribute_changes(const RuntimeTrace& trace, std::uint32_t rank, const ModelledChanges& model,
                       RankProfile& profile);

/// Fills RankProfile::peaks and worst_fragmentation from every block (or the modelled curve), and
/// live_at_peak.
void find_peaks(const RuntimeTrace& trace, std::uint32_t rank, RankProfile& profile);

/// A block in its place among ops and events.
struct MeasurePoint {
  Moment moment = 0;
  std::uint32_t before_op = 0;
  std::uint32_t block = 0;
};
/// The blocks of a rank in order of what they show (displaced ones put back).
std::vector<MeasurePoint> measure_points(const RankTrace& rank);

}  // namespace ttscope::mem
