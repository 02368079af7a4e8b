#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "launch/child.h"
#include "launch/live_log.h"

namespace ttscope::launch {

/// A pseudo-terminal writes `\r\n` for `\n`; the log gets what the program wrote. Other carriage returns, of
/// progress bars, stay.
class LineEnds {
 public:
  /// The bytes without the carriage returns before newlines; valid until the next call. A carriage return at
  /// the end is held back, because its newline may follow.
  std::string_view convert(std::string_view bytes);
  /// What was held back.
  std::string_view finish();

 private:
  std::string text_;
  bool holds_return_ = false;
};

/// The log that is being captured: a new file, plain or zstd. A full disk does not end the capture: what does
/// not fit is held in memory, within a limit, and written when there is room again.
class LogSink {
 public:
  struct Options {
    bool compress = false;
    bool is_private = false;                         ///< for its user alone, not as the umask has it
    std::size_t hold_bytes = std::size_t{64} << 20;  ///< of unwritten output, while the disk is full
    std::chrono::milliseconds retry{500};
  };

  /// Fails when the file exists or cannot be made.
  static Result<std::unique_ptr<LogSink>> create(const std::string& path, const Options& options);
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  void write(std::string_view bytes);
  /// Makes what was written readable by others; for the pauses of the child.
  void flush();
  /// Writes what is left and closes. An error when bytes of the output are missing in the file.
  Result<void> finish();

  /// The first write failed and bytes are waiting or lost; what the system said.
  bool has_write_problem() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::uint64_t lost_bytes() const { return lost_bytes_; }

 private:
  struct Compressor;
  using Clock = std::chrono::steady_clock;

  LogSink(std::string path, FileDescriptor file, const Options& options);
  void put(std::string_view bytes);
  /// Bytes taken, less than all of them when the disk is full.
  std::size_t try_write(std::string_view bytes);
  void hold(std::string_view bytes);
  void retry_held();
  void compress(std::string_view bytes, int mode);
  void fail(int error_number);

  std::string path_;
  FileDescriptor file_;
  Options options_;
  std::unique_ptr<Compressor> compressor_;
  std::string held_;
  Clock::time_point next_try_{};
  std::string problem_;
  bool can_retry_ = true;
  std::uint64_t lost_bytes_ = 0;
};

/// How a capture meets the terminal and the user of the program around it.
struct CaptureConsole {
  int echo = -1;      ///< where the output is shown as it comes; -1: nowhere
  int keyboard = -1;  ///< a terminal whose input goes to the child; -1: the child has its input already
  bool raw_keyboard = false;  ///< the child has a pseudo-terminal: keys go there as they are
  int screen = -1;            ///< a terminal whose size the pseudo-terminal follows; -1: none
  /// Called before output is shown, if a status may stand there, and about every 100 ms with the state;
  /// `at_line_start` tells whether the output left the cursor at the beginning of a line. Null: no status.
  std::function<void()> clear_status;
  std::function<void(const LiveState& state, bool at_line_start)> show_status;
  /// Something the user must know now; one line.
  std::function<void(const std::string& message)> warn;
  /// The last signal that was handed to the child; 0: none. Null: nobody hands any.
  std::function<int()> passed_signal;
};

struct CaptureResult {
  ChildEnd end;
  LiveState state;
  std::uint64_t output_bytes = 0;
  double seconds = 0;
  std::string log_problem;               ///< why the log lacks output; empty: it is complete
  std::string echo_problem;              ///< why the output was not shown completely; a closed pipe is none
  bool left_open = false;                ///< a process that the child left behind still held the output
  std::vector<std::string> left_behind;  ///< `python3 (4711)`: what of its group lived on after a signal
};

/// Copies all that the child prints to the log and to `echo` until it has ended. The log is written first and
/// finished. Signals are the caller's: Child::signal_group() may be called meanwhile.
CaptureResult run_capture(Child& child, LogSink& log, const CaptureConsole& console);

}  // namespace ttscope::launch
