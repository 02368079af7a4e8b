#include "launch/log_capture.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <string.h>  // NOLINT(modernize-deprecated-headers): sigabbrev_np
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "launch/child.h"
#include "launch/live_log.h"

namespace ttscope::launch {

std::string_view LineEnds::convert(std::string_view bytes) {
  text_.clear();
  if (bytes.empty()) return text_;
  if (holds_return_ && bytes[0] != '\n') text_ += '\r';
  holds_return_ = bytes.back() == '\r';
  if (holds_return_) bytes.remove_suffix(1);
  std::size_t end = 0;
  while ((end = bytes.find("\r\n")) != std::string_view::npos) {
    text_ += bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
  }
  text_ += bytes;
  return text_;
}

std::string_view LineEnds::finish() {
  const bool held = holds_return_;
  holds_return_ = false;
  return held ? "\r" : "";
}

namespace {

constexpr int kLevel = 1;  // log text shrinks to a tenth already; the child must not wait
constexpr mode_t kMode = 0666;
constexpr mode_t kPrivateMode = 0600;

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};

}  // namespace

struct LogSink::Compressor {
  std::unique_ptr<ZSTD_CCtx, FreeContext> context{ZSTD_createCCtx()};
  std::vector<char> out = std::vector<char>(ZSTD_CStreamOutSize());
  bool has_unflushed = false;

  Compressor() {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  }
};

Result<std::unique_ptr<LogSink>> LogSink::create(const std::string& path, const Options& options) {
  FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                             options.is_private ? kPrivateMode : kMode));
  if (!file.is_open()) {
    return failure(write_failed(
        fmt::format("{}: cannot make the log: {}", path, std::generic_category().message(errno))));
  }
  return std::unique_ptr<LogSink>(new LogSink(path, std::move(file), options));
}

LogSink::LogSink(std::string path, FileDescriptor file, const Options& options)
    : path_(std::move(path)), file_(std::move(file)), options_(options) {
  if (options_.compress) compressor_ = std::make_unique<Compressor>();
}

LogSink::~LogSink() = default;

void LogSink::write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (compressor_) {
    compress(bytes, ZSTD_e_continue);
    compressor_->has_unflushed = true;
  } else {
    put(bytes);
  }
}

void LogSink::flush() {
  if (compressor_ && compressor_->has_unflushed) {
    compress({}, ZSTD_e_flush);
    compressor_->has_unflushed = false;
  }
  retry_held();
}

Result<void> LogSink::finish() {
  if (compressor_) compress({}, ZSTD_e_end);
  next_try_ = {};
  retry_held();
  lost_bytes_ += held_.size();
  held_.clear();
  // Some file systems report a full disk only when a descriptor is closed.
  const int copy = ::dup(file_.number());
  const bool closed = copy < 0 || ::close(copy) == 0 || errno == EINTR;
  if (!closed && lost_bytes_ == 0) {
    problem_ = std::generic_category().message(errno);
    return failure(write_failed(fmt::format("{}: cannot write: {}", path_, problem_)));
  }
  file_ = FileDescriptor();
  if (lost_bytes_ == 0) return {};
  return failure(write_failed(
      fmt::format("{}: cannot write: {}; {} {} missing at its end", path_, problem_, lost_bytes_,
                  compressor_ ? "compressed bytes of the output are" : "bytes of the output are")));
}

void LogSink::compress(std::string_view bytes, int mode) {
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  bool done = false;
  while (!done) {
    ZSTD_outBuffer out{compressor_->out.data(), compressor_->out.size(), 0};
    const std::size_t left =
        ZSTD_compressStream2(compressor_->context.get(), &out, &in, static_cast<ZSTD_EndDirective>(mode));
    if (ZSTD_isError(left) != 0) return fail(ENOMEM);
    put({compressor_->out.data(), out.pos});
    done = mode == ZSTD_e_continue ? in.pos == in.size : left == 0;
  }
}

void LogSink::put(std::string_view bytes) {
  if (!held_.empty() || !can_retry_) {
    retry_held();
    if (!held_.empty() || !can_retry_) return hold(bytes);
  }
  bytes.remove_prefix(try_write(bytes));
  if (!bytes.empty()) hold(bytes);
}

std::size_t LogSink::try_write(std::string_view bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t written = ::write(file_.number(), bytes.data() + done, bytes.size() - done);
    if (written > 0) {
      done += static_cast<std::size_t>(written);
    } else if (written < 0 && errno != EINTR) {
      fail(errno);
      break;
    }
  }
  return done;
}

void LogSink::hold(std::string_view bytes) {
  // Once bytes are lost nothing after them is kept: a log with a hole would tell a wrong story.
  const bool fits = can_retry_ && lost_bytes_ == 0 && held_.size() + bytes.size() <= options_.hold_bytes;
  if (fits) {
    held_ += bytes;
  } else {
    lost_bytes_ += bytes.size();
  }
}

void LogSink::retry_held() {
  if (held_.empty() || !can_retry_ || Clock::now() < next_try_) return;
  held_.erase(0, try_write(held_));
}

void LogSink::fail(int error_number) {
  if (problem_.empty()) problem_ = std::generic_category().message(error_number);
  can_retry_ = error_number == ENOSPC || error_number == EDQUOT || error_number == EAGAIN;
  next_try_ = Clock::now() + options_.retry;
}

namespace {

/// Room that output is read into. Pieces of it are scanned by another thread while the rest is being filled.
class Block {
 public:
  static constexpr std::size_t kBytes = std::size_t{1} << 20;
  char* data() { return bytes_.get(); }

 private:
  std::unique_ptr<char[]> bytes_{new char[kBytes]};
};

/// Scans what is captured on a thread of its own, so that the copying never waits for it, but for a scan that
/// is far behind. The bytes are not copied: the blocks are shared.
class LiveThread {
 public:
  LiveThread();
  ~LiveThread();
  LiveThread(const LiveThread&) = delete;
  LiveThread& operator=(const LiveThread&) = delete;

  /// A block to read into; one that was scanned is used again.
  std::shared_ptr<Block> take_block();
  /// `bytes` lie in `block` and are not changed any more.
  void add(std::shared_ptr<Block> block, std::string_view bytes);
  LiveState state() const;
  /// Scans all that is left; nothing can be added afterwards.
  LiveState finish();

 private:
  struct Piece {
    std::shared_ptr<Block> block;
    std::string_view bytes;
  };
  void work();
  void scan(std::string_view bytes);
  void join();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Piece> pieces_;
  std::size_t waiting_bytes_ = 0;
  bool finishing_ = false;
  std::deque<std::shared_ptr<Block>> free_;
  mutable std::mutex scan_mutex_;
  LiveScan scan_;
  bool has_no_memory_ = false;  ///< since then nothing is scanned
  std::thread thread_;
};

/// The scan looks at what has come so often; a child that prints little wakes nobody.
constexpr std::chrono::milliseconds kPause{50};
constexpr std::size_t kWakeBytes = std::size_t{4} << 20;
constexpr std::size_t kMaxWaitingBytes = std::size_t{32} << 20;
constexpr std::size_t kMaxFreeBlocks = 32;

LiveThread::LiveThread() {
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // No thread can be started: what comes is scanned when it comes.
  }
}

LiveThread::~LiveThread() { join(); }

std::shared_ptr<Block> LiveThread::take_block() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return std::make_shared<Block>();
  std::shared_ptr<Block> block = std::move(free_.front());
  free_.pop_front();
  return block;
}

void LiveThread::add(std::shared_ptr<Block> block, std::string_view bytes) {
  if (!thread_.joinable()) return scan(bytes);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_bytes_ < kMaxWaitingBytes; });
  const bool continues = !pieces_.empty() && pieces_.back().block == block &&
                         pieces_.back().bytes.data() + pieces_.back().bytes.size() == bytes.data();
  if (continues) {
    std::string_view& last = pieces_.back().bytes;
    last = {last.data(), last.size() + bytes.size()};
  } else {
    pieces_.push_back({std::move(block), bytes});
  }
  const bool was_low = waiting_bytes_ < kWakeBytes;
  waiting_bytes_ += bytes.size();
  if (was_low && waiting_bytes_ >= kWakeBytes) changed_.notify_all();
}

/// Without memory the state stands still; the log is not touched by that.
void LiveThread::scan(std::string_view bytes) {
  const std::lock_guard scanning(scan_mutex_);
  if (has_no_memory_) return;
  try {
    scan_.add(bytes);
  } catch (const std::bad_alloc&) {
    has_no_memory_ = true;
  }
}

LiveState LiveThread::state() const {
  const std::lock_guard lock(scan_mutex_);
  return scan_.state();
}

LiveState LiveThread::finish() {
  join();
  scan_.finish();
  return scan_.state();
}

void LiveThread::join() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void LiveThread::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait_for(lock, kPause, [this] { return finishing_ || waiting_bytes_ >= kWakeBytes; });
    if (pieces_.empty()) {
      if (finishing_) return;
      continue;
    }
    std::deque<Piece> taken;
    taken.swap(pieces_);
    lock.unlock();
    std::size_t done = 0;
    for (const Piece& piece : taken) {
      scan(piece.bytes);
      done += piece.bytes.size();
    }
    lock.lock();
    waiting_bytes_ -= done;
    for (Piece& piece : taken) {
      // The newest block may still be in the hands of the reader.
      if (piece.block.use_count() == 1 && free_.size() < kMaxFreeBlocks)
        free_.push_back(std::move(piece.block));
    }
    changed_.notify_all();
  }
}

}  // namespace

class Child;
struct CaptureConsole;

namespace {

/// What is typed on the user's terminal on its way to the child. With a pseudo-terminal the keys go there as
/// they are, Ctrl-C included: the kernel makes the signal for the child's group. Ctrl-Z stops child and
/// program.
class Keyboard {
 public:
  Keyboard(Child& child, const CaptureConsole& console);

  bool has_pty() const { return pty_ >= 0; }
  bool child_reads_keys() const { return pty_ >= 0 && reads_keys(pty_); }
  /// What poll() waits for, and what it found: the terminal, and room for what is typed.
  void prepare(struct pollfd& typed, struct pollfd& room) const;
  void note(const struct pollfd& typed, const struct pollfd& room);
  void pump();
  /// Follows the size of the window; takes the terminal when the program comes to the foreground.
  void tick();
  void restore() { mode_.restore(); }

 private:
  void read_keys();
  void send();
  void suspend();

  Child& child_;
  int keyboard_;
  int screen_;
  int pty_;
  bool raw_;
  TerminalMode mode_;
  std::string pending_;
  bool can_read_ = false;
  bool ended_ = false;
};

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

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{100};
/// Output of processes that the child left behind is waited for so long after the last byte.
constexpr std::chrono::seconds kGrace{3};
/// Less room than this in a block is not worth a read.
constexpr std::size_t kMinRoom = std::size_t{64} << 10;

class Capture {
 public:
  Capture(Child& child, LogSink& log, const CaptureConsole& console)
      : child_(child), log_(log), console_(console), keyboard_(child, console) {}

  CaptureResult run() {
    const Clock::time_point start = Clock::now();
    while (!output_ended_ && !has_timed_out()) {
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

  bool has_timed_out() const {
    return ended_at_ && Clock::now() - std::max(*ended_at_, last_output_) > kGrace;
  }

  void read_output() {
    if (!block_ || used_ + kMinRoom > Block::kBytes) {
      block_ = live_.take_block();
      used_ = 0;
    }
    char* const place = block_->data() + used_;
    const std::size_t begin = used_;
    // A pseudo-terminal gives 4 KB at a time, however much there is.
    const std::size_t enough = keyboard_.has_pty() ? used_ + kMinRoom : used_ + 1;
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
    if (log_.has_write_problem() && !has_reported_log_) {
      has_reported_log_ = true;
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
  bool has_reported_log_ = false;
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

}  // namespace ttscope::launch
