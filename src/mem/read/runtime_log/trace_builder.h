#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/chunk_source.h"
#include "mem/read/runtime_log/chunk_scan.h"
#include "mem/read/runtime_log/module_collector.h"
#include "mem/read/runtime_log/rank_builder.h"

namespace ttscope::mem {

/// Turns scanned chunks, given in order, into a trace. One builder reads all files of a command.
class TraceBuilder {
 public:
  TraceBuilder() : tables_(trace_), modules_(trace_, tables_) {}
  TraceBuilder(const TraceBuilder&) = delete;
  TraceBuilder& operator=(const TraceBuilder&) = delete;

  /// `expected_bytes` is the size of the input, 0 if unknown.
  void begin_file(const std::string& path, std::uint64_t expected_bytes);
  void add_chunk(const io::Chunk& chunk, const ChunkScan& scan);
  /// The file was wrapped at a column; `line` is the first that was joined.
  void note_wrapping(std::uint32_t line);
  void end_file();
  void keep_alive(std::shared_ptr<const void> backing) { trace_.backing.push_back(std::move(backing)); }
  /// A problem of the input as a whole, such as cut compressed data; empty texts are ignored.
  void add_warning(std::string warning);
  std::uint64_t op_count() const { return op_count_; }

  RuntimeTrace finish();

 private:
  std::uint32_t rank_of(std::string_view tag);
  void prefetch(const LineRecord& record, const ChunkScan& scan) const;
  void add_record(const LineRecord& record, const ChunkScan& scan, bool stable, RankBuilder& rank);
  void add_op(const LineRecord& record, const ChunkScan& scan, bool stable, RankBuilder& rank);
  std::uint32_t op_text_of(const LineRecord& record, const ChunkScan& scan, bool stable);
  std::uint32_t known_text(const LineRecord& record, const ChunkScan& scan, bool stable, const Place& place);
  std::uint32_t intern_text(const LineRecord& record, const ChunkScan& scan, bool stable, const Place& place);
  OpText new_op_text(const LineRecord& record, const ChunkScan& scan, std::string_view text);
  void add_failure(const LineRecord& record, RankBuilder& rank);
  void add_frame(std::string_view text, std::uint32_t line, RankBuilder& rank);
  void add_crash(const LineRecord& record, RankBuilder& rank);
  void continue_crash(std::string_view bytes);
  void continue_failures(std::string_view bytes);
  void settle_failures(bool file_ends);
  void adopt_failures();
  std::vector<bool> ranks_of_modules() const;
  std::vector<std::uint32_t> number_and_sort_ranks();
  void adopt_crashes(RankTrace& without_records);
  void keep_crashes(std::vector<RankTrace>& without_records);

  /// A failure whose sentence may go on in the next chunk.
  struct OpenFailure {
    RankBuilder* rank = nullptr;
    OutOfMemory failure;
    std::string text;
  };

  /// A crash whose reason may stand in the next chunk.
  struct OpenCrash {
    RankBuilder* rank = nullptr;  ///< null: none
    std::uint32_t line = 0;
    std::string text;
    std::size_t line_bytes = 0;
  };

  RuntimeTrace trace_;
  TraceTables tables_;
  ModuleCollector modules_;
  std::vector<std::unique_ptr<RankBuilder>> ranks_;                ///< all files
  std::map<std::string, std::uint32_t, std::less<>> rank_by_tag_;  ///< of the current file
  std::vector<OpenFailure> open_failures_;                         ///< of the current file, in order
  OpenCrash open_crash_;                                           ///< of the current file
  std::vector<std::vector<std::uint32_t>> texts_of_thread_;        ///< number of a text -> in op_texts
  std::uint32_t first_line_ = 1;                                   ///< of the current chunk
  std::uint64_t op_count_ = 0;
  std::uint64_t expected_bytes_ = 0;  ///< of the current file
};

}  // namespace ttscope::mem
