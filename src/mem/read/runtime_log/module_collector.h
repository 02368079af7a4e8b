#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "mem/model/runtime_trace.h"
#include "mem/read/runtime_log/chunk_scan.h"
#include "mem/read/runtime_log/trace_tables.h"

namespace ttscope::mem {

/// Gathers the bodies of module dumps, which carry no prefix of their own, from the raw lines behind their
/// headers. The dumps of several ranks may be interleaved when their lines are tagged.
class ModuleCollector {
 public:
  ModuleCollector(RuntimeTrace& trace, TraceTables& tables) : trace_(trace), tables_(tables) {}

  /// Looks at the raw lines of a chunk if a dump is open or begins in it. Tags are translated by
  /// `rank_of_tag` (index in the scan's tags -> rank).
  void walk(std::string_view bytes, bool stable, const ChunkScan& scan,
            const std::vector<std::uint32_t>& rank_of_tag);
  void begin_file(std::uint32_t file) { file_ = file; }
  void set_first_line(std::uint32_t line) { first_line_ = line; }
  /// Closes what is open at the end of a file.
  void end_file();

 private:
  static constexpr std::size_t kNotSeen = std::string_view::npos;
  struct Open {
    std::uint32_t rank = 0;
    std::uint32_t module = 0;
    std::size_t indent = kNotSeen;  ///< blanks before every line, of a log that was pasted into a text
  };

  void open(const LineRecord& header, std::uint32_t rank);
  bool take_line(std::string_view line, bool stable, std::uint32_t rank);
  void close(std::size_t which, bool complete);

  RuntimeTrace& trace_;
  TraceTables& tables_;
  std::vector<Open> open_;
  std::uint32_t file_ = 0;
  std::uint32_t first_line_ = 1;
};

}  // namespace ttscope::mem
