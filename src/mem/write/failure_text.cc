#include "mem/write/failure_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "mem/analyze/modules.h"
#include "mem/write/verdict_text.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

using ui::size_text;

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
  const double full = ui::ratio(bank.allocated_bytes, bank.size_bytes);
  if (full < kAllButFull) return fmt::format("{} is fragmented: {}", memory, enough);
  return fmt::format(
      "{} is fragmented and {} full: {}. Perfect defragmentation would make room for this buffer and leave "
      "{}: "
      "less must be held, not only better placed",
      memory, ui::percent_text(full), enough, size_text(bank.free_bytes - bank.needed_bytes));
}

std::string never_fits_text(const OutOfMemory& failure, const FailedBank& bank) {
  if (bank.verdict == FailureVerdict::kLargerThanDevice) {
    return fmt::format(
        "larger than the whole device: one buffer of {}, while all {} banks together hold {}; its shape or "
        "padding is to blame, not what else is in memory",
        size_text(failure.requested_bytes), failure.banks,
        size_text(ui::all_banks(bank.size_bytes, failure.banks)));
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
  const auto& programs = view.rank_log(rank).programs;
  for (std::size_t i = programs.size(); i-- > 0;) {
    if (programs[i].parent == kNone && programs[i].end_line != 0 && programs[i].end_line < failure.line)
      return in_sentence(view.names, instance_label(view, rank, static_cast<std::uint32_t>(i)));
  }
  return {};
}

/// What the backtrace below the message says, with the op of a module that it can only be.
std::string failing_op_text(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const Backtrace& frames = failure.backtrace;
  const FailingOp failing_op = find_failing_op(view.log, rank, failure);
  if (!failing_op.is_known()) {
    return frames.transfer_line == 0
               ? std::string()
               : fmt::format("between programs: inputs being moved, says the backtrace (line {})",
                             ui::count_text(frames.transfer_line));
  }
  std::string text = in_sentence(view.names, failing_op.name);
  if (!failing_op.loc.empty()) text += fmt::format(" at {}", in_sentence(view.names, failing_op.loc));
  if (!failing_op.program.empty()) text += fmt::format(" in {}", in_sentence(view.names, failing_op.program));
  if (failing_op.line != frames.op_line)
    text += fmt::format(", line {} of the module", ui::count_text(failing_op.line));
  if (frames.const_eval_line != 0 && failing_op.program.empty()) text += ", inside of const-eval";
  return fmt::format("{}; says the backtrace (line {})", text, ui::count_text(frames.op_line));
}

std::string place(const ProfileView& view, std::uint32_t rank, const OutOfMemory& failure) {
  const std::string at = fmt::format("reported at line {}", ui::count_text(failure.line));
  if (failure.last_op >= view.rank_log(rank).ops.size()) {
    if (const std::string failing_op = failing_op_text(view, rank, failure); !failing_op.empty())
      return fmt::format("{}; {}", failing_op, at);
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
    return view.rank_log(rank).ops.empty()
               ? fmt::format("not told: no op line in the text; {}", at)
               : fmt::format("no op was running: probably an input on its way to the device; {}", at);
  }
  const OpPlace op = place_of(view, rank, failure.last_op);
  std::string text = in_sentence(view.names, op.name);
  if (!op.loc.empty()) text += fmt::format(" at {}", in_sentence(view.names, op.loc));
  if (!op.program.empty()) text += fmt::format(" in {}", in_sentence(view.names, op.program));
  return fmt::format("{}, line {}; {}", text, ui::count_text(op.line), at);
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
  const FailedBank bank = examine_failure(view.log, view.rank_log(rank), failure);
  FailureText text;
  text.title = title_of(bank.verdict);
  text.what = asked_for(failure);
  text.where = place(view, rank, failure);
  text.state = state_text(bank);
  text.diagnosis = diagnose(failure, bank);
  return text;
}

namespace {

std::string reason_text(const TensorCandidate& candidate, Names names) {
  const std::string name = candidate.name.empty() ? "" : " " + in_sentence(names, candidate.name);
  switch (candidate.reason) {
    case CandidateReason::kResult:
      return fmt::format("result{} of the op", name);
    case CandidateReason::kOperand:
      return fmt::format("as the op's operand{}", name);
    case CandidateReason::kArgument:
      return fmt::format("program argument{}", name);
    case CandidateReason::kSeen:
      return "a tensor of the log of exactly this size";
    case CandidateReason::kResultConverted:
      return fmt::format("the op's tensor{} in this type and layout", name);
    case CandidateReason::kSeenConverted:
      return "a tensor of the log, in this type and layout";
    case CandidateReason::kPlausible:
      break;
  }
  return "by its size alone: dimensions that models have, no tensor of the text";
}

}  // namespace

std::string_view origin_name(const MemoryProfile& profile, const TensorCandidate& candidate) {
  return candidate.origin < profile.arguments.size()
             ? std::string_view(profile.arguments[candidate.origin].name)
             : std::string_view();
}

std::string candidate_text(const MemoryProfile& profile, const TensorCandidate& candidate, Names names) {
  std::string text = fmt::format("{} in {}", tensor_text(candidate.shape, candidate.dtype),
                                 candidate.tiled ? "tiles" : "rows");
  if (candidate.padding_factor >= 1.005)
    text += fmt::format(", padded {:.2f} times", candidate.padding_factor);
  text += fmt::format(": {}", reason_text(candidate, names));
  if (const std::string_view origin = origin_name(profile, candidate); !origin.empty())
    text += fmt::format(", made of {}", in_sentence(names, origin));
  return text;
}

namespace {

using ui::count_text;
using ui::counted;

constexpr std::size_t kNamed = 3;

std::string tensor_line(const ProfileView& view, std::uint32_t rank, std::uint32_t id) {
  const RankProfile& profile = view.rank_profile(rank);
  const Buffer& buffer = profile.buffers[id];
  return fmt::format("{} ({}, {})", in_sentence(view.names, buffer_label(view, rank, buffer)),
                     tensor_text(type_of(view.log, profile, buffer)), size_text(buffer.bytes_per_bank));
}

/// `last used at line 12, 41 ops before`, and how that is known.
std::string idle_text(const ProfileView& view, const FailureReport& report, const IdleTensor& idle) {
  const auto& ops = view.rank_log(report.rank).ops;
  std::string text;
  if (idle.last_op < ops.size())
    text =
        fmt::format(", {} at line {}, {} before",
                    view.rank_profile(report.rank).buffers[idle.buffer].last_used == 0 ? "made" : "last used",
                    count_text(ops[idle.last_op].line), counted(idle.idle_ops, "op"));
  if (idle.freed_by < ops.size())
    text += fmt::format(" (another run frees it at line {})", count_text(ops[idle.freed_by].line));
  if (idle.freed_line != 0)
    text += fmt::format(" (the compiled program frees it later, at line {})", count_text(idle.freed_line));
  if (idle.proof == IdleProof::kProgramEnded) text += " (its program had ended)";
  return text;
}

std::string run_text(const ProfileView& view, const FailureReport& report, std::uint32_t instance) {
  return fmt::format("run {} (line {})", view.rank_profile(report.rank).programs[instance].run + 1,
                     count_text(view.rank_log(report.rank).programs[instance].start_line));
}

}  // namespace

std::string_view holder_label(HolderKind kind) {
  switch (kind) {
    case HolderKind::kWeight:
      return "weights";
    case HolderKind::kConstEvalCopy:
      return "const-eval copies beside their weights";
    case HolderKind::kConstEval:
      return "other const-eval results";
    case HolderKind::kActivation:
      return "activations";
    case HolderKind::kInput:
      return "inputs";
    case HolderKind::kUnknown:
      return "tensors of unknown kind";
    case HolderKind::kUnaccounted:
      break;
  }
  return "unaccounted: in no tensor that the text names";
}

std::string freed_late_sum(const FailureReport& report) {
  const FreedLate& late = report.freed_late;
  if (late.tensors.empty()) return {};
  return fmt::format("{} per bank in {} that nothing used any more", size_text(late.bytes_per_bank),
                     counted(late.tensors.size(), "tensor"));
}

std::string freed_late_text(const ProfileView& view, const FailureReport& report) {
  const FreedLate& late = report.freed_late;
  if (late.tensors.empty()) return {};
  std::string text = freed_late_sum(report) + ": ";
  for (std::size_t i = 0; i < std::min(kNamed, late.tensors.size()); ++i) {
    if (i > 0) text += "; ";
    text += tensor_line(view, report.rank, late.tensors[i].buffer) + idle_text(view, report, late.tensors[i]);
  }
  if (late.tensors.size() > kNamed) text += fmt::format("; and {} more", late.tensors.size() - kNamed);
  return text;
}

std::string run_growth_text(const ProfileView& view, const FailureReport& report) {
  const RunGrowth& grew = report.grew;
  if (grew.runs == 0) return {};
  std::string text = fmt::format(
      "{} per bank from {} to {} of {}, in {} of {}", size_text(grew.bytes_per_bank()),
      run_text(view, report, grew.from_instance), run_text(view, report, grew.to_instance),
      in_sentence(view.names,
                  graph_label(view, view.rank_profile(report.rank).programs[grew.to_instance].graph)),
      count_text(grew.grown_runs), counted(grew.runs - 2, "step"));
  if (grew.left.empty()) return text + ": in no tensor that the text names";
  text += ": ";
  for (std::size_t i = 0; i < std::min(kNamed, grew.left.size()); ++i) {
    const LeakedTensors& left = grew.left[i];
    if (i > 0) text += ", ";
    text += fmt::format("{}{}", left.tensors > 1 ? count_text(left.tensors) + " x " : "",
                        tensor_line(view, report.rank, left.example));
  }
  if (grew.left.size() > kNamed) text += fmt::format(", and {} more", grew.left.size() - kNamed);
  return text;
}

namespace {

/// The name of the file is enough beside its figures; the whole path stands above them.
std::string cite(const OomLog& log, std::uint32_t line) {
  const std::string label = log_label(log);
  return fmt::format("{}:{}", label.substr(label.rfind('/') + 1), line);
}

std::string cited(const OomLog& log, const TensorCandidate& candidate, Names names) {
  const std::string text = candidate_text(log.profile.memory, candidate, names);
  return candidate.source_line == 0 ? text : fmt::format("{} ({})", text, cite(log, candidate.source_line));
}

void add_holders(const FailureReport& report, std::vector<OomItem>& items) {
  std::string label = "held by";
  for (const Holder& holder : report.holders) {
    std::string text = fmt::format("{} {}", size_text(holder.bytes_per_bank), holder_label(holder.kind));
    text +=
        fmt::format(" ({})", ui::percent_text(ui::ratio(holder.bytes_per_bank, report.held_bytes_per_bank)));
    if (holder.tensors > 0) text += fmt::format(", {}", ui::counted(holder.tensors, "tensor"));
    items.push_back({std::move(label), std::move(text)});
    label.clear();
  }
}

std::uint32_t line_of(const RankLog& rank, const Buffer& buffer) {
  if (buffer.producer_op < rank.ops.size()) return rank.ops[buffer.producer_op].line;
  return buffer.instance < rank.programs.size() ? rank.programs[buffer.instance].start_line : 0;
}

void add_largest(const ProfileView& view, const OomLog& log, const FailureReport& report, std::size_t rows,
                 std::vector<OomItem>& items) {
  const RankProfile& rank = view.rank_profile(report.rank);
  const std::size_t shown =
      rows == 0 ? report.live.buffers.size() : std::min(rows, report.live.buffers.size());
  std::string label = "largest";
  for (std::size_t i = 0; i < shown; ++i) {
    const Buffer& buffer = rank.buffers[report.live.buffers[i]];
    std::string text = fmt::format("{} {}, {}, {}", size_text(buffer.bytes_per_bank),
                                   in_sentence(view.names, buffer_label(view, report.rank, buffer)),
                                   tensor_text(type_of(view.log, rank, buffer)), name_of(buffer.kind));
    if (const std::uint32_t line = line_of(view.rank_log(report.rank), buffer); line != 0)
      text += fmt::format(" ({})", cite(log, line));
    items.push_back({std::move(label), std::move(text)});
    label.clear();
  }
}

void add_candidates(const ProfileView& view, const OomLog& log, const FailureReport& report, std::size_t rows,
                    std::vector<OomItem>& items) {
  const std::size_t shown = rows == 0 ? report.candidates.size() : std::min(rows, report.candidates.size());
  std::string label = "tensor";
  for (std::size_t i = 0; i < shown; ++i) {
    items.push_back({std::move(label), cited(log, report.candidates[i], view.names)});
    label.clear();
  }
}

void add_fixes(const ProfileView& view, const FailureReport& report, std::size_t rows,
               std::vector<OomItem>& items) {
  const std::size_t shown = rows == 0 ? report.fixes.size() : std::min(rows, report.fixes.size());
  std::string label = "what to do";
  for (std::size_t i = 0; i < shown; ++i) {
    const Fix& fix = report.fixes[i];
    const FixText text = fix_text(view, fix);
    const std::string saved = fix.saves_bytes_per_bank > 0
                                  ? fmt::format("saves {}, ", ui::size_text(fix.saves_bytes_per_bank))
                                  : std::string();
    items.push_back({std::move(label), fmt::format("{}: {}{}", text.what, saved, text.effect)});
    label.clear();
  }
}

std::string printed_text(const OomLog& log, const FailureReport& report) {
  constexpr std::size_t kMaxLines = 8;
  std::size_t times = 0;
  std::string lines;
  for (const FailureMessage& message : log.profile.log.ranks[report.rank].failure_messages) {
    if (message.failure != report.failure) continue;
    if (times++ < kMaxLines) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", message.printed.line);
  }
  if (times > kMaxLines) lines += ", ...";
  return times <= 1 ? "" : fmt::format("{} times: lines {}", ui::count_text(times), lines);
}

}  // namespace

std::string log_label(const OomLog& log) {
  const auto& files = log.profile.log.files;
  return files.empty() || files.front() == "-" ? "standard input" : files.front();
}

std::string fingerprint_text(std::uint64_t fingerprint) { return fmt::format("{:016x}", fingerprint); }

std::string oom_headline(const OomLog& log, const FailureReport& report, Names names) {
  const ProfileView view{log.profile.log, log.profile.memory, names};
  const OutOfMemory& failure = report.message(view.log);
  const FailureText words = describe_failure(view, report.rank, failure);
  return fmt::format("{} ({})", words.diagnosis, cite(log, failure.line));
}

std::vector<OomItem> oom_items(const OomLog& log, const FailureReport& report, std::size_t rows,
                               Names names) {
  const ProfileView view{log.profile.log, log.profile.memory, names};
  const OutOfMemory& failure = report.message(view.log);
  const FailureText words = describe_failure(view, report.rank, failure);
  std::vector<OomItem> items;
  items.push_back({"asked for", fmt::format("{} ({})", words.what, cite(log, failure.line))});
  if (!words.state.empty()) {
    const std::uint32_t line = report.bank.from_message ? failure.line : report.bank.block_line;
    items.push_back({"found", fmt::format("{} ({})", words.state, cite(log, line))});
  }
  if (failure.is_cut)
    items.push_back(
        {"cut", fmt::format("the text ends inside of a figure of the message, which is not believed ({})",
                            cite(log, failure.line))});
  items.push_back({"why", words.diagnosis});
  items.push_back({"during", words.where});
  add_candidates(view, log, report, rows, items);
  add_holders(report, items);
  add_largest(view, log, report, rows, items);
  if (std::string late = freed_late_text(view, report); !late.empty())
    items.push_back({"freed late", std::move(late)});
  if (std::string grew = run_growth_text(view, report); !grew.empty())
    items.push_back({"grew", std::move(grew)});
  add_fixes(view, report, rows, items);
  if (const std::string printed = printed_text(log, report); !printed.empty())
    items.push_back({"printed", printed});
  for (const std::string& warning : log.profile.log.warnings) items.push_back({"input", warning});
  items.push_back({"fingerprint", fingerprint_text(report.fingerprint)});
  return items;
}

namespace {

/// What followed may be what was looked for.
std::string cut_text(const OomLog& log) {
  const ProfileView view{log.profile.log, log.profile.memory};
  if (!view.log.warnings.empty()) return fmt::format("; {}", view.log.warnings.front());
  if (view.profile.verdict.outcome != Outcome::kCut) return {};
  return fmt::format("; {}", verdict_text(view).outcome);
}

}  // namespace

std::string crash_headline(const OomLog& log, const UnexplainedCrash& report, Names names) {
  const Crash& crash = log.profile.log.ranks[report.rank].crashes[report.crash];
  const std::string_view what =
      crash.kind == CrashKind::kKilled
          ? "killed from outside, as the kernel does when the host's memory ends (its log, dmesg, tells)"
          : "no failure of memory";
  return fmt::format("{}: {} ({})", what, in_sentence(names, crash.text), cite(log, crash.line));
}

std::string no_failure_text(const std::vector<OomLog>& logs) {
  std::uint64_t lines = 0;
  for (const OomLog& log : logs) {
    for (const std::uint64_t of_file : log.profile.log.file_lines) lines += of_file;
  }
  const std::string where =
      logs.size() == 1 ? log_label(logs.front()) : ui::counted(logs.size(), "text", "texts");
  std::string text = fmt::format("{}: no failure of memory found in {}", where, ui::counted(lines, "line"));
  for (const OomLog& log : logs) text += cut_text(log);
  return text;
}

}  // namespace ttscope::mem
