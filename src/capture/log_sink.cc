#include "capture/log_sink.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zstd.h>

#include <cerrno>
#include <system_error>
#include <vector>

namespace ttscope::capture {
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

}  // namespace ttscope::capture
