#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Where the next failure message of a line begins, from `from` on; npos when there is none. A mark is no
/// more than a hint: parse_failure() says whether a message stands there.
std::size_t find_failure_marker(std::string_view line, std::size_t from);

/// Whether a mark is of the host's memory: such a line tells of the end of the program too.
bool is_host_marker(std::string_view text);

/// Whether a logger wrote the line at a level at which nobody tells of failures: most lines of TT-XLA's and
/// tt-metal's loggers.
bool is_quiet_line(std::string_view line);

/// Whether a line is an op or an attribute of a module dump. They are many and long, and hold no message.
bool is_module_text(std::string_view line);

/// A message is at most so long. People reflow it, so its text reaches over the end of its line, and one at
/// the end of a chunk goes on in the next.
inline constexpr std::size_t kFailureTextBytes = 1200;

/// Reads the message that begins at a mark of failure_marks.h: its kind and figures. False when it is none.
bool parse_failure(std::string_view text, OutOfMemory& failure);

/// Tells the failures of a rank from their prints: one failure is printed up to four times (logger,
/// exception, Python, the summary of a test run), sometimes cut.
class FailureCollector {
 public:
  void add(const OutOfMemory& printed);
  bool empty() const { return messages_.empty(); }
  OutOfMemory* newest_print() { return messages_.empty() ? nullptr : &messages_.back().printed; }
  /// All prints, in order; nothing stays behind.
  std::vector<OutOfMemory> take_prints();
  /// Fills RankLog::failures and failure_messages.
  void hand_over(RankLog& rank);

 private:
  std::uint32_t failure_of(const OutOfMemory& printed, const std::string& figures) const;

  std::vector<OutOfMemory> failures_;
  std::vector<FailureMessage> messages_;
  std::unordered_map<std::string, std::uint32_t> newest_by_figures_;  ///< by figures, in failures_
};

/// Whether a line can be a frame that says what was being done; cheap, for every line that nothing else is.
bool may_be_frame(std::string_view line);

/// Adds what a frame says. Frames come from the innermost outwards: the first that names an op counts.
void add_frame(std::string_view text, std::uint32_t line, Backtrace& backtrace);

}  // namespace ttscope::mem
