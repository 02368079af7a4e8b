#include "output/wording/failure_text.h"

#include <fmt/format.h>

#include "output/wording/number_text.h"

namespace ttscope::output {
namespace {

/// Bytes of one bank when the allocation failed; -1 where unknown.
struct BankState {
  std::int64_t size = -1;
  std::int64_t allocated = -1;
  std::int64_t free = -1;
  std::int64_t largest_free = -1;
  bool from_message = true;
};

BankState state_at(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  BankState state{failure.bank_size_bytes, failure.allocated_bytes, failure.free_bytes,
                  failure.largest_free_bytes, true};
  const RankTrace& trace = view.rank_trace(rank);
  if (state.free >= 0 || failure.last_op >= trace.ops.size()) return state;
  const std::uint32_t block_id = trace.ops[failure.last_op].block;
  if (block_id >= trace.blocks.size()) return state;
  const MemoryBlock& block = trace.blocks[block_id];
  const std::size_t memory = index_of(failure.memory);
  if (state.size < 0) state.size = bytes_of(view.trace.geometries[block.geometry].total[memory]);
  state.allocated = bytes_of(block.allocated[memory]);
  state.free = bytes_of(block.free[memory]);
  state.largest_free = bytes_of(block.largest_free[memory]);
  state.from_message = false;
  return state;
}

std::string missing_region(Memory memory) {
  if (memory == Memory::kTrace) {
    return "there is no TRACE region: set TT_RUNTIME_TRACE_REGION_SIZE (or trace_region_size when the device "
           "is opened)";
  }
  if (memory == Memory::kL1Small)
    return "there is no L1_SMALL region: set l1_small_size when the device is opened";
  return fmt::format("the device has no {} to allocate from", name_of(memory));
}

std::string diagnose(const OutOfMemory& failure, const BankState& state) {
  const std::string_view memory = name_of(failure.memory);
  const std::int64_t need = failure.per_bank_bytes;
  if (state.size == 0) return missing_region(failure.memory);
  if (state.size > 0 && need > state.size) {
    return fmt::format(
        "can never fit: it needs {} in a bank of {}; the tensor must be split, sharded otherwise or stored "
        "in a smaller type",
        size_text(need), size_text(state.size));
  }
  if (state.free >= 0 && need > state.free) {
    return fmt::format("{} is full: {} too little is free in each bank; see what is live at the peak", memory,
                       size_text(need - state.free));
  }
  if (state.largest_free >= 0 && need > state.largest_free) {
    return fmt::format(
        "{} is fragmented: {} are free in each bank, enough for it, but the largest free block has only {}",
        memory, size_text(state.free), size_text(state.largest_free));
  }
  if (state.free >= 0 && !state.from_message) {
    return "before the op there was room for it: the op's own temporary buffers took it, which these logs do "
           "not show";
  }
  return "the log does not say how much was free; build a newer runtime or log memory "
         "(TT_RUNTIME_MEMORY_LOG_LEVEL=operation)";
}

std::string place(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const std::string at = fmt::format("reported at line {}", count_text(failure.line));
  if (failure.last_op >= view.rank_trace(rank).ops.size()) {
    return fmt::format("no op was running: probably an input on its way to the device; {}", at);
  }
  const OpFacts op = facts_of(view, rank, failure.last_op);
  std::string text = op.name;
  if (!op.loc.empty()) text += fmt::format(" at {}", op.loc);
  if (!op.program.empty()) text += fmt::format(" in {}", op.program);
  return fmt::format("{}, line {}; {}", text, count_text(op.line), at);
}

}  // namespace

FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  FailureText text;
  const BankState state = state_at(view, rank, failure);
  text.what =
      fmt::format("{} allocation of {}: {} in each of {} banks", name_of(failure.memory),
                  size_text(failure.requested_bytes), size_text(failure.per_bank_bytes), failure.banks);
  text.where = place(view, rank, failure);
  if (state.free >= 0) {
    text.state =
        fmt::format("{} allocated, {} free, largest free block {}, of {} in each bank ({})",
                    size_text(state.allocated), size_text(state.free), size_text(state.largest_free),
                    size_text(state.size), state.from_message ? "says the message" : "before the op");
  } else if (state.size >= 0) {
    text.state = fmt::format("each bank has {}", size_text(state.size));
  }
  text.diagnosis = diagnose(failure, state);
  return text;
}

}  // namespace ttscope::output
