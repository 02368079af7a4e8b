#include "mem/write/words/failure_text.h"

#include <fmt/format.h>

#include "mem/analyse/failure.h"
#include "report/number_text.h"

namespace ttscope::mem {
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

std::string diagnose(const OutOfMemory& failure, const FailedBank& bank) {
  const std::string_view memory = name_of(failure.memory);
  const std::int64_t need = failure.per_bank_bytes;
  switch (bank.cause) {
    case FailureCause::kRegionAbsent:
      return missing_region(failure.memory);
    case FailureCause::kNeverFits:
      return fmt::format(
          "can never fit: it needs {} in a bank of {}; the tensor must be split, sharded otherwise or stored "
          "in a smaller type",
          report::size_text(need), report::size_text(bank.size_bytes));
    case FailureCause::kExhausted:
      return fmt::format("{} is full: {} too little is free in each bank; see what is live at the peak",
                         memory, report::size_text(need - bank.free_bytes));
    case FailureCause::kFragmented:
      return fmt::format(
          "{} is fragmented: {} are free in each bank, enough for it, but the largest free block has only {}",
          memory, report::size_text(bank.free_bytes), report::size_text(bank.largest_free_bytes));
    case FailureCause::kUnknown:
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
  const std::string at = fmt::format("reported at line {}", report::count_text(failure.line));
  if (failure.last_op >= view.rank_trace(rank).ops.size()) {
    return fmt::format("no op was running: probably an input on its way to the device; {}", at);
  }
  const OpPlace op = place_of(view, rank, failure.last_op);
  std::string text = op.name;
  if (!op.loc.empty()) text += fmt::format(" at {}", op.loc);
  if (!op.program.empty()) text += fmt::format(" in {}", op.program);
  return fmt::format("{}, line {}; {}", text, report::count_text(op.line), at);
}

}  // namespace

FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  FailureText text;
  const FailedBank bank = examine_failure(view.trace, view.rank_trace(rank), failure);
  text.what =
      fmt::format("{} allocation of {}", name_of(failure.memory), report::size_text(failure.requested_bytes));
  if (failure.per_bank_bytes >= 0 && failure.banks >= 0) {  // a message may be cut before it
    text.what +=
        fmt::format(": {} in each of {} banks", report::size_text(failure.per_bank_bytes), failure.banks);
  }
  text.where = place(view, rank, failure);
  if (bank.free_bytes >= 0) {
    text.state = fmt::format("{} allocated, {} free, largest free block {}, of {} in each bank ({})",
                             report::size_text(bank.allocated_bytes), report::size_text(bank.free_bytes),
                             report::size_text(bank.largest_free_bytes), report::size_text(bank.size_bytes),
                             bank.from_message ? "says the message" : "before the op");
  } else if (bank.size_bytes >= 0) {
    text.state = fmt::format("each bank has {}", report::size_text(bank.size_bytes));
  }
  text.diagnosis = diagnose(failure, bank);
  return text;
}

}  // namespace ttscope::mem
