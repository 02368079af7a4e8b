#pragma once

#include <string>
#include <vector>

#include "app/open_run.h"
#include "base/result.h"
#include "diff/report.h"

namespace ttscope::app {

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

}  // namespace ttscope::app
