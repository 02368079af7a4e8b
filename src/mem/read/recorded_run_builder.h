#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "mem/model/recorded_run.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {

/// One element of NAME_operations.json. The views are valid until it has been added.
struct OperationRecord {
  std::string_view result;
  std::string_view op;
  std::vector<std::string_view> results;  ///< of ops with several, where the file names them
  std::vector<std::string_view> inputs;
  std::string_view attributes;
  std::string_view discardable;
  std::string_view input_types;
  std::string_view output_type;
  bool has_types = false;
  bool is_weight_op = false;
};

/// State of all memories, as far as it is recorded.
struct RecordedState {
  std::uint8_t present = 0;  ///< bit m set: memory m is recorded
  std::array<MilliMib, kMemoryCount> allocated{};
  std::array<MilliMib, kMemoryCount> free{};
  std::array<MilliMib, kMemoryCount> largest_free{};
  Geometry geometry;
};

/// One element of `operations` in NAME_memory.json.
struct MemoryRecord {
  enum class Source : std::uint8_t { kLogged, kRepeated, kModeled };

  std::string_view op;
  std::string_view op_type;
  std::string_view loc;
  std::string_view const_eval_graph;
  std::string_view program;
  bool has_op = false;
  bool has_program_field = false;
  std::int64_t instance = -1;
  std::int64_t rank = 0;
  std::int64_t file = 0;
  std::int64_t line = 0;
  std::int64_t index = -1;
  bool cache_miss = false;
  bool is_own = false;  ///< written by ttscope
  Source source = Source::kLogged;
  RecordedState before;
  RecordedState after;
  bool after_measured = false;
  bool has_totals = false;
  std::array<RecordedTotals, kTensorMemoryCount> totals{};  ///< before the op if is_own, else after it
  RecordedOp op_facts;
};

/// Puts the records of the files together. Operations come first, then the memory records in their order.
class RecordedRunBuilder {
 public:
  RecordedRunBuilder() : tables_(run_.log) {}
  RecordedRunBuilder(const RecordedRunBuilder&) = delete;
  RecordedRunBuilder& operator=(const RecordedRunBuilder&) = delete;

  void add_operation(const OperationRecord& record);
  /// What does not fit the records before; empty when it does.
  std::string add_memory(const MemoryRecord& record);
  std::size_t operation_count() const { return operations_.size(); }
  std::size_t memory_count() const { return memory_count_; }

  /// Also the place for what is read without records: registry and modules.
  RecordedRun& run() { return run_; }
  LogTables& tables() { return tables_; }
  RecordedRun finish();

 private:
  struct Operation {
    std::uint32_t text = kNone;
    bool is_weight_op = false;
  };
  /// What is kept of a rank while its ops are added.
  struct OpenRank {
    std::unordered_map<std::int64_t, std::uint32_t> instances;  ///< numbers of the file
    std::array<RecordedTotals, kTensorMemoryCount> last_totals{};
    bool only_modeled = true;
    std::vector<std::uint8_t> depths;  ///< by instance
  };

  static void list_events(RankLog& rank);
  std::uint32_t rank_of(const MemoryRecord& record);
  void place_in_program(const MemoryRecord& record, std::uint32_t rank, std::uint32_t op);
  std::uint32_t new_instance(std::string_view name, std::uint32_t rank, std::uint32_t op);
  void add_state(const MemoryRecord& record, std::uint32_t rank, std::uint32_t op);
  void forget_modeled(std::uint32_t rank);
  void push_block(const RecordedState& state, std::uint32_t rank, std::uint32_t before_op,
                  MemoryBlock::Moment moment);
  std::uint32_t geometry_of(const RecordedState& state);
  std::uint32_t location_of(const MemoryRecord& record, std::uint32_t text);

  RecordedRun run_;
  LogTables tables_;
  std::vector<Operation> operations_;
  std::vector<OpenRank> open_;                                            ///< by rank
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> ranks_;  ///< (file, rank) of the records
  std::size_t memory_count_ = 0;
  bool any_logged_ = false;
  std::string text_;  ///< scratch
};

/// The op line that a record was made from, as far as the record tells.
void append_op_text(std::string& to, const OperationRecord& record);

}  // namespace ttscope::mem
