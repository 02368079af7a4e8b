#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::capture {

/// The log that is being captured: a new file, plain or zstd. A full disk does not end the capture: what does
/// not fit is held in memory, within a limit, and written when there is room again.
class LogSink {
 public:
  struct Options {
    bool compress = false;
    bool is_private = false;                         ///< for its user alone, not as the umask has it
    std::size_t hold_bytes = std::size_t{64} << 20;  ///< of unwritten output, while the disk is full
    std::chrono::milliseconds retry{500};
  };

  /// Fails when the file exists or cannot be made.
  static Result<std::unique_ptr<LogSink>> create(const std::string& path, const Options& options);
  ~LogSink();
  LogSink(const LogSink&) = delete;
  LogSink& operator=(const LogSink&) = delete;

  void write(std::string_view bytes);
  /// Makes what was written readable by others; for the pauses of the child.
  void flush();
  /// Writes what is left and closes. An error when bytes of the output are missing in the file.
  Result<void> finish();

  /// The first write failed and bytes are waiting or lost; what the system said.
  bool is_in_trouble() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }
  std::uint64_t lost_bytes() const { return lost_bytes_; }

 private:
  struct Compressor;
  using Clock = std::chrono::steady_clock;

  LogSink(std::string path, FileDescriptor file, const Options& options);
  void put(std::string_view bytes);
  /// Bytes taken, less than all of them when the disk is full.
  std::size_t try_write(std::string_view bytes);
  void hold(std::string_view bytes);
  void retry_held();
  void compress(std::string_view bytes, int mode);
  void fail(int error_number);

  std::string path_;
  FileDescriptor file_;
  Options options_;
  std::unique_ptr<Compressor> compressor_;
  std::string held_;
  Clock::time_point next_try_{};
  std::string problem_;
  bool can_retry_ = true;
  std::uint64_t lost_bytes_ = 0;
};

}  // namespace ttscope::capture
