#pragma once

#include <vector>

#include "diff/compared_run.h"
#include "diff/report.h"

namespace ttscope::diff {

/// One side: a run, and repeats of it that tell how much runs differ by themselves.
struct Side {
  ComparedRun run;
  std::vector<ComparedRun> repeats{};
};

/// The settings that both runs tell and that differ.
std::vector<Caution> unlike_settings(const ComparedRun& before, const ComparedRun& after);

/// What changed from one run to the other, which ops account for it, and why. The changes of `ops` add up to
/// that of the cost.
DiffReport compare_runs(const Side& before, const Side& after);

}  // namespace ttscope::diff
