#pragma once

#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"
#include "diff/compared_run.h"
#include "diff/report.h"
#include "gate/judge.h"
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

/// What is compared of memory.
enum class ComparedMemory : std::uint8_t {
  kAny,  ///< DRAM, or L1 where its peak alone changed
  kDram,
  kL1,
};

struct DiffOptions {
  OpenOptions open{};
  ComparedMemory memory = ComparedMemory::kAny;
};

/// Compares two runs: a report for each subject that both have, device time first. An error says which input
/// is of another kind.
Result<std::vector<diff::DiffReport>> compare(const RunInputs& before, const RunInputs& after,
                                              const DiffOptions& options = {});

struct GateOptions {
  OpenOptions open{};
  std::vector<std::string> baseline{};  ///< instead of the one that the budgets file names
};

/// Holds a run, given as arguments (`a.csv,b.csv` are repeats, `a.log+a.csv` belong together), against a
/// budgets file.
Result<gate::GateResult> gate_runs(const std::vector<std::string>& arguments, const std::string& budget_path,
                                   const GateOptions& options = {});

}  // namespace ttscope::app
