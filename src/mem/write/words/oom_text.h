#pragma once

#include <string>
#include <vector>

#include "mem/analyse/oom_log.h"
#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// One line of the explanation of a failure. The texts hold those of the log: escape them where they are
/// shown.
struct OomItem {
  std::string label;  ///< `asked for`; empty when it goes on from the line before
  std::string text;
};

/// What happened in one sentence, with the place of the message: `DRAM is full: ... (run.log:5118)`.
std::string oom_headline(const OomLog& log, const FailureReport& report, Names names = Names::kPlain);
/// The same of what else ended a program.
std::string crash_headline(const OomLog& log, const CrashReport& report, Names names = Names::kPlain);
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
