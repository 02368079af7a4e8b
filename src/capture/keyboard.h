#pragma once

#include <poll.h>

#include <string>

#include "capture/terminal_mode.h"

namespace ttscope::capture {

class Child;
struct CaptureConsole;

/// What is typed on the user's terminal on its way to the child. With a pseudo-terminal the keys go there as
/// they are, Ctrl-C included: the kernel makes the signal for the child's group. Ctrl-Z stops child and
/// program.
class Keyboard {
 public:
  Keyboard(Child& child, const CaptureConsole& console);

  bool has_pty() const { return pty_ >= 0; }
  bool child_reads_keys() const { return pty_ >= 0 && reads_keys(pty_); }
  /// What poll() waits for, and what it found: the terminal, and room for what is typed.
  void prepare(struct pollfd& typed, struct pollfd& room) const;
  void note(const struct pollfd& typed, const struct pollfd& room);
  void pump();
  /// Follows the size of the window; takes the terminal when the program comes to the foreground.
  void tick();
  void restore() { mode_.restore(); }

 private:
  void read_keys();
  void send();
  void suspend();

  Child& child_;
  int keyboard_;
  int screen_;
  int pty_;
  bool raw_;
  TerminalMode mode_;
  std::string pending_;
  bool can_read_ = false;
  bool ended_ = false;
};

}  // namespace ttscope::capture
