#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "allocator.h"

namespace ttscope::gen_log {

class Truth;

/// How the lines of one rank look.
struct LineStyle {
  std::string rank_tag;  ///< `[1,0]<stdout>: `, empty for a single process
  bool ansi = true;
  bool crlf = false;
  std::string thread = "7F3A1C40";
};

/// The file (or standard output) that all ranks write to. Counts what it wrote.
class LogOutput {
 public:
  explicit LogOutput(std::FILE* file) : file_(file) {}
  void write(std::string_view text, std::int64_t lines);
  std::int64_t bytes() const { return bytes_; }
  std::int64_t lines() const { return lines_; }
  bool failed() const { return failed_; }

 private:
  std::FILE* file_;
  std::int64_t bytes_ = 0;
  std::int64_t lines_ = 0;
  bool failed_ = false;
};

/// The lines one rank has printed and that are not yet in the output: a burst of them is taken at a time.
class RankLog {
 public:
  /// Who prints: the runtime's logger has two types, and two levels matter here.
  enum class Source : std::uint8_t { kRuntimeDebug, kAlwaysDebug, kAlwaysInfo };

  RankLog(LineStyle style, const Device& device, std::int64_t dram_bytes_per_bank);

  void line(Source source, std::string_view message);
  void plain(std::string_view text);
  /// Several lines; a last line without line feed counts too.
  void plain_lines(std::string_view text);
  /// TT-XLA's own logger: `2026-07-14 09:12:33.123 (   5.165s) [   7F3A1C40]  file.cc:1220     1| text`.
  void loguru(std::string_view place, std::string_view level, std::string_view message);
  /// A line of tt-metal's logger, with its date.
  void metal(std::string_view level, std::string_view message);
  /// A line of the Python side's logger.
  void python(std::string_view level, std::string_view message);
  /// `moment` is `before operation MatmulOp`, `before submit` or `after submit`.
  void memory_block(std::string_view moment, const MemoryState& dram, const MemoryState& l1);

  /// For long lines that are put together in place: begin_line, appends to buffer(), end_line.
  void begin_line(Source source);
  std::string& buffer() { return text_; }
  void end_line();
  /// The line printed last (or `back` lines before it) is where a record of the truth is found.
  void mark(std::int64_t wanted_by, std::size_t back = 0) {
    lines_[lines_.size() - 1 - back].wanted_by = wanted_by;
  }

  void advance_clock(std::int64_t microseconds) { clock_us_ += microseconds; }

  bool empty() const { return next_ == lines_.size(); }
  void discard();
  /// Moves up to `count` lines to the output; gives how many there were.
  std::size_t take(std::size_t count, LogOutput& output, Truth* truth);

 private:
  struct Line {
    std::size_t end;
    std::int64_t wanted_by;
  };

  std::string time_of_day() const;
  void memory_line(std::string_view head, const MemoryState& state);

  std::string tag_;
  std::string end_of_line_;
  std::string thread_;
  std::vector<std::string> leads_;  // by Source
  std::string dram_head_, l1_head_, l1_small_line_, trace_line_;
  std::string text_;
  std::vector<Line> lines_;
  std::size_t next_ = 0;
  std::int64_t clock_us_ = 0;
};

}  // namespace ttscope::gen_log
