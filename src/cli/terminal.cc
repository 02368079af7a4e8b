#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/number_text.h"
#include "base/text.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/signals.h"
#include "ui/text.h"

namespace ttscope::cli {
namespace {

std::string& name_of_program() {
  static std::string name = "ttscope";
  return name;
}

/// What stands around the line feeds of arguments, as it is found in messages that hold a part of a path.
std::vector<std::string>& broken_names() {
  static std::vector<std::string> names;
  return names;
}

/// The message with the line feeds of names escaped and its own as they are.
std::string with_whole_names(std::string_view message) {
  std::string text(message);
  for (const std::string& name : broken_names()) {
    const std::string shown = terminal_safe(name);
    for (std::size_t at = 0; (at = text.find(name, at)) != std::string::npos; at += shown.size()) {
      text.replace(at, name.size(), shown);
    }
  }
  return text;
}

}  // namespace

void set_arguments(const std::vector<std::string>& args) {
  constexpr std::string_view kEnds =
      "/.\n";  // messages may hold a folder alone, or a name without its ending
  broken_names().clear();
  for (const std::string_view arg : args) {
    for (std::size_t at = 0; (at = arg.find('\n', at)) != std::string_view::npos; ++at) {
      std::size_t begin = at;
      std::size_t end = std::min(arg.find_first_of(kEnds, at + 1), arg.size());
      if (end == at + 1) {  // nothing behind it
        begin = arg.find_last_of("/=\n", at == 0 ? 0 : at - 1);
        begin = begin == std::string_view::npos || begin == at ? 0 : begin + 1;
      }
      broken_names().emplace_back(arg.substr(begin, end - begin));
    }
  }
}

const std::string& program_name() { return name_of_program(); }

bool is_terminal(Stream stream) {
  const std::string_view name = environment_value("TERM");
  return isatty(static_cast<int>(stream)) != 0 && !name.empty() && name != "dumb";
}

bool use_color(std::string_view choice, Stream stream) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  return environment_value("NO_COLOR").empty() && is_terminal(stream);
}

int terminal_width(Stream stream) {
  constexpr int kDefault = 80;
  winsize size{};
  if (ioctl(static_cast<int>(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefault;
  return size.ws_col;
}

int report_width() {
  constexpr int kMin = 40;
  constexpr int kMax = 1000;
  const auto given = parse_whole(environment_value("COLUMNS"));
  const bool is_usable = given && *given >= kMin && *given <= kMax;
  return is_usable ? static_cast<int>(*given) : terminal_width(Stream::kOut);
}

bool is_terminal_path(std::string_view path) { return path == "-" && isatty(STDOUT_FILENO) != 0; }

Result<void> print(std::string_view text) {
  auto writer = open_writer("-");
  if (!writer) return failure(writer.error());
  if (is_terminal_path("-")) {
    (*writer)->write(visible_lines(text, TerminalCodes::kColors));
  } else {
    (*writer)->write(text);
  }
  return ignore_closed_pipe((*writer)->finish(), "-");
}

Result<void> ignore_closed_pipe(Result<void> written, std::string_view path) {
  if (!written && path == "-" && pipe_was_closed()) return {};
  return written;
}

void complain(std::string_view text_of_message) {
  const std::string whole = with_whole_names(text_of_message);
  std::string_view message = whole;
  std::string text = program_name() + ": ";
  while (true) {
    const std::size_t newline = message.find('\n');
    text += terminal_safe(message.substr(0, newline));
    text += '\n';
    if (newline == std::string_view::npos) break;
    message.remove_prefix(newline + 1);
  }
  say(text);
}

int exit_code_of(const Error& error) {
  return error.code == ErrorCode::kNothingFound ? kNothingFound : kFailed;
}

int fail(const Error& error) {
  complain(error.message);
  return exit_code_of(error);
}

int answer(std::string_view text) {
  const Result<void> printed = print(text);
  return printed ? static_cast<int>(kOk) : fail(printed.error());
}

std::string_view environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

void say(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void set_program_name(std::string_view name) { name_of_program() = name; }

std::vector<std::string> own_environment() {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    environment.emplace_back(*entry);
  return environment;
}

std::string_view version_text() { return TTSCOPE_VERSION; }

StatusLine::StatusLine(bool wanted) : enabled_(wanted && is_terminal(Stream::kErr)) {}

std::size_t StatusLine::room() const {
  constexpr int kMin = 20;
  return static_cast<std::size_t>(std::max(terminal_width(Stream::kErr) - 1, kMin));
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

namespace {

using namespace std::chrono_literals;

constexpr auto kQuietTime = 1s;
constexpr auto kInterval = 100ms;
constexpr std::size_t kCells = 24;

std::string progress_line(const ReadingState& state) {
  const std::string ops = ui::counted(state.ops, "op");
  const std::string done = ui::size_text(static_cast<std::int64_t>(state.bytes_done));
  if (state.bytes_total == 0) return fmt::format("reading  {}  {}", done, ops);
  const double fraction = static_cast<double>(state.bytes_done) / static_cast<double>(state.bytes_total);
  const std::string total = ui::size_text(static_cast<std::int64_t>(state.bytes_total));
  return fmt::format("reading  [{}]  {:.0f}%  {} of {}  {}",
                     ui::pad_right(ui::bar(std::min(fraction, 1.0), kCells), kCells),
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
  say("\r" + (ui::display_width(text) <= room ? text : ui::fit(text, room)) + "\x1b[K");
}

}  // namespace ttscope::cli
