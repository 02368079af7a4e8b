#include "mem/write/verdict_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "mem/write/failure_text.h"
#include "mem/write/labels.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

/// `, in ttnn.matmul at line 12 (main, run 2 of 2)`; empty where no op was running.
std::string running_op_text(const ProfileView& view, const RunVerdict& verdict) {
  if (verdict.rank >= view.log.ranks.size() || verdict.op >= view.rank_log(verdict.rank).ops.size())
    return {};
  const OpPlace op = place_of(view, verdict.rank, verdict.op);
  return fmt::format("last op {} at line {}{}", in_sentence(view.names, op.name), ui::count_text(op.line),
                     op.program.empty() ? "" : fmt::format(" of {}", in_sentence(view.names, op.program)));
}

std::string rank_text(const ProfileView& view, const RunVerdict& verdict) {
  if (view.profile.ranks.size() < 2 || verdict.rank >= view.log.ranks.size()) return {};
  return rank_label(view.rank_log(verdict.rank)) + ": ";
}

std::string crashed_text(const ProfileView& view, const RunVerdict& verdict) {
  std::string text = fmt::format("crashed ({}) at line {}: {}", crash_name(verdict.crash),
                                 ui::count_text(verdict.line), in_sentence(view.names, verdict.crash_text));
  const std::string op = running_op_text(view, verdict);
  if (!op.empty()) text += fmt::format("; {}", op);
  return text;
}

std::string cut_text(const ProfileView& view, const RunVerdict& verdict, std::string_view how) {
  if (verdict.outcome_reason == OutcomeReason::kInputCut) {
    return fmt::format("{}: the input is not whole ({})", how,
                       view.log.warnings.empty() ? "damaged" : view.log.warnings.front());
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
      return fmt::format("out of memory at line {}", ui::count_text(verdict.line));
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
    text += fmt::format("{}{} of {} ({})", text.empty() ? "" : " and ", ui::size_text(room.bytes_per_bank),
                        name_of(room.memory),
                        ui::percent_text(ui::ratio(room.bytes_per_bank, room.capacity_bytes_per_bank)));
  }
  return text;
}

/// What is known all the same, where the fit is not.
std::string progress_text(const RunVerdict& verdict) {
  const std::string room = headroom_text(verdict);
  return room.empty() ? "" : fmt::format("; up to there {} of each bank were free", room);
}

/// Whether the modeled peak is above what a bank holds; without an allocator and a run it is no verdict.
std::string not_run_fit_text(const RunVerdict& verdict) {
  if (verdict.headroom.empty())
    return "fit unknown: nothing ran, and nothing tells how much a bank holds (--device says it)";
  std::string lacking;
  for (const Headroom& room : verdict.headroom) {
    if (room.bytes_per_bank < 0)
      lacking += fmt::format("{}{} of {}", lacking.empty() ? "" : " and ",
                             ui::size_text(-room.bytes_per_bank), name_of(room.memory));
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
      return "fit unknown: the run died before it had asked for all it needs" + progress_text(verdict);
    case FitReason::kCut:
      return "fit unknown: the log ends before the run" + progress_text(verdict);
    case FitReason::kRunning:
      return "fit unknown: the run goes on" + progress_text(verdict);
    case FitReason::kNoBankSize:
      return "fit unknown: the log does not tell how much a bank holds (--device says it)";
    case FitReason::kSkipped:
      return "fit unknown: too many memory lines could not be read";
    case FitReason::kFewStates:
      return "fit unknown: most ops have no memory lines, so what they took in between is not known";
    case FitReason::kNotRun:
      return not_run_fit_text(verdict);
    case FitReason::kModeled:
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
                         ui::count_text(verdict.skipped_memory_views),
                         ui::count_text(verdict.skipped_memory_views + verdict.memory_views));
    case TrustReason::kManyRepaired:
      return fmt::format("derived: {} had to be repaired, as where processes write into one log",
                         ui::counted(verdict.repaired, "record"));
    case TrustReason::kFewStates:
      return "derived: measured states are few, the rest is computed from tensor layouts";
    case TrustReason::kNotRun:
      return "modelled: computed from the layouts and deallocations of a compiled module, nothing ran";
    case TrustReason::kNoMemoryLines:
      break;
  }
  return "modelled: computed from tensor layouts and lifetimes, not measured";
}

std::string_view short_reason_text(FitReason reason) {
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

std::string short_fit_text(const RunVerdict& verdict) {
  if (verdict.fit == Fit::kNo) return "does not fit";
  if (verdict.fit == Fit::kUnknown)
    return fmt::format("fit unknown ({})", short_reason_text(verdict.fit_reason));
  if (verdict.headroom.empty()) return "fits: nothing in use";
  const Headroom& room = verdict.headroom.front();
  return fmt::format("fits: {} of {} free ({})", ui::size_text(room.bytes_per_bank), name_of(room.memory),
                     ui::percent_text(ui::ratio(room.bytes_per_bank, room.capacity_bytes_per_bank)));
}

}  // namespace

std::string verdict_line(const ProfileView& view) {
  const RunVerdict& verdict = view.profile.verdict;
  std::string text;
  if (verdict.outcome == Outcome::kCrashed) text = fmt::format("{}, ", crash_name(verdict.crash));
  if (verdict.failed()) text += fmt::format("line {}; ", ui::count_text(verdict.line));
  return text + fmt::format("{}; {}", short_fit_text(verdict), name_of(verdict.trust));
}

std::string_view outcome_label(const RunVerdict& verdict) {
  return verdict.outcome_reason == OutcomeReason::kNotRun ? "NOT RUN" : outcome_label(verdict.outcome);
}

std::string_view outcome_label(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kWords = {"END UNKNOWN", "FINISHED", "OUT OF MEMORY",
                                                      "CRASHED",     "CUT",      "RUNNING"};
  return kWords[static_cast<std::size_t>(outcome)];
}

std::string_view crash_name(CrashKind kind) {
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
                        ui::size_text(capacity));
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

namespace {

std::string place_text(const RuntimeLog& log, const Place& place) {
  if (log.files.size() < 2 || place.file >= log.files.size())
    return fmt::format("line {}", ui::count_text(place.line));
  return fmt::format("{}:{}", log.files[place.file], place.line);
}

std::string problem_text(const RuntimeLog& log, LogProblem problem) {
  std::string text =
      fmt::format("{}: {}", info_of(problem).sentence, ui::count_text(log.problems.count(problem)));
  const auto& places = log.problems.places(problem);
  if (!places.empty()) text += fmt::format(", first at {}", place_text(log, places.front()));
  return text;
}

std::string recognized_text(const RuntimeLog& log) {
  std::uint64_t lines = 0;
  for (const std::uint64_t file_lines : log.file_lines) lines += file_lines;
  std::uint64_t op_lines = 0;
  std::uint64_t blocks = 0;
  std::uint64_t programs = 0;
  for (const RankLog& rank : log.ranks) {
    for (const ExecutedOp& op : rank.ops) op_lines += op.text == kNone || log.is_from_modules() ? 0 : 1;
    blocks += rank.blocks.size();
    programs += rank.programs.size();
  }
  return fmt::format("{}, {}, {}, {}, {}", ui::counted(lines, "line"), ui::counted(op_lines, "op line"),
                     ui::counted(blocks, "memory block"), ui::counted(programs, "program run"),
                     ui::counted(log.modules.size(), "module dump"));
}

}  // namespace

TrustText trust_of(const ProfileView& view) {
  TrustText trust;
  trust.recognized = recognized_text(view.log);
  for (std::size_t i = 0; i < kLogProblemCount; ++i) {
    const LogProblem problem = static_cast<LogProblem>(i);
    if (view.log.problems.count(problem) == 0) continue;
    auto& list = info_of(problem).repaired ? trust.repaired : trust.skipped;
    list.push_back(problem_text(view.log, problem));
  }
  return trust;
}

std::string trust_headline(const ProfileView& view) {
  std::uint64_t repaired = 0;
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < kLogProblemCount; ++i) {
    const LogProblem problem = static_cast<LogProblem>(i);
    (info_of(problem).repaired ? repaired : skipped) += view.log.problems.count(problem);
  }
  const Confidence confidence =
      view.rank_profile(view.profile.main_rank).peaks[index_of(Memory::kDram)].confidence;
  // What is printed is not the peak where most of what was printed could not be read: as the verdict says.
  const std::string_view source =
      confidence == Confidence::kNone ? "unknown" : name_of(view.profile.verdict.trust);
  return fmt::format("DRAM peak is {}; repaired {}, skipped {}, missing {}", source, ui::count_text(repaired),
                     ui::count_text(skipped), view.profile.missing.size());
}

namespace {

std::string_view memory_label(const Finding& finding) {
  return finding.memory ? name_of(*finding.memory) : std::string_view("memory");
}

std::string failed_bank_text(const FailedBank& bank) {
  switch (bank.cause) {
    case FailureCause::kNeverFits:
      return fmt::format("more than a bank of {} holds", ui::size_text(bank.size_bytes));
    case FailureCause::kExhausted:
      return fmt::format("{} free", ui::size_text(bank.free_bytes));
    case FailureCause::kFragmented:
      return fmt::format("{} free but the largest block has {}: fragmented", ui::size_text(bank.free_bytes),
                         ui::size_text(bank.largest_free_bytes));
    case FailureCause::kRegionAbsent:
      return "the region does not exist (its size is 0)";
    case FailureCause::kUnknown:
      break;
  }
  return bank.free_bytes < 0 ? "the log does not say how much was free"
                             : "though there was room before the op";
}

bool is_allocation(FailureVerdict verdict) { return verdict <= FailureVerdict::kRegionMissing; }

std::string peak_text(const Finding& finding) {
  const std::string_view advice = finding.severity == Severity::kOk ? ""
                                  : finding.memory == Memory::kDram
                                      ? ": at risk of running out of memory"
                                      : ": ops may spill to DRAM or clash with circular buffers";
  return fmt::format("{} peak is {:.1f}% of capacity{}", memory_label(finding),
                     100 * finding.fraction.value_or(0), advice);
}

/// How the run ended and how well its log could be read.
std::string run_finding_text(const Finding& finding) {
  switch (finding.cause) {
    case FindingCause::kCrashed:
      return fmt::format("the run crashed, {} (line {}): {}", crash_name(finding.crash), finding.message_line,
                         finding.text);
    case FindingCause::kCut:
      return "the log ends before the run: what came after it is not known";
    case FindingCause::kRunning:
      return "the log is still being written";
    case FindingCause::kSkipped:
      return fmt::format("{} could not be read: the figures lack what they say",
                         ui::counted(finding.records, "memory line"));
    default:
      return fmt::format("{} had to be repaired: take the figures with care",
                         ui::counted(finding.records, "record"));
  }
}

std::string plain_note_text(MemoryNoteKind kind) {
  switch (kind) {
    case MemoryNoteKind::kPeaksPrinted:
      return "peaks are the highest printed state over every block; figures are per bank, rounded to 0.001 "
             "MB (MB is 1,048,576 bytes, as in the log)";
    case MemoryNoteKind::kLastOpModeled:
      return "a block shows the state before its op, so what the last op did is modelled, not measured";
    case MemoryNoteKind::kLastOpUnknown:
      return "a block shows the state before its op, so what the last op did is not known";
    case MemoryNoteKind::kAllModeled:
      return "no memory lines: every figure is modelled from tensor layouts and lifetimes";
    case MemoryNoteKind::kTemporaries:
      return "temporaries that an op makes and frees within itself are not in these logs";
    case MemoryNoteKind::kL1TensorsOnly:
      return "L1 counts tensors only: circular buffers and kernels are not in these logs";
    case MemoryNoteKind::kDeviceAssumed:
      return "the log does not name the device: 12 DRAM banks and 64 L1 banks (Wormhole) are assumed";
    default:
      return {};
  }
}

/// Of a profile that was made from a compiled module.
std::string module_note_text(MemoryNoteKind kind) {
  switch (kind) {
    case MemoryNoteKind::kFromModule:
      return "made from a compiled module: every program in it runs once, in the order of the text, on a "
             "device that "
             "holds nothing else; const-eval functions run where their results are first asked for";
    case MemoryNoteKind::kModuleArguments:
      return "all arguments of a program are on the device from its start; they stay when it deallocates "
             "them, as "
             "their owner keeps them (modules of before October 2025: they are freed)";
    case MemoryNoteKind::kModuleLeavesOut:
      return "left out, as no module tells: circular buffers, kernels and their binaries, temporaries that "
             "an op makes "
             "and frees within itself, what the runtime allocates for itself";
    case MemoryNoteKind::kModuleDevice:
      return "the module does not name the device: 12 DRAM banks and 64 L1 banks (Wormhole) are assumed; "
             "--device "
             "says another";
    default:
      return {};
  }
}

/// Of a profile that was made from the files of a run.
std::string files_note_text(MemoryNoteKind kind) {
  switch (kind) {
    case MemoryNoteKind::kFromFiles:
      return "made from the files of a run, not from its log: states are those before recorded ops, so a "
             "peak between an op and the deallocates after it can be higher than shown";
    case MemoryNoteKind::kFilesAllModeled:
      return "the log had no memory lines: every figure is modelled from tensor layouts and lifetimes";
    case MemoryNoteKind::kFilesRounded:
      return "figures are per bank, rounded to 0.001 MB (MB is 1,048,576 bytes, as in the log)";
    case MemoryNoteKind::kFilesGrowth:
      return "the growth of an op is the change until the next recorded op: what deallocates freed in "
             "between is part of it";
    case MemoryNoteKind::kFilesPadding:
      return "padding over time is as the tool that wrote the files counted it: tensors of different "
             "programs with the same name are taken for one";
    case MemoryNoteKind::kFilesL1TensorsOnly:
      return "L1 counts tensors only: circular buffers and kernels are not in these files";
    default:
      return {};
  }
}

}  // namespace

std::string finding_text(const Finding& finding) {
  switch (finding.cause) {
    case FindingCause::kOutOfMemory:
      if (!is_allocation(finding.bank.verdict))
        return fmt::format("{} (line {})", other_failure_text(finding.bank), finding.message_line);
      return fmt::format("out of memory: {} of {} per bank asked for, {} (line {})",
                         finding.bytes_per_bank ? ui::size_text(*finding.bytes_per_bank) : "some",
                         memory_label(finding), failed_bank_text(finding.bank), finding.message_line);
    case FindingCause::kPeak:
      return peak_text(finding);
    case FindingCause::kPeakWithoutCapacity:
      return fmt::format("{} peak is {} per bank ({}); the log does not tell how much a bank holds",
                         memory_label(finding), ui::size_text(finding.bytes_per_bank.value_or(0)),
                         name_of(finding.confidence));
    case FindingCause::kPadding:
      return fmt::format("tile padding adds {:.0f}% to the tensors live at the DRAM peak: {} of each bank",
                         100 * finding.fraction.value_or(0),
                         ui::size_text(finding.bytes_per_bank.value_or(0)));
    case FindingCause::kWouldRunOut:
      return fmt::format("by the model {} runs out {} line {}: {} of each bank are needed and it holds {}",
                         memory_label(finding),
                         finding.at_start ? "with the arguments of the program, before" : "at",
                         finding.message_line, ui::size_text(finding.bytes_per_bank.value_or(0)),
                         ui::size_text(finding.capacity_bytes_per_bank.value_or(0)));
    case FindingCause::kModuleCut:
      return "the module is cut: what stands behind its last line is not in the figures";
    case FindingCause::kCrashed:
    case FindingCause::kCut:
    case FindingCause::kRunning:
    case FindingCause::kSkipped:
    case FindingCause::kRepaired:
      return run_finding_text(finding);
    case FindingCause::kNothingInUse:
      break;
  }
  return "no tensor memory is in use";
}

std::string missing_text(const MissingInput& missing) {
  constexpr std::string_view kMemoryLines =
      ": build with TT_RUNTIME_DEBUG=ON and set TT_RUNTIME_MEMORY_LOG_LEVEL=operation";
  switch (missing.part) {
    case MissingPart::kOpLines:
      return "op lines (\"Executing operation:\"): build the runtime with TT_RUNTIME_DEBUG=ON and set "
             "TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG; without them tensors, programs and locations are not known";
    case MissingPart::kMemoryLines:
      return fmt::format("memory lines (\"Device ... memory state\"){}", kMemoryLines);
    case MissingPart::kMemoryLinesBeforeOps:
      return fmt::format("memory lines before each op (only program level is there){}", kMemoryLines);
    case MissingPart::kModules:
      return "module dumps (\"MLIR Module ttnn:\"): set TTXLA_LOGGER_LEVEL=DEBUG and capture standard error "
             "too; without them weights and inputs have no names and kinds";
    case MissingPart::kFile:
      return missing.file + ": not in the folder";
    case MissingPart::kWholeLog:
      return "the log around the messages: with it the op, its tensors and what held the memory are named";
    case MissingPart::kOpLinesOfModules:
      return "op lines (\"Executing operation:\"): build the runtime with TT_RUNTIME_DEBUG=ON and set "
             "TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG; what ran is taken from the modules that the log holds";
    case MissingPart::kRun:
      return "a run: nothing here is measured; the log of a run (`ttscope run` sets what it needs) tells "
             "what the "
             "device did";
    case MissingPart::kDeallocations:
      break;
  }
  return "deallocations: the files of a run do not record them, so which tensors are live is not known; "
         "ttscope mem LOG --html PAGE shows it";
}

std::string note_text(const MemoryNote& note) {
  if (note.kind == MemoryNoteKind::kReaderWarning) return note.text;
  std::string text = plain_note_text(note.kind);
  if (text.empty()) text = module_note_text(note.kind);
  return text.empty() ? files_note_text(note.kind) : text;
}

std::vector<std::string> missing_texts(const MemoryProfile& profile) {
  std::vector<std::string> texts;
  std::transform(profile.missing.begin(), profile.missing.end(), std::back_inserter(texts), missing_text);
  return texts;
}

std::vector<std::string> note_texts(const MemoryProfile& profile) {
  std::vector<std::string> texts;
  std::transform(profile.notes.begin(), profile.notes.end(), std::back_inserter(texts), note_text);
  return texts;
}

namespace {

constexpr std::size_t kTensorsNamed = 2;

std::string region_fix_text(const Fix& fix) {
  const std::string_view setting =
      fix.memory == Memory::kTrace
          ? "TT_RUNTIME_TRACE_REGION_SIZE, or trace_region_size when the device is opened"
          : "l1_small_size when the device is opened";
  if (fix.amount == 0) return fmt::format("make the {} region larger ({})", name_of(fix.memory), setting);
  return fmt::format("make the {} region larger: at least {} in {} ({})", name_of(fix.memory),
                     ui::size_text(fix.amount), fix.amount_is_total ? "all banks together" : "each bank",
                     setting);
}

std::string hold_less_text(const Fix& fix) {
  const std::string_view ways =
      fix.memory == Memory::kL1
          ? "shards on more cores, a tensor moved to DRAM, smaller blocks or a smaller batch, earlier "
            "deallocation"
          : "weights in bfp8, a smaller batch or sequence, earlier deallocation, more chips";
  const std::string_view memory = name_of(fix.memory);
  if (fix.amount == 0) return fmt::format("hold less in {} when it is asked for ({})", memory, ways);
  const std::string amount = ui::size_text(fix.amount);
  if (fix.against == FailureVerdict::kFragmented)
    return fmt::format("free {} more beside the largest free block of {}, or have less come and go ({})",
                       amount, memory, ways);
  return fmt::format("hold at least {} less in each bank of {} when it is asked for ({})", amount, memory,
                     ways);
}

std::string smaller_tensor_text(const Fix& fix) {
  const double times = ui::ratio(fix.peak_before_bytes_per_bank, fix.peak_after_bytes_per_bank);
  return fmt::format(
      "make the tensor at least {:.1f} times smaller, or spread it over more banks: another shape or batch, "
      "a "
      "smaller element type, shards on more cores, more chips",
      std::ceil(times * 10) / 10);
}

std::string what_to_do(const Fix& fix) {
  const std::string tensors = ui::counted(fix.tensors, "tensor");
  switch (fix.kind) {
    case FixKind::kFreeCopiedOriginals:
      return fmt::format("free the originals of {} once const-eval has made its copies",
                         ui::counted(fix.tensors, "weight"));
    case FixKind::kBfp8Weights:
      return fmt::format("store {} in bfp8 (check the accuracy)",
                         ui::counted(fix.tensors, "weight matrix", "weight matrices"));
    case FixKind::kBfp4Weights:
      return fmt::format("store {} in bfp4 (check the accuracy)",
                         ui::counted(fix.tensors, "weight matrix", "weight matrices"));
    case FixKind::kLessPadding:
      return fmt::format("reshape {} or make them row-major: tiles pad them to 4 times their size and more",
                         tensors);
    case FixKind::kSharedPages:
      if (fix.memory == Memory::kL1) {
        return fmt::format(
            "spread {} over more cores or move to DRAM: what a shard takes on one core is taken on all",
            tensors);
      }
      return fmt::format(
          "join or drop {} that take a whole page in every bank although they fill only some of them",
          tensors);
    case FixKind::kDeallocateEarlier:
      return fmt::format("deallocate {} right after their last use", ui::counted(fix.tensors, "activation"));
    case FixKind::kInputsOnHost:
      return fmt::format("keep {} on the host until they are used, and free them after",
                         ui::counted(fix.tensors, "input"));
    case FixKind::kSmallerBatch:
      return fmt::format("halve the batch ({} to {})", fix.amount, fix.amount - fix.amount / 2);
    case FixKind::kShorterSequence:
      return fmt::format("halve the sequence ({} to {})", fix.amount, fix.amount - fix.amount / 2);
    case FixKind::kMoreDevices:
      return fmt::format("spread weights and caches over twice as many chips ({})", tensors);
    case FixKind::kSmallerCircularBuffers:
      return fmt::format(
          "make the circular buffers of the op {}smaller on every core (smaller blocks, fewer buffers, "
          "inputs in bfp8, more cores)",
          fix.amount == 0 ? "" : fmt::format("at least {} ", ui::size_text(fix.amount)));
    case FixKind::kHoldLess:
      return hold_less_text(fix);
    case FixKind::kSmallerTensor:
      return smaller_tensor_text(fix);
    case FixKind::kSmallerProgram:
      return "make the kernels of the op smaller (fewer compile-time variants, fewer arguments), or split "
             "the op";
    case FixKind::kLessOnHost:
      return "give the host more memory, or have it hold less at once: fewer processes, weights loaded piece "
             "by "
             "piece, a smaller batch";
    case FixKind::kLargerRegion:
      break;
  }
  return region_fix_text(fix);
}

/// Of what is no replay.
std::string plain_effect(const Fix& fix) {
  const std::string amount = ui::size_text(fix.amount);
  switch (fix.kind) {
    case FixKind::kHoldLess:
      return fix.amount == 0
                 ? "the text does not tell how much"
                 : "that is what the message says is missing; the log of the run tells which tensors";
    case FixKind::kSmallerTensor:
      return fmt::format("it takes {} of a bank that holds {}", ui::size_text(fix.peak_before_bytes_per_bank),
                         ui::size_text(fix.peak_after_bytes_per_bank));
    case FixKind::kSmallerProgram:
      return fix.amount == 0 ? "the text does not tell by how much" : fmt::format("{} are too much", amount);
    case FixKind::kLessOnHost:
      return fix.amount == 0 ? "the text does not tell how much" : fmt::format("{} were asked for", amount);
    default:
      return {};
  }
}

std::string effect_of(const Fix& fix) {
  if (std::string plain = plain_effect(fix); !plain.empty()) return plain;
  if (fix.kind == FixKind::kLargerRegion) {
    return fix.amount == 0       ? "the text does not tell how much"
           : fix.amount_is_total ? "that is what the trace buffers ask for"
                                 : "that is what the failed allocation asks for";
  }
  if (fix.kind == FixKind::kSmallerCircularBuffers) {
    if (fix.amount == 0) return "the text does not tell by how much";
    return fmt::format("they may end at {}, and end at {}", ui::size_text(fix.peak_after_bytes_per_bank),
                       ui::size_text(fix.peak_before_bytes_per_bank));
  }
  const bool of_one_op = fix.against == FailureVerdict::kBuffersClash;
  const std::string after = ui::size_text(fix.peak_after_bytes_per_bank);
  std::string text = of_one_op
                         ? fmt::format("{} then holds {} per bank at the op", name_of(fix.memory), after)
                         : fmt::format("the {} peak becomes {} per bank", name_of(fix.memory), after);
  if (fix.maybe_in_pieces) text += ", enough if that is in one piece";
  if (fix.enough) text += *fix.enough ? ", enough up to there" : ", not enough alone";
  return text;
}

}  // namespace

FixText fix_text(const ProfileView& view, const Fix& fix) {
  FixText text{what_to_do(fix), effect_of(fix), {}};
  if (fix.rank >= view.profile.ranks.size()) return text;
  const RankProfile& rank = view.rank_profile(fix.rank);
  for (std::size_t i = 0; i < std::min(fix.largest.size(), kTensorsNamed); ++i) {
    const Buffer& buffer = rank.buffers[fix.largest[i]];
    text.evidence +=
        fmt::format("{}{} ({}, {})", text.evidence.empty() ? "" : ", ",
                    in_sentence(view.names, buffer_label(view, fix.rank, buffer)),
                    tensor_text(type_of(view.log, rank, buffer)), ui::size_text(buffer.bytes_per_bank));
  }
  return text;
}

namespace {

std::string peak_maker_text(const Profile& profile, const PeakOverLimit& over) {
  if (over.peak.op >= profile.log.ranks[over.rank].ops.size()) return {};
  const OpPlace op = place_of({profile.log, profile.memory}, over.rank, over.peak.op);
  if (over.peak.at_program_start)
    return fmt::format(", at program start of {} (before line {})", op.program, op.line);
  return fmt::format(", made by {} at line {}", op.name, op.line);
}

}  // namespace

std::string limit_text(const Profile& profile, const PeakOverLimit& over, std::string_view asked) {
  if (over.failed) {
    return fmt::format("limit exceeded: {}, which is over any limit ({})",
                       verdict_text({profile.log, profile.memory}).outcome, asked);
  }
  const std::int64_t bytes = over.peak.bytes_per_bank;
  const std::int64_t capacity = over.capacity_bytes_per_bank;
  const std::string share =
      capacity == 0 ? "" : fmt::format(" ({})", ui::percent_text(ui::ratio(bytes, capacity)));
  return fmt::format("limit exceeded: {} peak of {} per bank{} is over {}{}", name_of(over.memory),
                     ui::size_text(bytes), share, asked, peak_maker_text(profile, over));
}

std::string other_device_text(const Profile& profile) {
  for (const RankProfile& rank : profile.memory.ranks) {
    if (rank.device.contradicts.empty()) continue;
    return fmt::format("--device {}: the log tells of another chip, whose figures are used ({} DRAM banks)",
                       rank.device.contradicts, rank.device.banks[index_of(Memory::kDram)]);
  }
  return {};
}

namespace {

std::string difference_text(const SeveralLogs& logs) {
  using Difference = SeveralLogs::Difference;
  switch (logs.difference) {
    case Difference::kSameRank:
      return fmt::format("both have lines of `{}`", logs.detail);
    case Difference::kOtherDevice:
      return "their devices are not alike";
    case Difference::kOtherOps:
      return fmt::format("`{}` has other ops in one than in the other", logs.detail);
    case Difference::kNames:
      return fmt::format("their names say {}", logs.detail);
    case Difference::kNone:
      break;
  }
  return {};
}

}  // namespace

std::string several_logs_text(const SeveralLogs& logs) {
  if (logs.files.size() < 2) return {};
  constexpr std::size_t kShown = 4;
  std::string text = fmt::format("{} logs are taken as ranks of one run: ", logs.files.size());
  for (std::size_t i = 0; i < logs.files.size() && i < kShown; ++i) {
    const SeveralLogs::File& file = logs.files[i];
    text += i == 0 ? "" : ", ";
    if (file.ranks.empty()) {
      text += fmt::format("{} has none", file.path);
    } else {
      text += fmt::format("{} is rank{} {}", file.path, file.ranks.size() == 1 ? "" : "s",
                          fmt::join(file.ranks, ", "));
    }
  }
  if (logs.files.size() > kShown) text += ", ...";
  const std::string command = logs.files.size() == 2 ? fmt::format("`ttscope diff {} {}` compares two runs",
                                                                   logs.files[0].path, logs.files[1].path)
                                                     : "`ttscope diff` compares two runs";
  const std::string difference = difference_text(logs);
  if (difference.empty()) return fmt::format("{} ({})", text, command);
  return fmt::format("{}\nthey look like two runs, because {}: {}", text, difference, command);
}

}  // namespace ttscope::mem
