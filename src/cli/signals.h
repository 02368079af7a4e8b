#pragma once

#include <functional>

namespace ttscope::cli {

/// Takes over the signals that end a program, before any other thread starts: SIGINT, SIGTERM and SIGHUP
/// remove unfinished outputs and exit with 128 + their number; SIGPIPE and SIGXFSZ (a
/// file size limit) only make the write fail; SIGBUS, which a mapped file that shrinks raises, ends with a
/// message and exit code 1.
void install_signal_handling();

/// While it lives, SIGINT, SIGTERM and SIGHUP do not end the program: `call` gets their number, on a thread
/// of its own. One at a time.
class SignalRelay {
 public:
  explicit SignalRelay(std::function<void(int)> call);
  ~SignalRelay();
  SignalRelay(const SignalRelay&) = delete;
  SignalRelay& operator=(const SignalRelay&) = delete;
};

/// Whether a write has failed because its reader went away.
bool pipe_was_closed();

}  // namespace ttscope::cli
