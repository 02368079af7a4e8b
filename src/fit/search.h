#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fit/report.h"

namespace ttscope::fit {

/// What an input answers about one set of changes on one device.
struct Evaluation {
  DeviceVerdict verdict;
  std::vector<AppliedChange> applied;
};

using Evaluate = std::function<Result<Evaluation>(const Device& device, const Changes& changes)>;

/// A change that can be added to others.
struct SearchStep {
  std::function<void(Changes&)> apply;
  bool pairs = true;  ///< it is worth a try together with another
};

/// Steps from the smallest change on; the verdict is that of the input without any.
using ListSteps = std::function<std::vector<SearchStep>(const DeviceVerdict& unchanged)>;

/// Tries steps beside the question's changes in their order, first alone, then in pairs, until one fits.
Result<Search> search_changes(const Evaluate& ask, const Device& device, const FitQuery& question,
                              const ListSteps& list_steps);

struct LargestFit {
  std::int64_t value = 0;  ///< 0: none fits
  bool at_limit = false;   ///< larger ones were not tried
};

/// The largest number that fits, where all smaller ones do too: doubles `first` up to `most`, then halves
/// what is between. `fits` is asked last about that number.
LargestFit find_largest_fit(std::int64_t first, std::int64_t most,
                            const std::function<bool(std::int64_t)>& fits);

/// The largest batch or sequence that fits, from the recorded one on, beside the changes that are given.
Maximum find_maximum(const Evaluate& ask, const Device& device, const Changes& given,
                     const Maximum& recorded);

/// Smaller data: halves of what it is, down to the least. Only the first is worth a pair.
void add_halves(std::vector<SearchStep>& steps, Growth growth, Scaling recorded, std::int64_t least);

}  // namespace ttscope::fit
