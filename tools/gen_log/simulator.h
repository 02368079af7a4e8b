#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "log_writer.h"
#include "model.h"
#include "truth.h"

namespace ttscope::gen_log {

/// Which lines are printed, as the logger's environment variables decide.
struct PrintPlan {
  bool ops = true;             ///< debug lines of the runtime: programs, ops, const-eval
  bool memory = true;          ///< a block before every op
  bool program_level = false;  ///< also blocks before and after submit
  bool distinct_locations = false;
};

/// How a run can be made to end.
enum class Failure : std::uint8_t {
  kExhausted,
  kFragmented,
  kTooLarge,
  kL1,
  kRegion,
  kBuffersExceed,
  kBuffersClash
};
/// By the word of `--fail`.
std::optional<Failure> failure_named(std::string_view word);

struct RunPlan {
  std::int64_t runs = 3;
  std::int64_t target_bytes = 0;  ///< more runs until the output has this size
  std::int64_t dram_bytes_per_bank = 0;
  std::int64_t l1_bytes_per_bank = 0;
  std::optional<Failure> failure{};  ///< of the kinds that need no full memory, at fail_at_op
  std::int64_t fail_at_op = -1;
  bool keep_live = false;     ///< one program whose body is repeated instead of several runs
  bool keep_outputs = false;  ///< the user never drops a run's outputs: memory grows from run to run
  std::uint64_t seed = 1;
  PrintPlan print;
};

/// One process on one device: executes the workload on a simulated allocator and prints what the runtime
/// would.
class Simulator {
 public:
  struct Sinks {
    RankLog& log;
    Truth* truth;             ///< may be null
    const LogOutput* output;  ///< for the target size; may be null
  };

  Simulator(const Workload& workload, const Device& device, const RunPlan& plan, Sinks sinks);

  /// Prints a few more lines; false when there is nothing left to print.
  bool step();
  bool ran_out_of_memory() const { return failed_; }
  std::int64_t op_count() const { return op_count_; }

  /// DRAM bytes per bank with which the op that last raised the high-water mark would fail: one of the last
  /// run, unless a const-eval function of the first run needed more than all runs together.
  std::optional<std::int64_t> failing_arena_bytes() const;
  /// Cuts a memory of the plan, or names an op, so that the same run ends by this failure; false when no op
  /// of it can.
  bool arrange(Failure failure, RunPlan& plan) const;

 private:
  struct Buffer {
    const TensorType* type = nullptr;
    Memory memory = Memory::kDram;
    std::int64_t address = 0;
    std::int64_t bytes = 0;
    std::int64_t id = -1;
    std::int64_t instance = -1;
    int references = 0;
    bool pinned = false;  ///< argument or cached result: a deallocate does nothing
  };
  struct Frame {
    const Program* program = nullptr;
    std::size_t next_op = 0;
    std::int64_t id = 0;
    std::int64_t loading_op = -1;  ///< index of the load_cached op that started this program
    std::vector<int> bound;        ///< buffer slot by value
  };
  /// An op's allocation that reached further into a memory than any before it.
  struct Raise {
    Memory memory;
    std::int64_t from_bytes, to_bytes;  ///< reached before and with it
    std::int64_t allocated_bytes;       ///< before it
    std::int64_t bytes;                 ///< its own
  };

  bool more_runs() const;
  void begin_run();
  void drop_previous_run();
  void upload_arguments(Frame& frame);
  void begin_program(Frame frame);
  void end_program();
  void end_const_eval(const Frame& frame);
  void end_main(const Frame& frame);
  void execute(const Op& op);
  void print_op(const Op& op, std::int64_t index, const States& states);
  void apply(const Op& op, std::int64_t index);
  void load_cached(const Op& op, std::int64_t index);
  void deallocate(const Op& op);
  int allocate(const TensorType* type, LiveTensor description);
  void release(int slot);
  void note_raise(Memory memory, std::int64_t reached_bytes, std::int64_t bytes);
  void fail(const Op& op, std::int64_t index, ValueId result);
  void fail_without_allocation(const Op& op, std::int64_t index);
  void record_op(const Op& op, std::int64_t index, const States& states);
  std::string name_of(ValueId value) const;
  States states() const;
  Frame& frame() { return frames_.back(); }
  std::int64_t repetition() const { return plan_.keep_live ? run_ : 0; }
  std::string hash_of(const std::string& function) const;

  const Workload& workload_;
  const Device& device_;
  RunPlan plan_;
  RankLog& log_;
  Truth* truth_;
  const LogOutput* output_;
  std::vector<FreeList> memories_;  // by index_of(Memory)
  std::vector<Buffer> buffers_;
  std::vector<int> free_slots_;
  std::vector<Frame> frames_;
  std::vector<int> arguments_;           // slots by argument of main
  std::vector<int> outputs_;             // of the previous run
  std::vector<std::vector<int>> cache_;  // results by const-eval function
  std::vector<Raise> raises_;            // in order
  PerMemory reached_{};                  // by all allocations
  std::int64_t last_computing_op_ = -1;  // of main, with a result in DRAM
  PerMemory own_growth_{};
  std::string suffix_;
  std::int64_t run_ = -1;  // also the repetition with --keep-live
  std::int64_t program_count_ = 0;
  std::int64_t op_count_ = 0;
  std::int64_t allocation_count_ = 0;
  bool failed_ = false;
  bool finished_ = false;
};

}  // namespace ttscope::gen_log
