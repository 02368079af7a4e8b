#include "capture/terminal_mode.h"

#include <sys/ioctl.h>
#include <unistd.h>

namespace ttscope::capture {

TerminalMode::TerminalMode(int descriptor) : descriptor_(descriptor) {
  has_settings_ = descriptor_ >= 0 && ::tcgetattr(descriptor_, &settings_) == 0;
}

bool TerminalMode::is_foreground() const { return has_settings_ && ::tcgetpgrp(descriptor_) == ::getpgrp(); }

void TerminalMode::make_raw() {
  if (is_raw_ || !is_foreground()) return;
  struct termios raw = settings_;
  ::cfmakeraw(&raw);
  is_raw_ = ::tcsetattr(descriptor_, TCSADRAIN, &raw) == 0;
}

void TerminalMode::restore() {
  if (!is_raw_) return;
  is_raw_ = false;
  if (is_foreground()) ::tcsetattr(descriptor_, TCSADRAIN, &settings_);
}

void copy_window_size(int terminal, int pty) {
  struct winsize wanted {};
  struct winsize now {};
  if (::ioctl(terminal, TIOCGWINSZ, &wanted) != 0 || ::ioctl(pty, TIOCGWINSZ, &now) != 0) return;
  if (wanted.ws_row == now.ws_row && wanted.ws_col == now.ws_col) return;
  ::ioctl(pty, TIOCSWINSZ, &wanted);
}

bool is_suspend_key(int pty, char key) {
  struct termios settings {};
  if (::tcgetattr(pty, &settings) != 0 || (settings.c_lflag & ISIG) == 0) return false;
  return settings.c_cc[VSUSP] != _POSIX_VDISABLE && settings.c_cc[VSUSP] == static_cast<unsigned char>(key);
}

bool reads_keys(int pty) {
  struct termios settings {};
  return ::tcgetattr(pty, &settings) == 0 && (settings.c_lflag & ICANON) == 0;
}

}  // namespace ttscope::capture
