#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/child.h"
#include "capture/live_scan.h"
#include "capture/log_sink.h"

namespace ttscope::capture {

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

}  // namespace ttscope::capture
