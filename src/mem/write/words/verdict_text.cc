#include "mem/write/words/verdict_text.h"

#include <fmt/format.h>

#include <array>

#include "report/number_text.h"

namespace ttscope::mem {
namespace {

/// `, in ttnn.matmul at line 12 (main, run 2 of 2)`; empty where no op was running.
std::string running_op_text(const ProfileView& view, const RunVerdict& verdict) {
  if (verdict.rank >= view.trace.ranks.size() || verdict.op >= view.rank_trace(verdict.rank).ops.size())
    return {};
  const OpPlace op = place_of(view, verdict.rank, verdict.op);
  return fmt::format("last op {} at line {}{}", in_sentence(view.names, op.name), report::count_text(op.line),
                     op.program.empty() ? "" : fmt::format(" of {}", in_sentence(view.names, op.program)));
}

std::string rank_text(const ProfileView& view, const RunVerdict& verdict) {
  if (view.profile.ranks.size() < 2 || verdict.rank >= view.trace.ranks.size()) return {};
  return rank_label(view.rank_trace(verdict.rank)) + ": ";
}

std::string crashed_text(const ProfileView& view, const RunVerdict& verdict) {
  std::string text =
      fmt::format("crashed ({}) at line {}: {}", crash_word(verdict.crash), report::count_text(verdict.line),
                  in_sentence(view.names, verdict.crash_text));
  const std::string op = running_op_text(view, verdict);
  if (!op.empty()) text += fmt::format("; {}", op);
  return text;
}

std::string cut_text(const ProfileView& view, const RunVerdict& verdict, std::string_view how) {
  if (verdict.outcome_reason == OutcomeReason::kInputCut) {
    return fmt::format("{}: the input is not whole ({})", how,
                       view.trace.warnings.empty() ? "damaged" : view.trace.warnings.front());
  }
  std::string text =
      fmt::format("{}: the log ends inside {}", how,
                  in_sentence(view.names, instance_label(view, verdict.rank, verdict.program)));
  const std::string op = running_op_text(view, verdict);
  if (!op.empty()) text += fmt::format("; {}", op);
  return text;
}

std::string unknown_end_text(const ProfileView& view, const RunVerdict& verdict) {
  switch (verdict.outcome_reason) {
    case OutcomeReason::kEarlierLeftOpen:
      return fmt::format("how it ended is not known: {} has no end, though other programs follow",
                         in_sentence(view.names, instance_label(view, verdict.rank, verdict.program)));
    case OutcomeReason::kNotRun:
      return "nothing ran: this is what a compiled module would do";
    case OutcomeReason::kFromFiles:
      return "how it ended is not known: the files of a run do not tell";
    default:
      return "how it ended is not known: the log has no lines of programs that start and finish";
  }
}

std::string outcome_text(const ProfileView& view, const RunVerdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::kFinished:
      return "finished: every program that started came to its end";
    case Outcome::kOutOfMemory:
      return fmt::format("out of memory at line {}", report::count_text(verdict.line));
    case Outcome::kCrashed:
      return crashed_text(view, verdict);
    case Outcome::kCut:
      return cut_text(view, verdict, "cut");
    case Outcome::kRunning:
      return cut_text(view, verdict, "still running");
    case Outcome::kUnknown:
      break;
  }
  return unknown_end_text(view, verdict);
}

/// `412.10 MB of DRAM (40.4%) and 0.90 MB of L1 (70.9%)`; empty where nothing is in use.
std::string headroom_text(const RunVerdict& verdict) {
  std::string text;
  for (const Headroom& room : verdict.headroom) {
    text +=
        fmt::format("{}{} of {} ({})", text.empty() ? "" : " and ", report::size_text(room.bytes_per_bank),
                    name_of(room.memory),
                    report::percent_text(report::ratio(room.bytes_per_bank, room.capacity_bytes_per_bank)));
  }
  return text;
}

/// What is known all the same, where the fit is not.
std::string so_far(const RunVerdict& verdict) {
  const std::string room = headroom_text(verdict);
  return room.empty() ? "" : fmt::format("; up to there {} of each bank were free", room);
}

/// Whether the modelled peak is above what a bank holds; without an allocator and a run it is no verdict.
std::string not_run_fit_text(const RunVerdict& verdict) {
  if (verdict.headroom.empty())
    return "fit unknown: nothing ran, and nothing tells how much a bank holds (--device says it)";
  std::string lacking;
  for (const Headroom& room : verdict.headroom) {
    if (room.bytes_per_bank < 0)
      lacking += fmt::format("{}{} of {}", lacking.empty() ? "" : " and ",
                             report::size_text(-room.bytes_per_bank), name_of(room.memory));
  }
  if (!lacking.empty())
    return fmt::format("fit unknown: nothing ran; by the model each bank lacks {}", lacking);
  return fmt::format("fit unknown: nothing ran; by the model {} of each bank are free",
                     headroom_text(verdict));
}

std::string fit_text(const RunVerdict& verdict) {
  const std::string room = headroom_text(verdict);
  switch (verdict.fit_reason) {
    case FitReason::kMeasured:
      return room.empty() ? "fits: no tensor memory is in use"
                          : fmt::format("fits: {} of each bank were never used", room);
    case FitReason::kAllocationFailed:
      return "does not fit: an allocation failed";
    case FitReason::kCrashed:
      return "fit unknown: the run died before it had asked for all it needs" + so_far(verdict);
    case FitReason::kCut:
      return "fit unknown: the log ends before the run" + so_far(verdict);
    case FitReason::kRunning:
      return "fit unknown: the run goes on" + so_far(verdict);
    case FitReason::kNoBankSize:
      return "fit unknown: the log does not tell how much a bank holds (--device says it)";
    case FitReason::kSkipped:
      return "fit unknown: too many memory lines could not be read";
    case FitReason::kFewStates:
      return "fit unknown: most ops have no memory lines, so what they took in between is not known";
    case FitReason::kNotRun:
      return not_run_fit_text(verdict);
    case FitReason::kModelled:
      break;
  }
  if (verdict.headroom.empty())
    return "fit unknown: no memory lines, and the log does not tell how much a bank holds";
  return fmt::format("fit unknown: no memory lines; by the model {} of each bank are free", room);
}

std::string trust_text(const RunVerdict& verdict) {
  switch (verdict.trust_reason) {
    case TrustReason::kPrinted:
      return "measured: as the runtime printed it";
    case TrustReason::kManySkipped:
      return fmt::format("{}: {} of {} memory lines could not be read", name_of(verdict.trust),
                         report::count_text(verdict.skipped_memory_views),
                         report::count_text(verdict.skipped_memory_views + verdict.memory_views));
    case TrustReason::kManyRepaired:
      return fmt::format("derived: {} had to be repaired, as where processes write into one log",
                         report::counted(verdict.repaired, "record"));
    case TrustReason::kFewStates:
      return "derived: measured states are few, the rest is computed from tensor layouts";
    case TrustReason::kNotRun:
      return "modelled: computed from the layouts and deallocations of a compiled module, nothing ran";
    case TrustReason::kNoMemoryLines:
      break;
  }
  return "modelled: computed from tensor layouts and lifetimes, not measured";
}

std::string_view short_reason(FitReason reason) {
  constexpr std::array<std::string_view, 10> kReasons = {"",
                                                         "",
                                                         "the run died",
                                                         "the log is cut",
                                                         "it goes on",
                                                         "no memory lines",
                                                         "bank size not known",
                                                         "memory lines unreadable",
                                                         "few memory lines",
                                                         "nothing ran"};
  return kReasons[static_cast<std::size_t>(reason)];
}

std::string short_fit(const RunVerdict& verdict) {
  if (verdict.fit == Fit::kNo) return "does not fit";
  if (verdict.fit == Fit::kUnknown) return fmt::format("fit unknown ({})", short_reason(verdict.fit_reason));
  if (verdict.headroom.empty()) return "fits: nothing in use";
  const Headroom& room = verdict.headroom.front();
  return fmt::format("fits: {} of {} free ({})", report::size_text(room.bytes_per_bank), name_of(room.memory),
                     report::percent_text(report::ratio(room.bytes_per_bank, room.capacity_bytes_per_bank)));
}

}  // namespace

std::string verdict_line(const ProfileView& view) {
  const RunVerdict& verdict = view.profile.verdict;
  std::string text;
  if (verdict.outcome == Outcome::kCrashed) text = fmt::format("{}, ", crash_word(verdict.crash));
  if (verdict.failed()) text += fmt::format("line {}; ", report::count_text(verdict.line));
  return text + fmt::format("{}; {}", short_fit(verdict), name_of(verdict.trust));
}

std::string_view outcome_word(const RunVerdict& verdict) {
  return verdict.outcome_reason == OutcomeReason::kNotRun ? "NOT RUN" : outcome_word(verdict.outcome);
}

std::string_view outcome_word(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kWords = {"END UNKNOWN", "FINISHED", "OUT OF MEMORY",
                                                      "CRASHED",     "CUT",      "RUNNING"};
  return kWords[static_cast<std::size_t>(outcome)];
}

std::string_view crash_word(CrashKind kind) {
  constexpr std::array<std::string_view, kCrashKindCount> kWords = {
      "fatal error",  "exception", "assertion",           "segmentation fault",
      "aborted",      "killed",    "host memory ran out", "device timeout",
      "Python error", "bus error", "terminated",          "reported as failed"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string device_text(const DeviceFacts& device) {
  std::string text = device.arch.empty() ? "unknown chip" : device.arch;
  text[0] = static_cast<char>(text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0]);
  std::string_view separator = ": ";
  for (const Memory memory : kMemories) {
    const std::int64_t capacity = device.capacity_bytes_per_bank[index_of(memory)];
    if (capacity == 0) continue;
    text += fmt::format("{}{} {} x {}", separator, name_of(memory), device.banks[index_of(memory)],
                        report::size_text(capacity));
    separator = ", ";
  }
  if (device.source == FactSource::kSystemDescription) {
    text += device.has_message_sizes ? " (from a module dump; sizes as the message of a failure says them)"
                                     : " (from a module dump)";
  }
  if (device.source == FactSource::kFailureMessage) text += " (from the message of a failure)";
  if (device.source == FactSource::kGiven) text += " (as --device says)";
  if (device.source == FactSource::kAssumed) text += " (assumed: no line of the log tells)";
  if (!device.contradicts.empty())
    text += fmt::format("; not a {}, which --device names", device.contradicts);
  if (device.chips > 1) {
    text += fmt::format("; figures are of one chip of {}{}", device.chips,
                        device.mesh.empty() ? "" : fmt::format(" (mesh {})", device.mesh));
  }
  return text;
}

VerdictText verdict_text(const ProfileView& view) {
  const RunVerdict& verdict = view.profile.verdict;
  return {rank_text(view, verdict) + outcome_text(view, verdict), fit_text(verdict), trust_text(verdict)};
}

}  // namespace ttscope::mem
