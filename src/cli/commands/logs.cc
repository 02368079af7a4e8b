#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>

#include <atomic>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "app/formats.h"
#include "base/result.h"
#include "base/text.h"
#include "base/writer.h"
#include "cli/commands.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "io/open_input.h"
#include "launch/live_log.h"
#include "mem/analyze/logs.h"
#include "mem/write/last_run.h"

namespace ttscope::cli {
namespace {

int last_run_usage_error(std::string_view message) {
  complain(message);
  say("Try `ttscope last-run --help`.\n");
  return kUsage;
}

struct LastRunOptions {
  std::vector<std::string> logs;
  std::optional<std::string> output;
  bool in_place = false;
};

/// What is wrong with the request; empty when it can be done.
std::string last_run_usage_problem(const LastRunOptions& options) {
  const std::string& log = options.logs.front();
  if (options.in_place == options.output.has_value()) return "give either -o OUT or --in-place";
  if (options.output && options.output->empty()) return "-o needs a path";
  if (options.output && is_one_of(*options.output, {log})) return "-o is the log itself: use --in-place";
  if (log == "-") return "last-run reads its input twice: give it a file";
  if (options.in_place && mem::is_packed_or_utf16(log))
    return fmt::format("{} is compressed or UTF-16 and the result is not: use -o OUT", log);
  return {};
}

Result<std::string> cut_log(const std::string& log, const std::string& out_path) {
  ASSIGN_OR_RETURN(mem::RuntimeLog parsed, read_logs({log}));
  const std::vector<mem::RankCut> cuts = mem::find_last_run(parsed);
  ASSIGN_OR_RETURN(std::unique_ptr<Writer> writer, open_writer(out_path));
  if (is_terminal_path(out_path)) {
    writer = std::make_unique<VisibleWriter>(std::move(writer), TerminalCodes::kColors);
  }
  ASSIGN_OR_RETURN(const mem::CopiedLines copied, mem::copy_last_run(parsed, cuts, *writer));
  RETURN_IF_ERROR(ignore_closed_pipe(writer->finish(), out_path));
  return mem::last_run_text(cuts, copied);
}

CommandSpec describe_last_run(LastRunOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope last-run";
  spec.summary = "cut a log with warm-up passes down to its last run";
  spec.description =
      "Copies a log without the program runs that came before the last one. The last run begins after the "
      "last but one "
      "\"Got output shape:\" line; without such lines it is the last pass of the model: of the sequences of "
      "programs that stand twice at the end the one with the most graphs, the shortest of these; small "
      "helpers "
      "do not count. Everything outside programs stays, module dumps included.";
  spec.positional = {"LOG", "log file, plain or packed (.gz, .zst, .xz, .bz2)", 1, 1};
  spec.arguments = &options.logs;
  spec.options = {
      text_option("-o,--output", "OUT", options.output, "where the last run goes; - for standard output",
                  ValueKind::kFile),
      flag_option("--in-place", options.in_place,
                  "replace LOG itself, which stays until the new one is whole"),
  };
  spec.examples =
      "Example:\n"
      "  ttscope last-run run.log -o last.log && ttscope mem last.log\n";
  return spec;
}

int run_last_run(LastRunOptions& options) {
  const std::string problem = last_run_usage_problem(options);
  if (!problem.empty()) return last_run_usage_error(problem);
  const std::string& log = options.logs.front();
  std::error_code ignored;
  if (std::filesystem::exists(log, ignored) && !std::filesystem::is_directory(log, ignored) &&
      !std::filesystem::is_regular_file(log, ignored)) {
    return last_run_usage_error("last-run reads its input twice: give it a regular file");
  }
  const std::string other = app::wrong_kind_among({log}, {.only_logs = true});
  if (!other.empty()) return fail(bad_input(other));
  const Result<std::string> done = cut_log(log, options.output.value_or(log));
  if (!done) return fail(done.error());
  complain(*done);
  return kOk;
}

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kPollInterval{100};
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

/// Waiting that a signal ends.
class StopWaiter {
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
    raised_.wait_for(lock, kPollInterval, [this] { return signal_ != 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable raised_;
  std::atomic<int> signal_{0};
};

class Tail {
 public:
  Tail(std::string path, launch::FileFollower follower, double interval)
      : path_(std::move(path)), follower_(std::move(follower)), interval_(interval), status_(true) {}

  /// Follows until a signal, or to the end of what is there now.
  int run(bool once) {
    const SignalRelay relay([this](int signal_number) { stop_.raise(signal_number); });
    while (stop_.signal_number() == 0) {
      const auto step = follower_.next(piece_.data(), piece_.size());
      if (!step) return fail(step.error().message);
      if (!take(*step))
        return fail(path_ + ": compressed and UTF-16 logs cannot be followed; `ttscope mem` reads them");
      const bool at_end = step->event == launch::FileFollower::Event::kNothing ||
                          step->event == launch::FileFollower::Event::kGone;
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

  bool take(const launch::FileFollower::Step& step) {
    const std::string_view bytes(piece_.data(), step.size);
    switch (step.event) {
      case launch::FileFollower::Event::kData:
        if (is_at_start_ && !io::is_plain_text(bytes)) return false;
        is_at_start_ = false;
        scan_.add(bytes);
        break;
      case launch::FileFollower::Event::kRestarted:
        note("the log begins anew");
        scan_ = launch::LiveScan();
        shown_troubles_ = 0;
        is_at_start_ = true;
        break;
      case launch::FileFollower::Event::kGone:
        if (!is_gone_) note("the log is gone; waiting for a new one");
        break;
      case launch::FileFollower::Event::kNothing:
        break;
    }
    is_gone_ = step.event == launch::FileFollower::Event::kGone;
    return true;
  }

  void note(const std::string& text) {
    status_.clear();
    say(fmt::format("{}: {}\n", terminal_safe(path_), text));
  }

  /// On a terminal the line is overwritten, elsewhere each change is a line of its own.
  void show() {
    const launch::LiveState state = scan_.state();
    print_troubles(state);
    if (status_.is_enabled()) {
      next_show_ = Clock::now() + kPollInterval;
      status_.show(launch::status_text(state, status_.room()));
    } else if (Clock::now() >= next_show_ && state.bytes != shown_bytes_) {
      next_show_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(interval_);
      shown_bytes_ = state.bytes;
      print_state(state);
    }
  }

  void print_state(const launch::LiveState& state) {
    constexpr std::size_t kWholeLine = 200;
    printed_ = print(launch::status_text(state, kWholeLine) + "\n");
    if (!printed_ || pipe_was_closed()) stop_.raise(SIGPIPE);
  }

  /// Each failure once, when it is found.
  void print_troubles(const launch::LiveState& state) {
    launch::LiveState fresh;
    for (; shown_troubles_ < state.troubles.size(); ++shown_troubles_)
      fresh.troubles.push_back(state.troubles[shown_troubles_]);
    if (fresh.troubles.empty()) return;
    fresh.trouble_count = fresh.troubles.size();
    status_.clear();
    say(launch::troubles_text(fresh, static_cast<std::size_t>(terminal_width(Stream::kErr))));
  }

  int finish() {
    scan_.finish();
    const launch::LiveState state = scan_.state();
    print_troubles(state);
    status_.clear();
    const int signal_number = stop_.signal_number();
    const bool is_shown = !status_.is_enabled() && state.bytes == shown_bytes_ && state.bytes != 0;
    if (signal_number != SIGPIPE && !is_shown) print_state(state);
    if (!printed_) return fail(printed_.error().message);
    if (signal_number == SIGPIPE) return kOk;
    return signal_number == 0 || signal_number == SIGINT ? static_cast<int>(kOk) : 128 + signal_number;
  }

  std::string path_;
  launch::FileFollower follower_;
  std::chrono::duration<double> interval_;
  StatusLine status_;
  StopWaiter stop_;
  launch::LiveScan scan_;
  std::vector<char> piece_ = std::vector<char>(kPieceBytes);
  Clock::time_point next_show_{};
  std::uint64_t shown_bytes_ = 0;
  std::size_t shown_troubles_ = 0;
  Result<void> printed_;  ///< the last line
  bool is_at_start_ = true;
  bool is_gone_ = false;
};

struct TailOptions {
  std::vector<std::string> logs;
  double interval_s = 1;
  bool once = false;
};

std::string take_interval(std::string_view key, const std::string& text, double& seconds) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  constexpr double kMin = 0.1;
  constexpr double kMax = 3600;
  if (error == std::errc() && end == text.data() + text.size() && seconds >= kMin && seconds <= kMax) {
    return {};
  }
  return wrong_value(key, text, "seconds from 0.1 to 3600");
}

CommandSpec describe_tail(TailOptions& options) {
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
  spec.positional = {"LOG", "the log to follow", 1, 1};
  spec.arguments = &options.logs;
  spec.options = {
      value_option(
          "--interval", "SECONDS",
          [&options](std::string_view key, const std::string& text) {
            return take_interval(key, text, options.interval_s);
          },
          "between lines that are not on a terminal (default 1)"),
      flag_option("--once", options.once, "print the state at the end of the log and exit"),
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

int run_tail(TailOptions& options) {
  const std::string& path = options.logs.front();
  const std::string other = app::wrong_kind_among({path}, {.only_logs = true, .is_growing = true});
  if (!other.empty()) return fail(bad_input(other));
  auto follower = launch::FileFollower::open(path);
  if (!follower) return fail(follower.error());
  return Tail(path, std::move(*follower), options.interval_s).run(options.once);
}

}  // namespace

Command last_run_command() { return make_command("last-run", describe_last_run, run_last_run); }

Command tail_command() { return make_command("tail", describe_tail, run_tail); }

}  // namespace ttscope::cli
