#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// Tells the failures of a rank from their prints: one failure is printed up to four times (logger,
/// exception, Python, the summary of a test run), sometimes cut.
class FailureCollector {
 public:
  void add(const OutOfMemory& printed);
  bool empty() const { return messages_.empty(); }
  OutOfMemory* newest_print() { return messages_.empty() ? nullptr : &messages_.back().printed; }
  /// All prints, in order; nothing stays behind.
  std::vector<OutOfMemory> take_prints();
  /// Fills RankTrace::failures and failure_messages.
  void hand_over(RankTrace& rank);

 private:
  std::uint32_t failure_of(const OutOfMemory& printed, const std::string& figures) const;

  std::vector<OutOfMemory> failures_;
  std::vector<FailureMessage> messages_;
  std::unordered_map<std::string, std::uint32_t> newest_with_;  ///< by figures, in failures_
};

}  // namespace ttscope::mem
