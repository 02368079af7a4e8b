#include "cli/run_terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/text_escape.h"
#include "capture/status_text.h"
#include "cli/signals.h"
#include "cli/summary.h"
#include "cli/terminal.h"

namespace ttscope::cli {

void fill_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is given.
    [[maybe_unused]] const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

void RunTerminal::say(const std::string& text) { cli::say(text); }

void RunTerminal::complain(const std::string& message) { cli::complain(message); }

app::RunScreen RunTerminal::screen() const {
  return {program_name(),
          {.color = use_color("auto", Stream::kErr), .width = terminal_width(Stream::kErr), .top = kTopRows}};
}

capture::CaptureConsole RunTerminal::connect(capture::ChildSpec& spec) {
  capture::CaptureConsole console;
  spec.pty = isatty(STDOUT_FILENO) != 0;
  const bool types = isatty(STDIN_FILENO) != 0;
  console.echo = STDOUT_FILENO;
  if (spec.pty) {
    console.screen = STDOUT_FILENO;
    spec.terminal = types ? STDIN_FILENO : STDOUT_FILENO;
  }
  if (types) {
    console.keyboard = STDIN_FILENO;
    console.raw_keyboard = spec.pty;
    spec.input = spec.pty ? capture::ChildInput::kTerminal : capture::ChildInput::kPipe;
  }
  console.warn = [](const std::string& message) {
    // A terminal in raw mode does not return to the first column by itself.
    cli::say(fmt::format("{}: {}{}\n", program_name(), terminal_safe(message),
                         is_terminal(Stream::kErr) ? "\r" : ""));
  };
  if (!status_.is_enabled()) return console;
  const bool shares_terminal = spec.pty;
  console.clear_status = [this] { status_.clear(); };
  console.show_status = [this, shares_terminal](const capture::LiveState& state, bool at_line_start) {
    if (at_line_start || !shares_terminal) status_.show(capture::status_text(state, status_.room()));
  };
  return console;
}

int RunTerminal::shown_output() const { return STDERR_FILENO; }

std::shared_ptr<void> RunTerminal::take_signals(std::function<void(int)> take) {
  return std::make_shared<SignalRelay>(std::move(take));
}

}  // namespace ttscope::cli
