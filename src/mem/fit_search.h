#pragma once

#include "mem/fit_verdict.h"

namespace ttscope::mem {

/// Tries changes from the smallest on, first alone, then in pairs, until one fits.
Result<fit::Search> search_changes(const FitRun& run, const fit::Device& device,
                                   const fit::Question& question);

/// The largest batch or sequence that fits, beside the changes that are given.
Result<fit::Maximum> find_maximum(const FitRun& run, const fit::Device& device, const fit::Changes& given,
                                  fit::Growth growth);

}  // namespace ttscope::mem
