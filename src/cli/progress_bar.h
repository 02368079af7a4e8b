#pragma once

#include <chrono>
#include <cstdint>

namespace ttscope::cli {

/// How far a long read is.
struct ReadingState {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0: unknown
  std::uint64_t ops = 0;
};

/// One line on standard error that says how far the reading is; nothing before the first second, nothing at
/// all when standard error is no terminal. The destructor clears it. Used by one thread at a time.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const ReadingState& state);

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace ttscope::cli
