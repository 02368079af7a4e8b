#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trouble.h"
#include "mem/model/memory_kind.h"
#include "mem/read/runtime_log/chunk_scan.h"

namespace ttscope::capture {

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

}  // namespace ttscope::capture
