#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "mem/model/device.h"
#include "mem/read/chunk_scan.h"

namespace ttscope::launch {

/// Reads a file that another program writes, also when that program empties it or puts a new file in its
/// place. Asks the file system instead of waiting for events, which network file systems do not send.
class FileFollower {
 public:
  enum class Event {
    kData,       ///< `size` bytes were read
    kNothing,    ///< no new bytes
    kRestarted,  ///< the file was emptied or another one has its name: what follows is its beginning
    kGone,       ///< no file has this name at the moment
  };
  struct Step {
    Event event = Event::kNothing;
    std::size_t size = 0;
  };

  static Result<FileFollower> open(const std::string& path);

  /// One step; call it again at once after kData and kRestarted.
  Result<Step> next(char* to, std::size_t room);
  std::uint64_t offset() const { return offset_; }
  /// Size of the file now.
  std::uint64_t size() const;

 private:
  explicit FileFollower(std::string path) : path_(std::move(path)) {}
  bool reopen();

  std::string path_;
  FileDescriptor file_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::uint64_t offset_ = 0;
};

enum class TroubleKind { kOutOfMemory, kFatal, kException, kCrash };

/// A line of a log that tells of a failure.
struct Trouble {
  TroubleKind kind = TroubleKind::kCrash;
  std::uint64_t line = 0;   ///< from 1; of a Python traceback: its first line
  std::string text;         ///< of the log, hence hostile; without colors, at most kTroubleTextBytes
  std::uint64_t times = 1;  ///< the same text again: loggers, exceptions and frameworks repeat each other
};

inline constexpr std::size_t kTroubleTextBytes = 300;

/// Finds out-of-memory texts, and what the reader of logs knows as the end of a program, in the lines of a
/// log given in order. The lines of the runtime's own loggers below warning are passed over at the cost of a
/// comparison.
class TroubleFinder {
 public:
  /// `number` counts from 1.
  void add_line(std::string_view line, std::uint64_t number);

  /// The first ones; `count()` tells of all, repeats not counted.
  const std::vector<Trouble>& troubles() const { return troubles_; }
  std::uint64_t count() const { return count_; }

 private:
  void add(TroubleKind kind, std::uint64_t number, std::string_view text);
  void forget_frame_of(std::uint64_t number);
  bool continue_traceback(std::string_view tag, std::string_view line);

  std::vector<Trouble> troubles_;
  std::uint64_t count_ = 0;
  std::map<std::string, std::uint64_t, std::less<>> tracebacks_;  ///< open ones by rank tag: their first line
};

/// One memory as the log printed it last, per bank.
struct LiveMemory {
  bool is_known = false;
  std::uint32_t banks = 0;
  mem::MilliMib total = 0;
  mem::MilliMib first = 0;  ///< allocated when the log first told
  mem::MilliMib allocated = 0;
  mem::MilliMib peak = 0;
};

/// What a growing log has told so far.
struct LiveState {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t ops = 0;     ///< as the report counts them: without deallocate and get_device
  std::uint64_t blocks = 0;  ///< memory blocks
  std::uint64_t ranks = 0;
  std::array<LiveMemory, mem::kTensorMemoryCount> memory{};  ///< of the rank whose DRAM is fullest
  std::string program;                                       ///< that ran last; hostile text of the log
  std::uint64_t program_runs = 0;                            ///< starts of outermost programs
  std::vector<Trouble> troubles;
  std::uint64_t trouble_count = 0;
};

/// Reads a log as it grows, in pieces that may end anywhere, with the line scanner of the reports. Memory is
/// bounded: nothing of the text is kept but the unfinished last line.
class LiveScan {
 public:
  void add(std::string_view bytes);
  /// The log ends here: the last line may lack its newline.
  void finish();
  LiveState state() const;

 private:
  struct Rank {
    std::array<LiveMemory, mem::kTensorMemoryCount> memory{};
    std::vector<std::string> programs;  ///< running, innermost last
  };

  void add_lines(std::string_view lines);
  void add_record(const mem::LineRecord& record, const mem::ChunkScan& scan, Rank& rank);
  void add_block(const mem::ScannedBlock& block, Rank& rank);
  Rank* rank_of(std::string_view tag);

  std::string open_line_;  ///< without newline
  std::uint64_t bytes_ = 0;
  std::uint64_t lines_ = 0;
  std::uint64_t ops_ = 0;
  std::uint64_t blocks_ = 0;
  std::uint64_t program_runs_ = 0;
  std::string program_;
  std::map<std::string, Rank, std::less<>> ranks_;
  TroubleFinder troubles_;
};

/// One line on a running program, at most `width` columns: op count, DRAM and L1 against capacity, growth,
/// the current program. Parts that do not fit are left out from the end; safe for a terminal.
std::string status_text(const LiveState& state, std::size_t width);

/// `out of memory`, `fatal error`, `exception`, `crash`.
std::string_view name_of(TroubleKind kind);

/// The failures that a log tells of with their line numbers, newline at the end; empty when there are none.
/// Safe for a terminal.
std::string troubles_text(const LiveState& state, std::size_t width);

}  // namespace ttscope::launch
