#pragma once

#include <termios.h>

namespace ttscope::capture {

/// Puts a terminal into raw mode, so that every key reaches the pseudo-terminal of the child, and back. Does
/// nothing while the program is in the background: the terminal then belongs to someone else.
class TerminalMode {
 public:
  /// `descriptor` < 0: there is no terminal.
  explicit TerminalMode(int descriptor);
  ~TerminalMode() { restore(); }
  TerminalMode(const TerminalMode&) = delete;
  TerminalMode& operator=(const TerminalMode&) = delete;

  bool is_foreground() const;
  bool is_raw() const { return is_raw_; }
  void make_raw();
  void restore();

 private:
  int descriptor_;
  bool has_settings_ = false;
  bool is_raw_ = false;
  struct termios settings_ {};  ///< as they were
};

/// Gives `pty` the size of `terminal`, if that has changed; the child gets SIGWINCH from the kernel.
void copy_window_size(int terminal, int pty);

/// Whether a byte typed on the terminal is the suspend key of the pseudo-terminal's program (Ctrl-Z).
bool is_suspend_key(int pty, char key);
/// Whether a program reads the pseudo-terminal key by key (an editor, a prompt): a status line would disturb.
bool reads_keys(int pty);

}  // namespace ttscope::capture
