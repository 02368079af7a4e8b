#include "mem/write/words/failure_text.h"

#include <fmt/format.h>

#include "mem/analyse/told_op.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using report::size_text;

std::string region_setting(Memory memory) {
  return memory == Memory::kTrace
             ? "TT_RUNTIME_TRACE_REGION_SIZE (or trace_region_size when the device is opened)"
             : "l1_small_size when the device is opened";
}

/// A region that is not there, or that one buffer is larger than.
std::string region_text(const OutOfMemory& failure, const FailedBank& bank) {
  const std::string_view memory = name_of(failure.memory);
  if (failure.kind == FailureKind::kTraceOverlap)
    return fmt::format("the trace lies where other buffers are: set {}", region_setting(failure.memory));
  if (failure.kind == FailureKind::kTraceRegion) {
    return fmt::format("the trace takes {}, its region has {}: set {} to at least {} bytes",
                       size_text(failure.requested_bytes),
                       size_text(std::max<std::int64_t>(failure.limit_bytes, 0)),
                       region_setting(failure.memory), failure.requested_bytes);
  }
  if (failure.memory != Memory::kTrace && failure.memory != Memory::kL1Small)
    return fmt::format("the device has no {} to allocate from", memory);
  if (bank.size_bytes <= 0)
    return fmt::format("there is no {} region: set {}", memory, region_setting(failure.memory));
  return fmt::format(
      "the {} region is too small: this buffer alone takes {} of each bank, the region has {}; set {}",
      memory, size_text(bank.needed_bytes), size_text(bank.size_bytes), region_setting(failure.memory));
}

/// Fragmentation of a device that is all but full is another matter than that of a half empty one.
std::string fragmented_text(std::string_view memory, const FailedBank& bank) {
  constexpr double kAllButFull = 0.9;
  const std::string enough = fmt::format(
      "{} are free in each bank, enough for it, but {}", size_text(bank.free_bytes),
      bank.largest_free_bytes < 0
          ? std::string("not in one piece, or it would not have failed")
          : fmt::format("the largest free block has only {}", size_text(bank.largest_free_bytes)));
  const double full = report::ratio(bank.allocated_bytes, bank.size_bytes);
  if (full < kAllButFull) return fmt::format("{} is fragmented: {}", memory, enough);
  return fmt::format(
      "{} is fragmented and {} full: {}. Perfect defragmentation would make room for this buffer and leave "
      "{}: "
      "less must be held, not only better placed",
      memory, report::percent_text(full), enough, size_text(bank.free_bytes - bank.needed_bytes));
}

std::string never_fits_text(const OutOfMemory& failure, const FailedBank& bank) {
  if (bank.verdict == FailureVerdict::kLargerThanDevice) {
    return fmt::format(
        "larger than the whole device: one buffer of {}, while all {} banks together hold {}; its shape or "
        "padding is to blame, not what else is in memory",
        size_text(failure.requested_bytes), failure.banks,
        size_text(report::all_banks(bank.size_bytes, failure.banks)));
  }
  return fmt::format(
      "can never fit: it needs {} in a bank of {}; the tensor must be split, sharded otherwise or stored "
      "in a smaller type",
      size_text(bank.needed_bytes), size_text(bank.size_bytes));
}

std::string undecided_text(const OutOfMemory& failure, const FailedBank& bank) {
  if (failure.kind == FailureKind::kAddressBelowLimit) {
    return "the only free place lies below the lowest address that tensors may have: L1 is full down to the "
           "circular buffers";
  }
  if (bank.free_bytes >= 0 && !bank.from_message) {
    return "before the op there was room for it: the op's own temporary buffers took it, which these logs do "
           "not show";
  }
  if (bank.free_bytes >= 0 && bank.largest_free_bytes >= bank.needed_bytes && bank.needed_bytes >= 0) {
    return fmt::format(
        "by its own figures {} would fit into the largest free block of {}: another use of these addresses "
        "(buffers of a sub-device, a trace) or their alignment leaves it no place",
        size_text(bank.needed_bytes), size_text(bank.largest_free_bytes));
  }
  if (failure.is_cut) {
    return "the message is cut before it says how much was free: full, fragmented and too large cannot be "
           "told apart";
  }
  if (bank.size_bytes >= 0) {
    return fmt::format(
        "it would fit into an empty bank, so {} is full or fragmented; which of them, this message of an "
        "older "
        "runtime does not say",
        name_of(failure.memory));
  }
  return "the message does not say how large a bank is or how much of it was free: full, fragmented and too "
         "large cannot be told apart";
}

std::string diagnose(const OutOfMemory& failure, const FailedBank& bank) {
  const std::string_view memory = name_of(failure.memory);
  switch (bank.verdict) {
    case FailureVerdict::kRegionMissing:
      return region_text(failure, bank);
    case FailureVerdict::kLargerThanDevice:
    case FailureVerdict::kLargerThanBank:
      return never_fits_text(failure, bank);
    case FailureVerdict::kExhausted:
      return fmt::format("{} is full: {} too little is free in each bank", memory,
                         size_text(bank.needed_bytes - bank.free_bytes));
    case FailureVerdict::kFragmented:
      return fragmented_text(memory, bank);
    case FailureVerdict::kUndecided:
      return undecided_text(failure, bank);
    case FailureVerdict::kBuffersExceedL1:
      return other_failure_text(bank) +
             "; smaller blocks, another shard layout or fewer buffers of the op would help";
    case FailureVerdict::kBuffersClash:
      return other_failure_text(bank) +
             "; circular buffers grow up from the bottom of L1, tensors down from its top: move a tensor to "
             "DRAM, "
             "free it earlier or make the op's blocks smaller";
    case FailureVerdict::kProgramTooLarge:
    case FailureVerdict::kHostMemory:
    case FailureVerdict::kCrashed:
      break;
  }
  return other_failure_text(bank);
}

/// The program that had ended last when a failure came between programs.
std::string ended_program(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const auto& programs = view.rank_trace(rank).programs;
  for (std::size_t i = programs.size(); i-- > 0;) {
    if (programs[i].parent == kNone && programs[i].end_line != 0 && programs[i].end_line < failure.line)
      return in_sentence(view.names, instance_label(view, rank, static_cast<std::uint32_t>(i)));
  }
  return {};
}

/// What the backtrace below the message says, with the op of a module that it can only be.
std::string told_place(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const Backtrace& frames = failure.backtrace;
  const ToldOp told = told_op(view.trace, rank, failure);
  if (!told.is_told()) {
    return frames.transfer_line == 0
               ? std::string()
               : fmt::format("between programs: inputs being moved, says the backtrace (line {})",
                             report::count_text(frames.transfer_line));
  }
  std::string text = in_sentence(view.names, told.name);
  if (!told.loc.empty()) text += fmt::format(" at {}", in_sentence(view.names, told.loc));
  if (!told.program.empty()) text += fmt::format(" in {}", in_sentence(view.names, told.program));
  if (told.line != frames.op_line)
    text += fmt::format(", line {} of the module", report::count_text(told.line));
  if (frames.const_eval_line != 0 && told.program.empty()) text += ", inside of const-eval";
  return fmt::format("{}; says the backtrace (line {})", text, report::count_text(frames.op_line));
}

std::string place(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const std::string at = fmt::format("reported at line {}", report::count_text(failure.line));
  if (failure.last_op >= view.rank_trace(rank).ops.size()) {
    if (const std::string told = told_place(view, rank, failure); !told.empty())
      return fmt::format("{}; {}", told, at);
    if (failure.instance != kNone)
      return fmt::format("{} before its first op; {}",
                         in_sentence(view.names, instance_label(view, rank, failure.instance)), at);
    const std::string ended = ended_program(view, rank, failure);
    // Moving inputs allocates tensors; circular buffers belong to an op that no line tells of.
    const bool moves_tensors =
        failure.kind != FailureKind::kBuffersBeyondL1 && failure.kind != FailureKind::kBuffersClash;
    if (!ended.empty())
      return fmt::format("between programs{} ({} had ended); {}", moves_tensors ? ": inputs being moved" : "",
                         ended, at);
    return view.rank_trace(rank).ops.empty()
               ? fmt::format("not told: no op line in the text; {}", at)
               : fmt::format("no op was running: probably an input on its way to the device; {}", at);
  }
  const OpPlace op = place_of(view, rank, failure.last_op);
  std::string text = in_sentence(view.names, op.name);
  if (!op.loc.empty()) text += fmt::format(" at {}", in_sentence(view.names, op.loc));
  if (!op.program.empty()) text += fmt::format(" in {}", in_sentence(view.names, op.program));
  return fmt::format("{}, line {}; {}", text, report::count_text(op.line), at);
}

std::string title_of(FailureVerdict verdict) {
  switch (verdict) {
    case FailureVerdict::kBuffersExceedL1:
      return "Circular buffers beyond L1";
    case FailureVerdict::kBuffersClash:
      return "Circular buffers clash with tensors";
    case FailureVerdict::kProgramTooLarge:
      return "Program too large";
    case FailureVerdict::kHostMemory:
      return "Out of host memory";
    default:
      return "Out of memory";
  }
}

std::string asked_for(const OutOfMemory& failure) {
  switch (failure.kind) {
    case FailureKind::kBuffersBeyondL1:
    case FailureKind::kBuffersClash: {
      const std::string where =
          failure.core_range.empty() ? "" : fmt::format(" on cores {}", failure.core_range);
      return failure.reached_bytes < 0
                 ? "circular buffers" + where
                 : fmt::format("circular buffers up to {}{}", size_text(failure.reached_bytes), where);
    }
    case FailureKind::kProgramSize:
      return failure.requested_bytes < 0 ? "kernel code"
                                         : fmt::format("a program of {}", size_text(failure.requested_bytes));
    case FailureKind::kTraceRegion:
      return fmt::format("trace buffers of {}", size_text(failure.requested_bytes));
    case FailureKind::kTraceOverlap:
      return "a trace buffer";
    case FailureKind::kHostMemory:
      return failure.requested_bytes < 0
                 ? "host memory"
                 : fmt::format("{} of host memory", size_text(failure.requested_bytes));
    case FailureKind::kAddressBelowLimit:
      return "an L1 buffer";
    case FailureKind::kAllocation:
      break;
  }
  std::string text =
      fmt::format("{} allocation of {}", name_of(failure.memory), size_text(failure.requested_bytes));
  if (failure.per_bank_bytes >= 0 && failure.banks >= 0) {  // a message may be cut before it
    text += fmt::format(": {} in each of {} banks", size_text(failure.per_bank_bytes), failure.banks);
  } else if (failure.banks > 0) {
    text += fmt::format(" across {} banks", failure.banks);
  }
  return text;
}

std::string state_text(const FailedBank& bank) {
  if (bank.free_bytes < 0 && bank.allocated_bytes >= 0 && bank.size_bytes >= 0)
    return fmt::format("{} allocated of {} in each bank (says the message)", size_text(bank.allocated_bytes),
                       size_text(bank.size_bytes));
  if (bank.free_bytes < 0)
    return bank.size_bytes < 0 ? "" : fmt::format("each bank has {}", size_text(bank.size_bytes));
  std::string text =
      fmt::format("{} allocated, {} free", size_text(bank.allocated_bytes), size_text(bank.free_bytes));
  if (bank.largest_free_bytes >= 0)
    text += fmt::format(", largest free block {}", size_text(bank.largest_free_bytes));
  return fmt::format("{}, of {} in each bank ({})", text, size_text(bank.size_bytes),
                     bank.from_message ? "says the message" : "before the op");
}

}  // namespace

std::string other_failure_text(const FailedBank& bank) {
  const bool both = bank.reached_bytes >= 0 && bank.limit_bytes >= 0;
  const std::string over = both ? size_text(bank.reached_bytes - bank.limit_bytes) : std::string();
  switch (bank.verdict) {
    case FailureVerdict::kBuffersExceedL1:
      return both ? fmt::format("circular buffers grow to {}, L1 has {}: {} too much",
                                size_text(bank.reached_bytes), size_text(bank.limit_bytes), over)
                  : "circular buffers grow beyond L1";
    case FailureVerdict::kBuffersClash:
      return both ? fmt::format("circular buffers end at {}, tensors of L1 begin at {}: they overlap by {}",
                                size_text(bank.reached_bytes), size_text(bank.limit_bytes), over)
                  : "circular buffers clash with tensors of L1";
    case FailureVerdict::kProgramTooLarge:
      return both ? fmt::format("the code of a kernel is {} larger than its region", over)
             : bank.limit_bytes >= 0
                 ? fmt::format("the program does not fit into the kernel config buffer of {}",
                               size_text(bank.limit_bytes))
                 : "the program does not fit into the kernel config buffer";
    case FailureVerdict::kHostMemory:
      return "the host had no memory left; this is not the device's";
    case FailureVerdict::kRegionMissing:
      return "the region does not exist or is too small";
    default:
      return "an allocation failed";
  }
}

FailureText describe_failure(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const FailedBank bank = examine_failure(view.trace, view.rank_trace(rank), failure);
  FailureText text;
  text.title = title_of(bank.verdict);
  text.what = asked_for(failure);
  text.where = place(view, rank, failure);
  text.state = state_text(bank);
  text.diagnosis = diagnose(failure, bank);
  return text;
}

}  // namespace ttscope::mem
