#include "cli/progress_bar.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/terminal.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kQuietTime = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kCells = 24;

std::string progress_line(const ReadingState& state) {
  const std::string ops = report::counted(state.ops, "op");
  const std::string done = report::size_text(static_cast<std::int64_t>(state.bytes_done));
  if (state.bytes_total == 0) return fmt::format("reading  {}  {}", done, ops);
  const double fraction = static_cast<double>(state.bytes_done) / static_cast<double>(state.bytes_total);
  const std::string total = report::size_text(static_cast<std::int64_t>(state.bytes_total));
  return fmt::format("reading  [{}]  {:.0f}%  {} of {}  {}",
                     report::pad_right(report::bar(std::min(fraction, 1.0), kCells), kCells),
                     std::min(fraction, 1.0) * 100, done, total, ops);
}

}  // namespace

ProgressBar::ProgressBar() : enabled_(is_terminal(Stream::kErr)), next_(Clock::now() + kQuietTime) {}

ProgressBar::~ProgressBar() {
  if (shown_) say("\r\x1b[K");
}

void ProgressBar::show(const ReadingState& state) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kInterval;
  shown_ = true;
  const auto room = static_cast<std::size_t>(std::max(terminal_width(Stream::kErr) - 1, 20));
  const std::string text = progress_line(state);
  say("\r" + (report::display_width(text) <= room ? text : report::fit(text, room)) + "\x1b[K");
}

}  // namespace ttscope::cli
