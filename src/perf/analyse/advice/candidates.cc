#include "perf/analyse/advice/candidates.h"

#include "perf/analyse/advice/bound_candidates.h"
#include "perf/analyse/advice/movement.h"
#include "perf/analyse/advice/slow_devices.h"
#include "perf/analyse/advice/wait_candidates.h"

namespace ttscope::perf {
namespace {

/// Conversions as such: without them nothing of their time is left. That is an upper limit.
void add_conversion(std::uint32_t place, CandidateList& list) {
  const MovementClass movement = movement_of(list.name_of_op(place), list.facts_of(place).category);
  const bool is_copying_view = movement == MovementClass::kStructural && is_view(list.name_of_op(place));
  if (!is_copying_view && movement != MovementClass::kLayout) return;
  AdviceCandidate& to =
      is_copying_view
          ? list.candidate(AdviceCause::kViewCostsTime, GainBasis::kMeasured, list.kind_number(place))
          : list.candidate(AdviceCause::kConversions, GainBasis::kMeasured, kNone);
  to.is_removed = true;
  if (is_copying_view) to.advice.bytes += moved_bytes(list.input().table, list.kind_of(place));
  to.add_row(place, list.input().ops.rows[place].device_us, 0);
  list.add_times(to, place, 0);
}

}  // namespace

std::vector<AdviceCandidate> find_candidates(const AdviceInput& input) {
  CandidateList list(input);
  add_waits(list);
  add_slow_devices(list);
  add_ops_below_bounds(list);
  for (std::uint32_t i = 0; i < input.ops.rows.size(); ++i) {
    if (list.is_timed(i)) add_conversion(i, list);
  }
  return list.take();
}

}  // namespace ttscope::perf
