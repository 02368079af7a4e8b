#include "mem/write/words/finding_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "mem/write/words/failure_text.h"
#include "mem/write/words/verdict_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

std::string_view memory_word(const Finding& finding) {
  return finding.memory ? name_of(*finding.memory) : std::string_view("memory");
}

std::string failed_bank_text(const FailedBank& bank) {
  switch (bank.cause) {
    case FailureCause::kNeverFits:
      return fmt::format("more than a bank of {} holds", report::size_text(bank.size_bytes));
    case FailureCause::kExhausted:
      return fmt::format("{} free", report::size_text(bank.free_bytes));
    case FailureCause::kFragmented:
      return fmt::format("{} free but the largest block has {}: fragmented",
                         report::size_text(bank.free_bytes), report::size_text(bank.largest_free_bytes));
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
  return fmt::format("{} peak is {:.1f}% of capacity{}", memory_word(finding),
                     100 * finding.fraction.value_or(0), advice);
}

/// How the run ended and how well its log could be read.
std::string run_finding_text(const Finding& finding) {
  switch (finding.cause) {
    case FindingCause::kCrashed:
      return fmt::format("the run crashed, {} (line {}): {}", crash_word(finding.crash), finding.message_line,
                         finding.text);
    case FindingCause::kCut:
      return "the log ends before the run: what came after it is not known";
    case FindingCause::kRunning:
      return "the log is still being written";
    case FindingCause::kSkipped:
      return fmt::format("{} could not be read: the figures lack what they say",
                         report::counted(finding.records, "memory line"));
    default:
      return fmt::format("{} had to be repaired: take the figures with care",
                         report::counted(finding.records, "record"));
  }
}

std::string plain_note_text(MemoryNoteKind kind) {
  switch (kind) {
    case MemoryNoteKind::kPeaksPrinted:
      return "peaks are the highest printed state over every block; figures are per bank, rounded to 0.001 "
             "MB (MB is 1,048,576 bytes, as in the log)";
    case MemoryNoteKind::kLastOpModelled:
      return "a block shows the state before its op, so what the last op did is modelled, not measured";
    case MemoryNoteKind::kLastOpUnknown:
      return "a block shows the state before its op, so what the last op did is not known";
    case MemoryNoteKind::kAllModelled:
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
    case MemoryNoteKind::kFilesAllModelled:
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
                         finding.bytes_per_bank ? report::size_text(*finding.bytes_per_bank) : "some",
                         memory_word(finding), failed_bank_text(finding.bank), finding.message_line);
    case FindingCause::kPeak:
      return peak_text(finding);
    case FindingCause::kPeakWithoutCapacity:
      return fmt::format("{} peak is {} per bank ({}); the log does not tell how much a bank holds",
                         memory_word(finding), report::size_text(finding.bytes_per_bank.value_or(0)),
                         name_of(finding.confidence));
    case FindingCause::kPadding:
      return fmt::format("tile padding adds {:.0f}% to the tensors live at the DRAM peak: {} of each bank",
                         100 * finding.fraction.value_or(0),
                         report::size_text(finding.bytes_per_bank.value_or(0)));
    case FindingCause::kWouldRunOut:
      return fmt::format("by the model {} runs out {} line {}: {} of each bank are needed and it holds {}",
                         memory_word(finding),
                         finding.at_start ? "with the arguments of the program, before" : "at",
                         finding.message_line, report::size_text(finding.bytes_per_bank.value_or(0)),
                         report::size_text(finding.capacity_bytes_per_bank.value_or(0)));
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

}  // namespace ttscope::mem
