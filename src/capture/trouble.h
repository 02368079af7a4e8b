#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::capture {

enum class TroubleKind { kOutOfMemory, kFatal, kException, kCrash };

/// A line of a log that tells of a failure.
struct Trouble {
  TroubleKind kind = TroubleKind::kCrash;
  std::uint64_t line = 0;   ///< from 1; of a Python traceback: its first line
  std::string text;         ///< of the log, hence hostile; without colours, at most kTroubleTextBytes
  std::uint64_t times = 1;  ///< the same text again: loggers, exceptions and frameworks repeat each other
};

inline constexpr std::size_t kTroubleTextBytes = 300;

/// Finds out-of-memory texts, and what the reader of logs knows as the end of a program, in the lines of a
/// log given in order. The lines of the runtime's own loggers below warning are passed over at the cost of a
/// comparison.
class TroubleFinder {
 public:
  /// `number` counts from 1.
  void add_line(std::string_view line, std::uint64_t number);

  /// The first ones; `count()` tells of all, repeats not counted.
  const std::vector<Trouble>& troubles() const { return troubles_; }
  std::uint64_t count() const { return count_; }

 private:
  void add(TroubleKind kind, std::uint64_t number, std::string_view text);
  void forget_frame_of(std::uint64_t number);
  bool continue_traceback(std::string_view tag, std::string_view line);

  std::vector<Trouble> troubles_;
  std::uint64_t count_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> tracebacks_;  ///< open ones by rank tag: their first line
};

}  // namespace ttscope::capture
