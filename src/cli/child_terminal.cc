#include "cli/child_terminal.h"

#include <fcntl.h>
#include <unistd.h>

#include <utility>

namespace ttscope::cli {

capture::ChildSpec connect_child(std::string path, std::vector<std::string> arguments,
                                 capture::CaptureOptions& options) {
  capture::ChildSpec spec;
  spec.path = std::move(path);
  spec.arguments = std::move(arguments);
  spec.pty = isatty(STDOUT_FILENO) != 0;
  const bool types = isatty(STDIN_FILENO) != 0;
  options.echo = STDOUT_FILENO;
  if (spec.pty) {
    options.screen = STDOUT_FILENO;
    spec.terminal = types ? STDIN_FILENO : STDOUT_FILENO;
  }
  if (types) {
    options.keyboard = STDIN_FILENO;
    options.raw_keyboard = spec.pty;
    spec.input = spec.pty ? capture::ChildInput::kTerminal : capture::ChildInput::kPipe;
  }
  return spec;
}

void fill_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is given.
    [[maybe_unused]] const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

void GroupSignals::begin(const capture::Child& child) {
  const std::lock_guard lock(mutex_);
  child_ = &child;
  if (early_ != 0) child.signal_group(early_);
}

void GroupSignals::end() {
  const std::lock_guard lock(mutex_);
  child_ = nullptr;
}

void GroupSignals::pass(int signal_number) {
  const std::lock_guard lock(mutex_);
  early_ = signal_number;
  if (child_ != nullptr) child_->signal_group(signal_number);
}

}  // namespace ttscope::cli
