#include "capture/capture_run.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <string.h>  // NOLINT(modernize-deprecated-headers): sigabbrev_np
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>

#include "capture/group_members.h"
#include "capture/keyboard.h"
#include "capture/line_ends.h"
#include "capture/live_thread.h"

namespace ttscope::capture {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTick{100};
/// Output of processes that the child left behind is waited for so long after the last byte.
constexpr std::chrono::seconds kGrace{3};
/// Less room than this in a block is not worth a read.
constexpr std::size_t kLeastRoom = std::size_t{64} << 10;

class Capture {
 public:
  Capture(Child& child, LogSink& log, const CaptureConsole& console)
      : child_(child), log_(log), console_(console), keyboard_(child, console) {}

  CaptureResult run() {
    const Clock::time_point start = Clock::now();
    while (!output_ended_ && !gave_up()) {
      wait_for_something();
      keyboard_.pump();
      read_output();
      if (Clock::now() >= next_tick_) tick();
    }
    if (console_.clear_status) console_.clear_status();
    result_.left_open = !output_ended_;
    keyboard_.restore();
    log_.write(line_ends_.finish());
    if (const Result<void> finished = log_.finish(); !finished)
      result_.log_problem = finished.error().message;
    result_.state = live_.finish();
    result_.end = child_.wait();  // last: until here its group can be signalled
    if (console_.passed_signal && console_.passed_signal() != 0)
      result_.left_behind = group_members(child_.pid());
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void wait_for_something() {
    std::array<struct pollfd, 4> waiting{};
    waiting[0] = {child_.output(), POLLIN, 0};
    waiting[1] = {ended_at_ ? -1 : child_.end_descriptor(), POLLIN, 0};
    keyboard_.prepare(waiting[2], waiting[3]);
    ::poll(waiting.data(), waiting.size(), static_cast<int>(kTick.count()));
    keyboard_.note(waiting[2], waiting[3]);
    if (!ended_at_ && ((waiting[1].revents & POLLIN) != 0 || child_.end_descriptor() < 0) &&
        child_.has_ended()) {
      ended_at_ = Clock::now();
    }
  }

  bool gave_up() const { return ended_at_ && Clock::now() - std::max(*ended_at_, last_output_) > kGrace; }

  void read_output() {
    if (!block_ || used_ + kLeastRoom > Block::kBytes) {
      block_ = live_.take_block();
      used_ = 0;
    }
    char* const place = block_->data() + used_;
    const std::size_t begin = used_;
    // A pseudo-terminal gives 4 KB at a time, however much there is.
    const std::size_t enough = keyboard_.has_pty() ? used_ + kLeastRoom : used_ + 1;
    while (used_ < enough && read_some()) {
    }
    if (used_ == begin) return;
    last_output_ = Clock::now();
    take({place, used_ - begin});
  }

  /// False when there is nothing more to read at the moment.
  bool read_some() {
    const ssize_t size = ::read(child_.output(), block_->data() + used_, Block::kBytes - used_);
    if (size > 0) {
      used_ += static_cast<std::size_t>(size);
      return true;
    }
    // A pseudo-terminal without programs says EIO.
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) output_ended_ = true;
    return false;
  }

  void take(std::string_view bytes) {
    result_.output_bytes += bytes.size();
    log_.write(keyboard_.has_pty() ? line_ends_.convert(bytes) : bytes);
    live_.add(block_, bytes);
    if (console_.echo >= 0) show(bytes);
    at_line_start_ = bytes.back() == '\n';
    if (log_.is_in_trouble() && !told_of_log_) {
      told_of_log_ = true;
      warn("the log cannot be written: " + log_.problem() +
           "; output is held in memory for a while, the program goes on");
    }
  }

  void show(std::string_view bytes) {
    if (console_.clear_status) console_.clear_status();
    while (!bytes.empty() && echo_works_) {
      const ssize_t written = ::write(console_.echo, bytes.data(), bytes.size());
      if (written >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno == EAGAIN) {
        struct pollfd waiting {
          console_.echo, POLLOUT, 0
        };
        ::poll(&waiting, 1, -1);
      } else if (errno != EINTR) {
        echo_works_ = false;
        if (errno != EPIPE) result_.echo_problem = std::generic_category().message(errno);
      }
    }
  }

  void tick() {
    next_tick_ = Clock::now() + kTick;
    if (Clock::now() - last_output_ > kTick) log_.flush();
    keyboard_.tick();
    watch_signal();
    const bool may_show = at_line_start_ && !keyboard_.child_reads_keys();
    if (console_.show_status) console_.show_status(live_.state(), may_show);
  }

  /// Names what does not end by a signal that was handed on, once a signal.
  void watch_signal() {
    const int signal_number = console_.passed_signal ? console_.passed_signal() : 0;
    if (signal_number == 0 || signal_number == told_signal_) return;
    if (signal_number != passed_signal_) {
      passed_signal_ = signal_number;
      passed_at_ = Clock::now();
    }
    if (Clock::now() - passed_at_ < kGrace) return;
    told_signal_ = signal_number;
    const std::vector<std::string> living = group_members(child_.pid());
    if (!living.empty())
      warn(
          fmt::format("still running after SIG{}: {}", sigabbrev_np(signal_number), fmt::join(living, ", ")));
  }

  void warn(const std::string& message) {
    if (console_.clear_status) console_.clear_status();
    if (console_.warn) console_.warn(message);
  }

  Child& child_;
  LogSink& log_;
  const CaptureConsole& console_;
  Keyboard keyboard_;
  LineEnds line_ends_;
  LiveThread live_;
  CaptureResult result_;
  std::shared_ptr<Block> block_;
  std::size_t used_ = 0;  ///< of block_
  bool output_ended_ = false;
  bool echo_works_ = true;
  bool at_line_start_ = true;
  bool told_of_log_ = false;
  int passed_signal_ = 0;  ///< the last one
  int told_signal_ = 0;
  Clock::time_point passed_at_{};
  std::optional<Clock::time_point> ended_at_;
  Clock::time_point last_output_ = Clock::now();
  Clock::time_point next_tick_ = Clock::now() + kTick;
};

}  // namespace

CaptureResult run_capture(Child& child, LogSink& log, const CaptureConsole& console) {
  return Capture(child, log, console).run();
}

}  // namespace ttscope::capture
