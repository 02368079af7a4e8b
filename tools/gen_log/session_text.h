#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "log_writer.h"
#include "tensor_type.h"

namespace ttscope::gen_log {

/// The text around the programs: what Python, TT-XLA and tt-metal print before, between and after them.

/// Plug-in set-up and device opening.
void print_session_start(RankLog& log, const Device& device, bool runtime_debug_lines);
/// What PJRT prints when a run is asked for. `run` counts from 0; before a repeated run the old buffers are
/// dropped.
void print_run_start(RankLog& log, std::int64_t run, bool runtime_debug_lines);
/// Outputs handed to Python, and the user's own line, which helpers take for the end of a run.
void print_run_end(RankLog& log, const Shape& output);
void print_session_end(RankLog& log);

struct FailedAllocation {
  std::string_view memory;  ///< DRAM or L1
  std::int64_t requested_bytes = 0;
  std::int64_t banks = 0;
  std::int64_t requested_per_bank = 0;
  std::int64_t bank_size = 0;
  MemoryState state;
};
/// The allocator's sentence.
std::string out_of_memory_text(const FailedAllocation& failure);

struct PrintedFailure {
  std::string text;
  std::string_view macro;    ///< TT_FATAL or TT_THROW
  std::string_view place;    ///< below tt_metal/impl, with the condition
  std::string_view op_type;  ///< of the op that asked
  bool inside_const_eval = false;
};

/// The end of a log by a failure: critical line, exception with backtrace, Python's traceback.
void print_failure(RankLog& log, const PrintedFailure& failure);

}  // namespace ttscope::gen_log
