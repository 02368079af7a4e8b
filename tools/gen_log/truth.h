#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tensor_type.h"

namespace ttscope::gen_log {

/// One figure for DRAM and one for L1, by index_of(Memory).
using PerMemory = std::array<std::int64_t, kMemoryCount>;
using States = std::array<MemoryState, kMemoryCount>;

struct LiveTensor {
  std::string name;        ///< SSA name where it was made
  std::string model_name;  ///< of arguments, else empty
  std::int64_t instance = 0;
  std::string_view kind;  ///< weight, const_eval, activation, input
  std::int64_t bytes_per_bank = 0;
  const TensorType* type = nullptr;
};

struct OpRecord {
  std::int64_t index = 0;
  std::int64_t line = 0;  ///< 0 until the line is in the output
  std::int64_t instance = 0;
  std::string_view op;
  std::string loc;
  States before{};
  States after{};
  PerMemory own_growth{};
  std::vector<std::pair<std::string, const TensorType*>> results;
  bool view = false;
  bool finished = false;
  bool failed = false;
};

struct ProgramRecord {
  std::int64_t id = 0;
  std::string name;
  std::int64_t parent = -1;
  std::int64_t run = 0;
  std::int64_t start_line = 0;
};

struct OutOfMemoryRecord {
  std::int64_t op_index = 0;
  std::string_view op;
  std::string result;
  Memory memory = Memory::kDram;
  std::int64_t requested_bytes = 0;
  std::int64_t requested_per_bank = 0;
  std::int64_t bank_size = 0;
  MemoryState state;
  std::string_view verdict;  ///< of failures that are no allocation; empty: the figures tell
};

/// What really happened on one rank, in exact bytes per bank. Rows go to temporary files as soon as they are
/// complete, so that memory does not grow with the log.
class Truth {
 public:
  Truth(std::int64_t rank, const Device& device, std::int64_t dram_bytes_per_bank);

  /// Marks for RankLog::mark.
  static std::int64_t mark_of_op(std::int64_t index) { return 2 * index; }
  static std::int64_t mark_of_program(std::int64_t id) { return 2 * id + 1; }
  void set_line(std::int64_t mark, std::int64_t line);

  void begin_program(ProgramRecord program);
  void boundary(std::string_view event, std::int64_t instance, const PerMemory& delta);
  void begin_op(OpRecord record);
  void finish_op(std::int64_t index, const PerMemory& own_growth, const States& after);
  /// The op keeps own growth 0: what it had allocated is released when the exception unwinds.
  void fail_op(const OutOfMemoryRecord& failure);
  /// Write the tensors that live when a failure comes too. L1 may be cut for it.
  void expect_failure(std::int64_t l1_bytes_per_bank) {
    live_at_failure_ = true;
    arena_bytes_[index_of(Memory::kL1)] = l1_bytes_per_bank;
  }

  void allocated(Memory memory, std::int64_t id, LiveTensor tensor);
  void released(Memory memory, std::int64_t id);

  /// Writes the rank's JSON object; call once, after the last line is in the output.
  void write(std::FILE* file);

 private:
  struct Peak {
    std::int64_t after_bytes = -1, after_op = -1, before_bytes = -1, before_op = -1;
    std::int64_t last_id = -1;  // tensors made later were not there
    std::map<std::int64_t, LiveTensor> live;
    std::map<std::int64_t, LiveTensor> gone;  // live at the peak, released since
  };
  struct Growth {
    std::int64_t bytes, op_index;
    std::string_view op;
  };
  struct FileCloser {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  /// Rows of a JSON array, kept in a temporary file.
  struct Rows {
    Rows();
    std::unique_ptr<std::FILE, FileCloser> file;
    bool any = false;
    void add(const std::string& row);
    void copy_to(std::FILE* target);
  };

  OpRecord& pending_op(std::int64_t index);
  void flush(bool all);
  void note_growth(const OpRecord& record);
  std::string peak_json(Memory memory) const;
  std::string failure_and_live() const;
  std::string summary_json() const;
  std::string op_json(const OpRecord& record) const;
  std::int64_t banks(Memory memory) const;

  std::int64_t rank_;
  const Device& device_;
  PerMemory arena_bytes_;
  std::deque<OpRecord> ops_;  // begun, not yet written
  std::int64_t first_pending_op_ = 0;
  std::deque<ProgramRecord> programs_;
  std::int64_t program_count_ = 0;
  std::int64_t op_count_ = 0;
  Rows op_rows_, program_rows_, boundary_rows_;
  std::array<Peak, kMemoryCount> peaks_;
  std::vector<Growth> growth_;
  std::unique_ptr<OutOfMemoryRecord> failure_;
  bool live_at_failure_ = false;
};

}  // namespace ttscope::gen_log
