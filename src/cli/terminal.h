#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::cli {

enum class Stream : int { kOut = 1, kErr = 2 };

/// A terminal that understands escape sequences; one without a name (TERM) is not known to.
bool is_terminal(Stream stream);
/// `choice` is auto, always or never; auto honors NO_COLOR, TERM=dumb and pipes.
bool use_color(std::string_view choice, Stream stream);
/// Columns of the terminal, 80 when it is none.
int terminal_width(Stream stream);
/// Columns for a report on standard output: what the shell says (COLUMNS), else those of the terminal.
int report_width();

/// Whether what is written to this path, `-` for standard output, appears on a terminal.
bool is_terminal_path(std::string_view path);

/// Writes to standard output, where nothing but colors acts on a terminal. A reader that went away (`| head`)
/// is not a failure.
Result<void> print(std::string_view text);
/// A result of writing to `path`, without the failure that a closed pipe on standard output is.
Result<void> ignore_closed_pipe(Result<void> written, std::string_view path);
/// `PROGRAM: message` on standard error; the message may hold text from logs and file names, and several
/// lines.
void complain(std::string_view message);
/// The arguments of this process. A line feed in one of them is shown escaped in complaints: what follows it
/// would be a line of its own, which a CI service may take for a command.
void set_arguments(const std::vector<std::string>& args);
/// Complains of an error; the exit code for it.
int fail(const Error& error);
/// The exit code alone: 4 where the input was read but holds nothing, else 1.
int exit_code_of(const Error& error);
/// Prints all that a command has to say, or complains that it could not; the exit code.
int answer(std::string_view text);
/// Text that is ours and safe, as it is.
void say(std::string_view text);

/// The value of a variable; empty when it is not set.
std::string_view environment_value(const char* name);

/// The name before a message; `ttscope` unless set.
const std::string& program_name();
void set_program_name(std::string_view name);

/// The environment of this process, `NAME=value`. Nothing below cli reads it by itself.
std::vector<std::string> own_environment();

/// `0.1.0`
std::string_view version_text();

/// One line at the bottom of a terminal (standard error) that is overwritten in place; nothing when standard
/// error is no terminal. The destructor clears it. Used by one thread.
class StatusLine {
 public:
  explicit StatusLine(bool wanted);
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  bool is_enabled() const { return enabled_; }
  /// Columns that a text may have.
  std::size_t room() const;
  void show(const std::string& text);
  void clear();

 private:
  bool enabled_;
  std::string shown_;
};

/// How far a long read is.
struct ReadingState {
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;  ///< 0: unknown
  std::uint64_t ops = 0;
};

/// One line on standard error that says how far the reading is; nothing before the first second, nothing at
/// all when standard error is no terminal. The destructor clears it. Used by one thread at a time.
class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const ReadingState& state);

 private:
  using Clock = std::chrono::steady_clock;

  bool enabled_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace ttscope::cli
