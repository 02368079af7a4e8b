#pragma once

#include <string>

#include "mem/analyse/failure_report.h"
#include "mem/write/words/labels.h"

/// The culprits of a failure in words; empty where there are none. The texts hold those of the log: escape
/// them where they are shown.
namespace ttscope::mem {

/// `8.00 MB per bank in 2 tensors that nothing used any more`
std::string freed_late_sum(const FailureReport& report);
/// `8.00 MB per bank in 2 tensors that nothing used any more: main:%12 (...), last used at line 123, 41 ops
/// before, ...`
std::string freed_late_text(const ProfileView& view, const FailureReport& report);
/// `36.00 MB from run 2 (line 10) to run 9 (line 900) of main, in 7 of 7 runs: 8 x main:%7 (...)`
std::string run_growth_text(const ProfileView& view, const FailureReport& report);
/// `weights`, `const-eval copies beside their weights`, ...
std::string_view holder_word(HolderKind kind);

}  // namespace ttscope::mem
