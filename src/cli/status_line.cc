#include "cli/status_line.h"

#include <algorithm>

#include "cli/terminal.h"

namespace ttscope::cli {

StatusLine::StatusLine(bool wanted) : enabled_(wanted && is_terminal(Stream::kErr)) {}

std::size_t StatusLine::room() const {
  constexpr int kLeast = 20;
  return static_cast<std::size_t>(std::max(terminal_width(Stream::kErr) - 1, kLeast));
}

void StatusLine::show(const std::string& text) {
  if (!enabled_ || text == shown_) return;
  say("\r" + text + "\x1b[K");
  shown_ = text;
}

void StatusLine::clear() {
  if (shown_.empty()) return;
  say("\r\x1b[K");
  shown_.clear();
}

}  // namespace ttscope::cli
