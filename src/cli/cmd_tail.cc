#include "cli/cmd_tail.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "app/identify.h"
#include "base/text_escape.h"
#include "capture/file_follower.h"
#include "capture/status_text.h"
#include "cli/signals.h"
#include "cli/status_line.h"
#include "cli/terminal.h"
#include "io/open_input.h"

namespace ttscope::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kLook{100};
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Waiting that a signal ends.
class StopSign {
 public:
  void raise(int signal_number) {
    {
      const std::lock_guard lock(mutex_);
      signal_ = signal_number;
    }
    raised_.notify_all();
  }
  int signal_number() const { return signal_; }
  void wait() {
    std::unique_lock lock(mutex_);
    raised_.wait_for(lock, kLook, [this] { return signal_ != 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable raised_;
  std::atomic<int> signal_{0};
};

class Tail {
 public:
  Tail(std::string path, capture::FileFollower follower, double interval)
      : path_(std::move(path)), follower_(std::move(follower)), interval_(interval), status_(true) {}

  /// Follows until a signal, or to the end of what is there now.
  int run(bool once) {
    const SignalRelay relay([this](int signal_number) { stop_.raise(signal_number); });
    while (stop_.signal_number() == 0) {
      const auto step = follower_.next(piece_.data(), piece_.size());
      if (!step) return fail(step.error().message);
      if (!take(*step))
        return fail(path_ + ": compressed and UTF-16 logs cannot be followed; `ttscope mem` reads them");
      const bool at_end = step->event == capture::FileFollower::Event::kNothing ||
                          step->event == capture::FileFollower::Event::kGone;
      if (at_end && once) break;
      if (!once && (at_end || Clock::now() >= next_show_)) show();
      if (at_end) stop_.wait();
    }
    return finish();
  }

 private:
  int fail(const std::string& message) {
    status_.clear();
    complain(message);
    return kFailed;
  }

  bool take(const capture::FileFollower::Step& step) {
    const std::string_view bytes(piece_.data(), step.size);
    switch (step.event) {
      case capture::FileFollower::Event::kData:
        if (is_at_start_ && !io::is_plain_text(bytes)) return false;
        is_at_start_ = false;
        scan_.add(bytes);
        break;
      case capture::FileFollower::Event::kRestarted:
        note("the log begins anew");
        scan_ = capture::LiveScan();
        told_ = 0;
        is_at_start_ = true;
        break;
      case capture::FileFollower::Event::kGone:
        if (!is_gone_) note("the log is gone; waiting for a new one");
        break;
      case capture::FileFollower::Event::kNothing:
        break;
    }
    is_gone_ = step.event == capture::FileFollower::Event::kGone;
    return true;
  }

  void note(const std::string& text) {
    status_.clear();
    say(fmt::format("{}: {}\n", terminal_safe(path_), text));
  }

  /// On a terminal the line is overwritten, elsewhere each change is a line of its own.
  void show() {
    const capture::LiveState state = scan_.state();
    tell_troubles(state);
    if (status_.is_enabled()) {
      next_show_ = Clock::now() + kLook;
      status_.show(capture::status_text(state, status_.room()));
    } else if (Clock::now() >= next_show_ && state.bytes != shown_bytes_) {
      next_show_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
      shown_bytes_ = state.bytes;
      print_state(state);
    }
  }

  void print_state(const capture::LiveState& state) {
    constexpr std::size_t kWholeLine = 200;
    printed_ = print(capture::status_text(state, kWholeLine) + "\n");
    if (!printed_ || pipe_was_closed()) stop_.raise(SIGPIPE);
  }

  /// Each failure once, when it is found.
  void tell_troubles(const capture::LiveState& state) {
    capture::LiveState fresh;
    for (; told_ < state.troubles.size(); ++told_) fresh.troubles.push_back(state.troubles[told_]);
    if (fresh.troubles.empty()) return;
    fresh.trouble_count = fresh.troubles.size();
    status_.clear();
    say(capture::troubles_text(fresh, static_cast<std::size_t>(terminal_width(Stream::kErr))));
  }

  int finish() {
    scan_.finish();
    const capture::LiveState state = scan_.state();
    tell_troubles(state);
    status_.clear();
    const int signal_number = stop_.signal_number();
    const bool is_shown = !status_.is_enabled() && state.bytes == shown_bytes_ && state.bytes != 0;
    if (signal_number != SIGPIPE && !is_shown) print_state(state);
    if (!printed_) return fail(printed_.error().message);
    if (signal_number == SIGPIPE) return kOk;
    return signal_number == 0 || signal_number == SIGINT ? static_cast<int>(kOk) : 128 + signal_number;
  }

  std::string path_;
  capture::FileFollower follower_;
  std::chrono::duration<double> interval_;
  StatusLine status_;
  StopSign stop_;
  capture::LiveScan scan_;
  std::vector<char> piece_ = std::vector<char>(kPieceBytes);
  Clock::time_point next_show_{};
  std::uint64_t shown_bytes_ = 0;
  std::size_t told_ = 0;
  Result<void> printed_;  ///< the last line
  bool is_at_start_ = true;
  bool is_gone_ = false;
};

/// Seconds; 0 and a complaint when it is no such number.
double read_interval(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr double kLeast = 0.1;
  constexpr double kMost = 3600;
  if (error == std::errc() && end == text.data() + text.size() && seconds >= kLeast && seconds <= kMost) {
    return seconds;
  }
  complain(fmt::format("--interval {}: expected seconds from 0.1 to 3600", text));
  return 0;
}

}  // namespace

CommandSpec tail_spec() {
  CommandSpec spec;
  spec.program = "ttscope tail";
  spec.summary = "live status of a log that another program writes";
  spec.description =
      "Follows a growing log and shows what `ttscope run` shows: op count, DRAM and L1 against capacity, "
      "growth "
      "since the first memory line, the current program, and failures with their lines. A log that is "
      "emptied or "
      "replaced is read from its new beginning. Ctrl-C ends it. Where standard error is no terminal, a line "
      "is "
      "printed for each change.";
  spec.positional = {"LOG", "the log to follow", 1, 1, ValueKind::kFile, {}};
  spec.options = {
      {"--interval", "SECONDS", "between lines that are not on a terminal (default 1)", ValueKind::kText, {}},
      {"--once", "", "print the state at the end of the log and exit", ValueKind::kText, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope tail logs/model_20260122_143957/model_profile.log\n"
      "  ttscope tail run.log --once\n"
      "\n"
      "Exit codes: 0 ended by Ctrl-C or --once, 1 it cannot be followed or printed,\n"
      "2 wrong usage\n";
  return spec;
}

int run_tail(const ParsedArgs& args) {
  const double interval = read_interval(args.value("--interval", "1"));
  if (interval == 0) return kUsage;
  const std::string& path = args.positionals.front();
  const std::string other = app::never_log_message(path);
  if (!other.empty()) return fail(bad_input(other));
  auto follower = capture::FileFollower::open(path);
  if (!follower) return fail(follower.error());
  return Tail(path, std::move(*follower), interval).run(args.has("--once"));
}

}  // namespace ttscope::cli
