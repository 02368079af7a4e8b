#pragma once

#include <functional>
#include <string>

namespace ttscope::cli {

/// Takes over the signals that end a program, before any other thread starts: SIGINT, SIGTERM and SIGHUP
/// remove unfinished outputs and exit with 128 + their number; SIGPIPE and SIGXFSZ (a
/// file size limit) only make the write fail; SIGBUS, which a mapped file that shrinks raises, ends with a
/// message and exit code 1.
void install_signal_handling();

/// While it lives, SIGINT, SIGTERM and SIGHUP (or Ctrl-C alone) do not end the program: `call` gets their
/// number, on a thread of its own. One at a time.
class SignalRelay {
 public:
  enum class Signals { kAll, kCtrlC };
  explicit SignalRelay(std::function<void(int)> call, Signals taken = Signals::kAll);
  ~SignalRelay();
  SignalRelay(const SignalRelay&) = delete;
  SignalRelay& operator=(const SignalRelay&) = delete;
};

/// The last signal that a SignalRelay took; 0 when there was none.
int last_relayed_signal();

/// What Ctrl-C says on standard error before it ends the program; empty: nothing. For programs that talk.
void set_interrupt_message(std::string text);

/// Whether a write has failed because its reader went away.
bool pipe_was_closed();

}  // namespace ttscope::cli
