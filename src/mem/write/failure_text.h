#pragma once

#include <string>
#include <vector>

#include "mem/analyze/failure_report.h"
#include "mem/analyze/failures.h"
#include "mem/analyze/logs.h"
#include "mem/write/labels.h"

/// The culprits of a failure in words; empty where there are none. The texts hold those of the log: escape
/// them where they are shown.

namespace ttscope::mem {

/// A failure in plain words; only `where` holds text of the log.
struct FailureText {
  std::string title;      ///< `Out of memory`, `Circular buffers beyond L1`
  std::string what;       ///< `DRAM allocation of 3.07 GB: 261.96 MB in each of 12 banks`
  std::string where;      ///< op, location, program and line
  std::string state;      ///< what the banks held; empty when nothing tells
  std::string diagnosis;  ///< why it did not fit and what would help
};

FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure);

/// What failed, where it was no allocation in banks: `circular buffers reach 112.5 KB into the tensors of
/// L1`.
std::string other_failure_text(const FailedBank& bank);

/// `128256x3072 bf16 in rows: result %1 of the op, made of lm_head.weight`. Holds text of the log: escape it
/// where it is shown.
std::string candidate_text(const MemoryProfile& profile, const TensorCandidate& candidate,
                           Names names = Names::kPlain);

/// Model name of the argument that the tensor is made of; empty where that is not known.
std::string_view origin_name(const MemoryProfile& profile, const TensorCandidate& candidate);

/// `8.00 MB per bank in 2 tensors that nothing used any more`
std::string freed_late_sum(const FailureReport& report);
/// `8.00 MB per bank in 2 tensors that nothing used any more: main:%12 (...), last used at line 123, 41 ops
/// before, ...`
std::string freed_late_text(const ProfileView& view, const FailureReport& report);
/// `36.00 MB from run 2 (line 10) to run 9 (line 900) of main, in 7 of 7 runs: 8 x main:%7 (...)`
std::string run_growth_text(const ProfileView& view, const FailureReport& report);
/// `weights`, `const-eval copies beside their weights`, ...
std::string_view holder_label(HolderKind kind);

/// One line of the explanation of a failure. The texts hold those of the log: escape them where they are
/// shown.
struct OomItem {
  std::string label;  ///< `asked for`; empty when it goes on from the line before
  std::string text;
};

/// What happened in one sentence, with the place of the message: `DRAM is full: ... (run.log:5118)`.
std::string oom_headline(const OomLog& log, const FailureReport& report, Names names = Names::kPlain);
/// The same of what else ended a program.
std::string crash_headline(const OomLog& log, const UnexplainedCrash& report, Names names = Names::kPlain);
/// Everything that is known of a failure; `rows` tensors and candidates of each list, 0 for all.
std::vector<OomItem> oom_items(const OomLog& log, const FailureReport& report, std::size_t rows,
                               Names names = Names::kPlain);
/// `3f2a9c0d41b7e865`.
std::string fingerprint_text(std::uint64_t fingerprint);
/// `run.log`, or `standard input` for `-`.
std::string log_label(const OomLog& log);
/// What was looked at in vain.
std::string no_failure_text(const std::vector<OomLog>& logs);

}  // namespace ttscope::mem
