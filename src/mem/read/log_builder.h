#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/chunk_source.h"
#include "mem/model/runtime_log.h"
#include "mem/read/chunk_scan.h"
#include "mem/read/failures.h"
#include "mem/read/mlir_text.h"
#include "mem/read/module_dumps.h"

namespace ttscope::mem {

/// Puts the records of one rank, given in log order, together: which block belongs to which op, which program
/// is open. Bad records are counted in the trace's problems.
class RankBuilder {
 public:
  RankBuilder(RuntimeLog& log, LogTables& tables, std::uint32_t file) : log_(log), tables_(tables) {
    rank_.file = file;
  }

  /// Makes room for the ops of a log of this size, so that the columns need not move while they grow. Room
  /// that is not used costs no memory.
  void expect_bytes(std::uint64_t log_bytes);
  void add_op(std::uint32_t text, std::uint32_t loc, std::uint32_t line);
  void add_block(const ScannedBlock& block, std::uint32_t first_line);
  void start_program(std::string_view name, std::uint32_t line);
  void end_program(std::string_view name, std::uint32_t line);
  void mark_retained();
  void mark_cache(bool hit);
  void set_cache_key(std::string_view hash);
  void add_output_marker(std::uint32_t line) { rank_.output_markers.push_back(line); }
  /// Where the rank is now: the op that runs and the program that is open.
  void place_failure(OutOfMemory& failure) const;
  void add_failure(const OutOfMemory& failure) { failures_.add(failure); }
  void add_crash(std::string_view text, std::uint32_t line);
  /// The crash of that line is told by more than the line.
  void complete_crash(std::string_view text, std::uint32_t line);
  OutOfMemory* newest_print() { return failures_.newest_print(); }
  /// Whether a frame at this line can be of the message: nothing else happened since.
  bool is_below(const OutOfMemory& message, std::uint32_t line) const;

  /// Closes what a cut log left open and hands the rank over.
  RankLog finish();
  RankLog& rank() { return rank_; }
  /// Takes the failures of a rank that has nothing else, and finds out what was running then.
  void adopt_failures(RankBuilder& stray);
  bool has_failures() const { return !failures_.empty(); }
  bool has_records() const { return !rank_.ops.empty() || !rank_.blocks.empty(); }

 private:
  /// What was running at the failure's line.
  void place_by_line(OutOfMemory& failure) const;
  static constexpr std::size_t kMaxPending = 8;        ///< ops whose block may still come
  static constexpr std::size_t kMaxCrashes = 1 << 16;  ///< beyond, only the newest is kept
  static constexpr std::size_t kMaxNested = 64;        ///< real programs nest three or four deep

  ExecutedOp* last_op() { return rank_.ops.empty() ? nullptr : &rank_.ops.back(); }
  std::uint32_t op_count() const { return static_cast<std::uint32_t>(rank_.ops.size()); }
  Place place(std::uint32_t line) const { return {rank_.file, line}; }
  bool merge_into_last_block(ScannedBlock& block, std::uint32_t first_line);
  void store_block(const ScannedBlock& block, std::uint32_t first_line);
  std::uint32_t owner_of_block(const ScannedBlock& block, std::uint32_t line);
  std::uint32_t make_room_for_block(std::uint32_t owner);
  std::uint32_t add_op_without_line(std::string_view op_type, std::uint32_t line);
  void copy_views(const ScannedBlock& from, std::uint32_t first_line, MemoryBlock& to);
  void check_last_block();
  std::uint32_t geometry_of(const ScannedBlock& block, const MemoryBlock& to);
  bool is_nested_start(std::string_view name) const;
  bool is_callee(std::string_view name, const ExecutedOp& op) const;
  void close_programs_down_to(std::size_t depth);

  RuntimeLog& log_;
  LogTables& tables_;
  RankLog rank_;
  std::vector<std::uint32_t> open_programs_;
  std::deque<std::uint32_t> pending_ops_;  ///< newest last; ops that have no block yet
  bool block_open_ = false;                ///< the last block may take further views
  bool program_ended_since_op_ = false;
  std::uint32_t running_op_ = kNone;  ///< kNone between programs, and in one before its first op
  FailureCollector failures_;
};

/// Turns scanned chunks, given in order, into a trace. One builder reads all files of a command.
class LogBuilder {
 public:
  LogBuilder() : tables_(log_), modules_(log_, tables_) {}
  LogBuilder(const LogBuilder&) = delete;
  LogBuilder& operator=(const LogBuilder&) = delete;

  /// `expected_bytes` is the size of the input, 0 if unknown.
  void begin_file(const std::string& path, std::uint64_t expected_bytes);
  void add_chunk(const io::Chunk& chunk, const ChunkScan& scan);
  /// The file was wrapped at a column; `line` is the first that was joined.
  void note_wrapping(std::uint32_t line);
  void end_file();
  void keep_alive(std::shared_ptr<const void> backing) { log_.backing.push_back(std::move(backing)); }
  /// A problem of the input as a whole, such as cut compressed data; empty texts are ignored.
  void add_warning(std::string warning);
  std::uint64_t op_count() const { return op_count_; }

  RuntimeLog finish();

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
  void adopt_crashes(RankLog& without_records);
  void keep_crashes(std::vector<RankLog>& without_records);

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

  RuntimeLog log_;
  LogTables tables_;
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
