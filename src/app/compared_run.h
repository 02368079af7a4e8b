#pragma once

#include <vector>

#include "app/open.h"
#include "diff/run.h"
#include "mem/diff_run.h"

namespace ttscope::app {

/// What is compared of memory: the peak of DRAM, or of L1, and what all logs tell of it.
struct ComparedPeak {
  bool is_of_l1 = false;
  mem::ComparedIn shared{};
};

/// A profile as one side of a comparison.
diff::ComparedRun compared_run(const Profile& profile, const ComparedPeak& peak = {});
/// The peak of memory logs, looked at in the same way in all of them.
ComparedPeak peak_of_all(const std::vector<const Profile*>& profiles, bool is_of_l1);
/// Of device time each replay of the window as a side of its own; empty: it cannot be taken apart.
std::vector<diff::ComparedRun> compared_replays(const Profile& profile);

}  // namespace ttscope::app
