#include "output/wording/failure_text.h"

#include <fmt/format.h>

#include "analysis/memory/failure.h"
#include "output/wording/number_text.h"

namespace ttscope::output {
namespace {

std::string missing_region(Memory memory) {
  if (memory == Memory::kTrace) {
    return "there is no TRACE region: set TT_RUNTIME_TRACE_REGION_SIZE (or trace_region_size when the device "
           "is opened)";
  }
  if (memory == Memory::kL1Small)
    return "there is no L1_SMALL region: set l1_small_size when the device is opened";
  return fmt::format("the device has no {} to allocate from", name_of(memory));
}

std::string diagnose(const OutOfMemory& failure, const analysis::FailedBank& bank) {
  const std::string_view memory = name_of(failure.memory);
  const std::int64_t need = failure.per_bank_bytes;
  switch (bank.cause) {
    case analysis::FailureCause::kRegionAbsent:
      return missing_region(failure.memory);
    case analysis::FailureCause::kNeverFits:
      return fmt::format(
          "can never fit: it needs {} in a bank of {}; the tensor must be split, sharded otherwise or stored "
          "in a smaller type",
          size_text(need), size_text(bank.size_bytes));
    case analysis::FailureCause::kExhausted:
      return fmt::format("{} is full: {} too little is free in each bank; see what is live at the peak",
                         memory, size_text(need - bank.free_bytes));
    case analysis::FailureCause::kFragmented:
      return fmt::format(
          "{} is fragmented: {} are free in each bank, enough for it, but the largest free block has only {}",
          memory, size_text(bank.free_bytes), size_text(bank.largest_free_bytes));
    case analysis::FailureCause::kUnknown:
      break;
  }
  if (bank.free_bytes >= 0 && !bank.from_message) {
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
  const analysis::FailedBank bank = analysis::examine_failure(view.trace, view.rank_trace(rank), failure);
  text.what =
      fmt::format("{} allocation of {}: {} in each of {} banks", name_of(failure.memory),
                  size_text(failure.requested_bytes), size_text(failure.per_bank_bytes), failure.banks);
  text.where = place(view, rank, failure);
  if (bank.free_bytes >= 0) {
    text.state = fmt::format("{} allocated, {} free, largest free block {}, of {} in each bank ({})",
                             size_text(bank.allocated_bytes), size_text(bank.free_bytes),
                             size_text(bank.largest_free_bytes), size_text(bank.size_bytes),
                             bank.from_message ? "says the message" : "before the op");
  } else if (bank.size_bytes >= 0) {
    text.state = fmt::format("each bank has {}", size_text(bank.size_bytes));
  }
  text.diagnosis = diagnose(failure, bank);
  return text;
}

}  // namespace ttscope::output
