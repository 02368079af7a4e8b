#include "mem/analyse/verdict.h"

#include <algorithm>
#include <array>

#include "mem/analyse/failure.h"

namespace ttscope::mem {
namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Judge {
 public:
  Judge(const RuntimeTrace& trace, MemoryProfile& profile) : trace_(trace), profile_(profile) {}

  void judge() {
    if (profile_.ranks.empty()) return list_missing();
    judge_failures();
    judge_end();
    judge_reading();
    if (trace_.is_from_modules()) judge_module();
    judge_peak(Memory::kDram, kDramWarning, kDramCritical);
    judge_peak(Memory::kL1, kL1Warning, kL1Critical);
    judge_padding();
    std::stable_sort(profile_.findings.begin(), profile_.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
    if (profile_.findings.empty()) add(Severity::kOk, FindingCause::kNothingInUse);
    profile_.severity = profile_.findings.front().severity;
    list_missing();
    list_notes();
  }

 private:
  Finding& add(Severity severity, FindingCause cause) {
    Finding& finding = profile_.findings.emplace_back();
    finding.severity = severity;
    finding.cause = cause;
    return finding;
  }

  void judge_failures() {
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
      for (const OutOfMemory& failure : trace_.ranks[r].failures) {
        if (failure.kind == FailureKind::kHostMemory) continue;  // told as the crash that it is
        Finding& finding = add(Severity::kCritical, FindingCause::kOutOfMemory);
        finding.memory = failure.memory;
        if (failure.per_bank_bytes >= 0) finding.bytes_per_bank = failure.per_bank_bytes;
        finding.bank = examine_failure(trace_, trace_.ranks[r], failure);
        if (finding.bank.size_bytes >= 0) finding.capacity_bytes_per_bank = finding.bank.size_bytes;
        finding.rank = r;
        finding.op = failure.last_op;
        finding.message_line = failure.line;
      }
    }
  }

  void judge_end() {
    const RunVerdict& verdict = profile_.verdict;
    const bool crashed = verdict.outcome == Outcome::kCrashed;
    if (!crashed && verdict.outcome != Outcome::kCut && verdict.outcome != Outcome::kRunning) return;
    const Severity severity = crashed                            ? Severity::kCritical
                              : verdict.outcome == Outcome::kCut ? Severity::kWarning
                                                                 : Severity::kOk;
    Finding& finding = add(severity, crashed                            ? FindingCause::kCrashed
                                     : verdict.outcome == Outcome::kCut ? FindingCause::kCut
                                                                        : FindingCause::kRunning);
    finding.rank = verdict.rank;
    finding.op = verdict.op;
    finding.message_line = verdict.line;
    finding.crash = verdict.crash;
    finding.text = verdict.crash_text;
  }

  /// So much was not read, or read only after a repair, that the figures say less than they seem to.
  void judge_reading() {
    const RunVerdict& verdict = profile_.verdict;
    if (verdict.trust_reason != TrustReason::kManySkipped &&
        verdict.trust_reason != TrustReason::kManyRepaired)
      return;
    const bool skipped = verdict.trust_reason == TrustReason::kManySkipped;
    Finding& finding = add(Severity::kWarning, skipped ? FindingCause::kSkipped : FindingCause::kRepaired);
    finding.records = skipped ? verdict.skipped_memory_views : verdict.repaired;
  }

  /// What a compiled module would meet on the device: the first op that the model finds no room for, and that
  /// there may be more of it.
  void judge_module() {
    for (std::uint32_t r = 0; r < profile_.ranks.size(); ++r) {
      for (const Memory memory : kTensorMemories) judge_room(r, memory);
    }
    if (trace_.problems.count(LogProblem::kModuleCut) > 0) {
      Finding& finding = add(Severity::kWarning, FindingCause::kModuleCut);
      finding.records = trace_.problems.count(LogProblem::kModuleCut);
    }
  }

  void judge_room(std::uint32_t r, Memory memory) {
    const std::size_t m = index_of(memory);
    const RankProfile& rank = profile_.ranks[r];
    const std::int64_t capacity = rank.device.capacity_bytes_per_bank[m];
    if (capacity <= 0 || rank.peaks[m].bytes_per_bank <= capacity) return;
    for (std::uint32_t i = 0; i < rank.effects.size(); ++i) {
      const std::int64_t before = rank.accounted[i][m];
      const std::int64_t needed = std::max(before, saturating_add(before, rank.effects[i].own_growth[m]));
      if (needed <= capacity) continue;
      Finding& finding = add(Severity::kCritical, FindingCause::kWouldRunOut);
      finding.memory = memory;
      finding.bytes_per_bank = needed;
      finding.capacity_bytes_per_bank = capacity;
      finding.fraction = share(needed, capacity);
      finding.confidence = Confidence::kModelled;
      finding.rank = r;
      finding.op = i;
      finding.at_start = before > capacity;
      finding.message_line = trace_.ranks[r].ops[i].line;
      return;
    }
  }

  void judge_peak(Memory memory, double warning, double critical) {
    const std::size_t m = index_of(memory);
    std::uint32_t worst = kNone;
    double worst_share = -1;
    for (std::uint32_t r = 0; r < profile_.ranks.size(); ++r) {
      const RankProfile& rank = profile_.ranks[r];
      const double used = share(rank.peaks[m].bytes_per_bank, rank.device.capacity_bytes_per_bank[m]);
      if (rank.device.capacity_bytes_per_bank[m] > 0 && used > worst_share) {
        worst_share = used;
        worst = r;
      }
    }
    if (worst == kNone) return judge_without_capacity(memory);
    // Messages alone tell of no other memory: nothing was seen of it, which is not the same as nothing used.
    const RankTrace& seen = trace_.ranks[worst];
    if (worst_share == 0 && seen.ops.empty() && seen.blocks.empty()) return;
    const Severity severity = worst_share > critical  ? Severity::kCritical
                              : worst_share > warning ? Severity::kWarning
                                                      : Severity::kOk;
    Finding& finding = add_peak(severity, FindingCause::kPeak, memory, worst);
    finding.capacity_bytes_per_bank = profile_.ranks[worst].device.capacity_bytes_per_bank[m];
    finding.fraction = worst_share;
  }

  /// No line tells how large a bank is: the figure alone, without a judgement.
  void judge_without_capacity(Memory memory) {
    const Peak& peak = profile_.ranks[profile_.main_rank].peaks[index_of(memory)];
    if (peak.bytes_per_bank == 0) return;
    add_peak(Severity::kOk, FindingCause::kPeakWithoutCapacity, memory, profile_.main_rank);
  }

  Finding& add_peak(Severity severity, FindingCause cause, Memory memory, std::uint32_t rank) {
    const Peak& peak = profile_.ranks[rank].peaks[index_of(memory)];
    Finding& finding = add(severity, cause);
    finding.memory = memory;
    finding.bytes_per_bank = peak.bytes_per_bank;
    finding.confidence = peak.confidence;
    finding.rank = rank;
    finding.op = peak.bytes_per_bank > 0 ? peak.op : kNone;
    return finding;
  }

  void judge_padding() {
    const RankProfile& rank = profile_.ranks[profile_.main_rank];
    const LiveSet& live = rank.live_at_peak[index_of(Memory::kDram)];
    const std::int64_t padding = live.padded_bytes - live.logical_bytes;
    const std::int64_t banks = std::max<std::uint32_t>(rank.device.banks[index_of(Memory::kDram)], 1);
    const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(Memory::kDram)];
    const double overhead = share(padding, live.logical_bytes);
    if (overhead <= kPaddingWarning || share(padding / banks, capacity) < kPaddingOfCapacity) return;
    Finding& finding = add(Severity::kWarning, FindingCause::kPadding);
    finding.memory = Memory::kDram;
    finding.bytes_per_bank = padding / banks;
    finding.capacity_bytes_per_bank = capacity;
    finding.fraction = overhead;
    finding.rank = profile_.main_rank;
  }

  void list_missing() {
    if (trace_.is_from_modules()) return list_missing_of_modules();
    bool op_lines = false;
    bool op_blocks = false;
    bool blocks = false;
    for (const RankTrace& rank : trace_.ranks) {
      for (const ExecutedOp& op : rank.ops) {
        op_lines |= op.text != kNone;
        op_blocks |= op.block != kNone;
        if (op_lines && op_blocks) break;
      }
      blocks |= !rank.blocks.empty();
    }
    const bool only_messages = !op_lines && !blocks && trace_.modules.empty() && has_failures();
    if (only_messages) return profile_.missing.push_back({MissingPart::kWholeLog});
    if (!op_lines) profile_.missing.push_back({MissingPart::kOpLines});
    // Lines that could not be read were printed: another build would not help.
    if (!op_blocks && profile_.verdict.skipped_memory_views == 0) {
      profile_.missing.push_back({blocks ? MissingPart::kMemoryLinesBeforeOps : MissingPart::kMemoryLines});
    }
    if (trace_.modules.empty()) profile_.missing.push_back({MissingPart::kModules});
  }

  bool has_failures() const {
    return std::any_of(trace_.ranks.begin(), trace_.ranks.end(),
                       [](const RankTrace& rank) { return !rank.failures.empty(); });
  }

  void list_missing_of_modules() {
    if (trace_.source == TraceSource::kModule) {
      profile_.missing.push_back({MissingPart::kRun});
    } else {
      profile_.missing.push_back({MissingPart::kOpLinesOfModules});
      profile_.missing.push_back({MissingPart::kMemoryLines});
    }
  }

  void note(MemoryNoteKind kind) { profile_.notes.push_back({kind}); }

  void list_notes() {
    const RankProfile& rank = profile_.ranks[profile_.main_rank];
    if (trace_.is_from_modules()) return list_module_notes(rank);
    if (rank.measured) {
      note(MemoryNoteKind::kPeaksPrinted);
      note(rank.has_op_lines ? MemoryNoteKind::kLastOpModelled : MemoryNoteKind::kLastOpUnknown);
    } else {
      note(MemoryNoteKind::kAllModelled);
    }
    note(MemoryNoteKind::kTemporaries);
    note(MemoryNoteKind::kL1TensorsOnly);
    if (rank.device.source == FactSource::kAssumed) note(MemoryNoteKind::kDeviceAssumed);
    note_warnings();
  }

  void list_module_notes(const RankProfile& rank) {
    note(MemoryNoteKind::kFromModule);
    note(MemoryNoteKind::kModuleArguments);
    note(MemoryNoteKind::kModuleLeavesOut);
    if (rank.device.source == FactSource::kAssumed) note(MemoryNoteKind::kModuleDevice);
    note_warnings();
  }

  void note_warnings() {
    for (const std::string& warning : trace_.warnings) {
      profile_.notes.push_back({MemoryNoteKind::kReaderWarning, warning});
    }
  }

  const RuntimeTrace& trace_;
  MemoryProfile& profile_;
};

}  // namespace

void judge(const RuntimeTrace& trace, MemoryProfile& profile, const RunFacts& facts) {
  profile.verdict = conclude(trace, profile, facts);
  Judge(trace, profile).judge();
}

}  // namespace ttscope::mem
