#include "capture/keyboard.h"

#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "capture/capture_run.h"
#include "capture/child.h"

namespace ttscope::capture {

Keyboard::Keyboard(Child& child, const CaptureConsole& console)
    : child_(child),
      keyboard_(console.keyboard),
      screen_(console.screen),
      pty_(console.screen >= 0 ? child.output() : -1),
      raw_(console.raw_keyboard),
      mode_(console.keyboard),
      ended_(console.keyboard < 0 || child.input() < 0) {
  if (raw_) mode_.make_raw();
}

void Keyboard::prepare(struct pollfd& typed, struct pollfd& room) const {
  // A program in the background that reads the terminal would be stopped.
  const bool may_read = !ended_ && pending_.empty() && mode_.is_foreground() && (!raw_ || mode_.is_raw());
  typed = {may_read ? keyboard_ : -1, POLLIN, 0};
  room = {pending_.empty() ? -1 : child_.input(), POLLOUT, 0};
}

void Keyboard::note(const struct pollfd& typed, const struct pollfd& room) {
  can_read_ = (typed.revents & (POLLIN | POLLHUP)) != 0;
  if ((room.revents & POLLERR) != 0) pending_.clear();
}

void Keyboard::pump() {
  if (can_read_) read_keys();
  can_read_ = false;
  if (!pending_.empty()) send();
}

void Keyboard::read_keys() {
  std::array<char, 1024> keys;
  const ssize_t size = ::read(keyboard_, keys.data(), keys.size());
  if (size <= 0) {
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) {
      ended_ = true;
      if (!raw_) child_.close_input();
    }
    return;
  }
  for (ssize_t i = 0; i < size; ++i) {
    const char key = keys[static_cast<std::size_t>(i)];
    if (raw_ && is_suspend_key(pty_, key)) {
      suspend();
    } else {
      pending_ += key;
    }
  }
}

void Keyboard::send() {
  const ssize_t written = ::write(child_.input(), pending_.data(), pending_.size());
  if (written > 0) {
    pending_.erase(0, static_cast<std::size_t>(written));
  } else if (written < 0 && errno != EAGAIN && errno != EINTR) {
    pending_.clear();
    ended_ = true;
  }
}

/// The child's session has no shell that could continue a stopped program, so the kernel would not stop it.
void Keyboard::suspend() {
  child_.signal_group(SIGSTOP);
  mode_.restore();
  ::kill(0, SIGSTOP);
  // Here again after SIGCONT.
  mode_.make_raw();
  child_.signal_group(SIGCONT);
}

void Keyboard::tick() {
  if (pty_ >= 0) copy_window_size(screen_, pty_);
  if (raw_ && !ended_ && !mode_.is_raw()) mode_.make_raw();
}

}  // namespace ttscope::capture
