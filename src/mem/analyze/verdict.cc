#include "mem/analyze/verdict.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>

#include "mem/analyze/failures.h"
#include "mem/analyze/findings.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

std::string_view name_of(FindingCause cause) {
  switch (cause) {
    case FindingCause::kNothingInUse:
      return "nothing_in_use";
    case FindingCause::kOutOfMemory:
      return "out_of_memory";
    case FindingCause::kPeak:
      return "peak";
    case FindingCause::kPeakWithoutCapacity:
      return "peak_without_capacity";
    case FindingCause::kCrashed:
      return "crashed";
    case FindingCause::kCut:
      return "cut";
    case FindingCause::kRunning:
      return "running";
    case FindingCause::kSkipped:
      return "skipped";
    case FindingCause::kRepaired:
      return "repaired";
    case FindingCause::kWouldRunOut:
      return "would_run_out";
    case FindingCause::kModuleCut:
      return "module_cut";
    case FindingCause::kPadding:
      break;
  }
  return "padding";
}

namespace {

/// How one rank ended.
struct RankEnd {
  Outcome outcome = Outcome::kUnknown;
  OutcomeReason reason = OutcomeReason::kNoProgramLines;
  std::uint32_t program = kNone;
  std::uint32_t line = 0;
  const Crash* crash = nullptr;
};

std::uint32_t last_outermost(const RankLog& rank) {
  for (auto i = static_cast<std::uint32_t>(rank.programs.size()); i-- > 0;) {
    if (rank.programs[i].parent == kNone) return i;
  }
  return kNone;
}

/// The first program that was left open while others followed; kNone: none was.
std::uint32_t find_unclosed_program(const RankLog& rank, std::uint32_t last) {
  for (std::uint32_t i = 0; i < rank.programs.size() && i != last; ++i) {
    if (rank.programs[i].parent == kNone && rank.programs[i].end_line == 0) return i;
  }
  return kNone;
}

/// A crash counts where nothing ended well after it: behind the last program that ended, or in one that did
/// not. What a program survived is no crash.
const Crash* fatal_crash(const RankLog& rank, std::uint32_t left_open) {
  std::uint32_t from_line = 0;
  if (left_open != kNone) {
    from_line = rank.programs[left_open].start_line;
  } else {
    for (const ProgramInstance& program : rank.programs) from_line = std::max(from_line, program.end_line);
  }
  const auto found = std::find_if(rank.crashes.begin(), rank.crashes.end(),
                                  [&](const Crash& crash) { return crash.line >= from_line; });
  if (found == rank.crashes.end()) return nullptr;
  const auto begin = static_cast<std::uint32_t>(found - rank.crashes.begin());
  return &rank.crashes[cause_among(rank.crashes, begin, end_of_crash(rank.crashes, begin))];
}

/// The first failure of the device's memory; that of the host's is a crash.
const OutOfMemory* device_failure(const RankLog& rank) {
  const auto found = std::find_if(rank.failures.begin(), rank.failures.end(), [](const OutOfMemory& failure) {
    return failure.kind != FailureKind::kHostMemory;
  });
  return found == rank.failures.end() ? nullptr : &*found;
}

RankEnd end_of(const RankLog& rank) {
  const std::uint32_t last = last_outermost(rank);
  const bool ends_inside = last != kNone && rank.programs[last].end_line == 0;
  const std::uint32_t earlier = find_unclosed_program(rank, last);
  const std::uint32_t left_open = earlier != kNone ? earlier : ends_inside ? last : kNone;
  if (const OutOfMemory* failure = device_failure(rank))
    return {Outcome::kOutOfMemory, OutcomeReason::kFailureMessage, left_open, failure->line, nullptr};
  if (const Crash* crash = fatal_crash(rank, left_open))
    return {Outcome::kCrashed, OutcomeReason::kCrashLine, left_open, crash->line, crash};
  if (ends_inside) return {Outcome::kCut, OutcomeReason::kEndsInProgram, last, 0, nullptr};
  if (last == kNone) return {};
  if (earlier != kNone)
    return {Outcome::kUnknown, OutcomeReason::kEarlierLeftOpen, earlier, rank.programs[earlier].start_line,
            nullptr};
  return {Outcome::kFinished, OutcomeReason::kProgramsEnded, kNone, 0, nullptr};
}

/// Of several ranks, the one whose end says most about the run.
int weight_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::kOutOfMemory:
      return 4;
    case Outcome::kCrashed:
      return 3;
    case Outcome::kCut:
    case Outcome::kRunning:
      return 2;
    case Outcome::kUnknown:
      return 1;
    case Outcome::kFinished:
      break;
  }
  return 0;
}

class VerdictFinder {
 public:
  VerdictFinder(const RuntimeLog& log, const MemoryProfile& profile, const RunFacts& facts)
      : log_(log), profile_(profile), facts_(facts) {}

  RunVerdict find_verdict() {
    if (profile_.ranks.empty()) return verdict_;
    find_outcome();
    count_records();
    find_trust();
    list_headroom();
    find_fit();
    return std::move(verdict_);
  }

 private:
  void find_outcome() {
    RankEnd worst = end_of(log_.ranks[0]);
    std::uint32_t rank = 0;
    for (std::uint32_t r = 1; r < log_.ranks.size(); ++r) {
      const RankEnd end = end_of(log_.ranks[r]);
      if (weight_of(end.outcome) > weight_of(worst.outcome)) {
        worst = end;
        rank = r;
      }
    }
    if (log_.is_from_modules() && weight_of(worst.outcome) <= weight_of(Outcome::kCut)) {
      verdict_.outcome_reason =
          log_.source == LogSource::kModule ? OutcomeReason::kNotRun : OutcomeReason::kNoProgramLines;
      return;
    }
    if (facts_.from_files && worst.outcome != Outcome::kOutOfMemory) {
      verdict_.outcome_reason = OutcomeReason::kFromFiles;
      return;
    }
    verdict_.outcome = worst.outcome;
    verdict_.outcome_reason = worst.reason;
    verdict_.program = worst.program;
    verdict_.line = worst.line;
    if (worst.outcome == Outcome::kFinished) return look_for_cut_input();
    verdict_.rank = rank;
    describe_end(worst, log_.ranks[rank]);
    if (worst.outcome == Outcome::kUnknown) look_for_cut_input();
  }

  void describe_end(const RankEnd& end, const RankLog& rank) {
    const auto op_count = static_cast<std::uint32_t>(rank.ops.size());
    if (end.outcome == Outcome::kOutOfMemory) {
      verdict_.op = device_failure(rank)->last_op;
    } else if (end.crash != nullptr) {
      verdict_.op = end.crash->last_op;
      verdict_.crash = end.crash->kind;
      verdict_.crash_text = end.crash->text;
    } else if (end.outcome == Outcome::kCut) {
      verdict_.op = op_count == 0 ? kNone : op_count - 1;
      if (rank.file < log_.file_lines.size())
        verdict_.line = static_cast<std::uint32_t>(log_.file_lines[rank.file]);
      if (facts_.is_being_written && facts_.is_being_written()) verdict_.outcome = Outcome::kRunning;
    }
  }

  /// Compressed data that end too early: whatever the programs before say, there was more.
  void look_for_cut_input() {
    if (log_.warnings.empty()) return;
    verdict_.outcome = Outcome::kCut;
    verdict_.outcome_reason = OutcomeReason::kInputCut;
    verdict_.program = kNone;
    verdict_.line = 0;
  }

  void count_records() {
    for (std::size_t i = 0; i < kLogProblemCount; ++i) {
      const auto problem = static_cast<LogProblem>(i);
      (info_of(problem).repaired ? verdict_.repaired : verdict_.skipped) += log_.problems.count(problem);
    }
    for (const RankLog& rank : log_.ranks) {
      ops_ += rank.ops.size();
      for (const ExecutedOp& op : rank.ops) {
        op_states_ += op.block == kNone ? 0 : 1;
        op_lines_ += op.text == kNone ? 0 : 1;
      }
      for (const MemoryBlock& block : rank.blocks)
        verdict_.memory_views += std::bitset<kMemoryCount>(block.present).count();
    }
    verdict_.skipped_memory_views = log_.problems.count(LogProblem::kBadMemoryNumber);
  }

  static double part(std::uint64_t of, std::uint64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(of) / static_cast<double>(whole);
  }

  double skipped_views() const {
    return part(verdict_.skipped_memory_views, verdict_.memory_views + verdict_.skipped_memory_views);
  }

  bool has_few_states() const {
    if (op_states_ == 0) return verdict_.memory_views > 0;
    return part(op_states_, ops_) < kFewStatesOfOps;
  }

  /// Blocks without op lines are no repair where the log has no op lines at all.
  double repaired_blocks() const {
    std::uint64_t count =
        log_.problems.count(LogProblem::kBlockDisplaced) + log_.problems.count(LogProblem::kBlockIncomplete);
    if (op_lines_ > 0) count += log_.problems.count(LogProblem::kBlockWithoutOp);
    if (!has_few_states()) count += log_.problems.count(LogProblem::kBlockMissing);
    return part(count, std::max(ops_, op_states_));
  }

  void set_trust(Confidence trust, TrustReason reason) {
    verdict_.trust = trust;
    verdict_.trust_reason = reason;
  }

  bool is_measured() const {
    const RankProfile& rank = profile_.ranks[profile_.main_rank];
    const Peak& peak = rank.peaks[index_of(Memory::kDram)];
    return (rank.measured || peak.message_line != 0) && peak.confidence == Confidence::kMeasured;
  }

  void find_trust() {
    if (log_.source == LogSource::kModule) return set_trust(Confidence::kModeled, TrustReason::kNotRun);
    const double skipped = skipped_views();
    if (skipped > kMostlySkippedViews) return set_trust(Confidence::kModeled, TrustReason::kManySkipped);
    if (!is_measured()) return set_trust(Confidence::kModeled, TrustReason::kNoMemoryLines);
    if (skipped > kManySkippedViews) return set_trust(Confidence::kDerived, TrustReason::kManySkipped);
    if (has_few_states()) return set_trust(Confidence::kDerived, TrustReason::kFewStates);
    if (repaired_blocks() > kManyRepairs) return set_trust(Confidence::kDerived, TrustReason::kManyRepaired);
    set_trust(Confidence::kMeasured, TrustReason::kPrinted);
  }

  void list_headroom() {
    for (const Memory memory : kTensorMemories) {
      const std::size_t m = index_of(memory);
      Headroom least{memory, kNone, 0, 0};
      for (std::uint32_t r = 0; r < profile_.ranks.size(); ++r) {
        const std::int64_t peak = profile_.ranks[r].peaks[m].bytes_per_bank;
        const std::int64_t capacity = profile_.ranks[r].device.capacity_bytes_per_bank[m];
        if (capacity <= 0 || peak == 0) continue;
        if (least.rank == kNone || capacity - peak < least.bytes_per_bank)
          least = {memory, r, capacity - peak, capacity};
      }
      if (least.rank != kNone) verdict_.headroom.push_back(least);
    }
  }

  void set_fit(Fit fit, FitReason reason) {
    verdict_.fit = fit;
    verdict_.fit_reason = reason;
  }

  void find_fit() {
    if (verdict_.outcome == Outcome::kOutOfMemory) return set_fit(Fit::kNo, FitReason::kAllocationFailed);
    if (verdict_.outcome == Outcome::kCrashed) return set_fit(Fit::kUnknown, FitReason::kCrashed);
    if (verdict_.outcome == Outcome::kCut) return set_fit(Fit::kUnknown, FitReason::kCut);
    if (verdict_.outcome == Outcome::kRunning) return set_fit(Fit::kUnknown, FitReason::kRunning);
    if (verdict_.outcome_reason == OutcomeReason::kNotRun) return set_fit(Fit::kUnknown, FitReason::kNotRun);
    if (verdict_.trust_reason == TrustReason::kManySkipped)
      return set_fit(Fit::kUnknown, FitReason::kSkipped);
    if (std::any_of(profile_.ranks.begin(), profile_.ranks.end(),
                    [](const RankProfile& rank) { return !rank.measured; }))
      return set_fit(Fit::kUnknown, FitReason::kModeled);
    const bool has_size = std::all_of(profile_.ranks.begin(), profile_.ranks.end(), [](const auto& rank) {
      return rank.device.capacity_bytes_per_bank[index_of(Memory::kDram)] > 0;
    });
    if (!has_size) return set_fit(Fit::kUnknown, FitReason::kNoBankSize);
    if (has_few_states()) return set_fit(Fit::kUnknown, FitReason::kFewStates);
    set_fit(Fit::kYes, FitReason::kMeasured);
  }

  const RuntimeLog& log_;
  const MemoryProfile& profile_;
  const RunFacts& facts_;
  RunVerdict verdict_;
  std::uint64_t ops_ = 0;
  std::uint64_t op_lines_ = 0;
  std::uint64_t op_states_ = 0;  ///< ops with a block
};

}  // namespace

std::string_view name_of(Outcome outcome) {
  constexpr std::array<std::string_view, 6> kNames = {"unknown", "finished", "out_of_memory",
                                                      "crashed", "cut",      "running"};
  return kNames[static_cast<std::size_t>(outcome)];
}

std::string_view name_of(OutcomeReason reason) {
  constexpr std::array<std::string_view, 9> kNames = {
      "programs_ended",   "failure_message",   "crash_line", "ends_in_program", "input_cut",
      "no_program_lines", "earlier_left_open", "from_files", "not_run"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string_view name_of(Fit fit) {
  constexpr std::array<std::string_view, 3> kNames = {"unknown", "yes", "no"};
  return kNames[static_cast<std::size_t>(fit)];
}

std::string_view name_of(FitReason reason) {
  constexpr std::array<std::string_view, 10> kNames = {
      "measured", "allocation_failed", "crashed", "cut",        "running",
      "modelled", "no_bank_size",      "skipped", "few_states", "not_run"};
  return kNames[static_cast<std::size_t>(reason)];
}

std::string_view name_of(TrustReason reason) {
  constexpr std::array<std::string_view, 6> kNames = {"printed",       "no_memory_lines", "many_skipped",
                                                      "many_repaired", "few_states",      "not_run"};
  return kNames[static_cast<std::size_t>(reason)];
}

RunVerdict find_verdict(const RuntimeLog& log, const MemoryProfile& profile, const RunFacts& facts) {
  return VerdictFinder(log, profile, facts).find_verdict();
}

namespace {

double share(std::int64_t part, std::int64_t whole) {
  return whole <= 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

class FindingBuilder {
 public:
  FindingBuilder(const RuntimeLog& log, MemoryProfile& profile) : log_(log), profile_(profile) {}

  void add_findings() {
    if (profile_.ranks.empty()) return list_missing();
    judge_failures();
    judge_end();
    judge_reading();
    if (log_.is_from_modules()) judge_module();
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
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) {
      for (const OutOfMemory& failure : log_.ranks[r].failures) {
        if (failure.kind == FailureKind::kHostMemory) continue;  // told as the crash that it is
        Finding& finding = add(Severity::kCritical, FindingCause::kOutOfMemory);
        finding.memory = failure.memory;
        if (failure.per_bank_bytes >= 0) finding.bytes_per_bank = failure.per_bank_bytes;
        finding.bank = examine_failure(log_, log_.ranks[r], failure);
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
    if (log_.problems.count(LogProblem::kModuleCut) > 0) {
      Finding& finding = add(Severity::kWarning, FindingCause::kModuleCut);
      finding.records = log_.problems.count(LogProblem::kModuleCut);
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
      finding.confidence = Confidence::kModeled;
      finding.rank = r;
      finding.op = i;
      finding.at_start = before > capacity;
      finding.message_line = log_.ranks[r].ops[i].line;
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
    const RankLog& seen = log_.ranks[worst];
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
    if (log_.is_from_modules()) return list_missing_of_modules();
    bool op_lines = false;
    bool op_blocks = false;
    bool blocks = false;
    for (const RankLog& rank : log_.ranks) {
      for (const ExecutedOp& op : rank.ops) {
        op_lines |= op.text != kNone;
        op_blocks |= op.block != kNone;
        if (op_lines && op_blocks) break;
      }
      blocks |= !rank.blocks.empty();
    }
    const bool only_messages = !op_lines && !blocks && log_.modules.empty() && has_failures();
    if (only_messages) return profile_.missing.push_back({MissingPart::kWholeLog});
    if (!op_lines) profile_.missing.push_back({MissingPart::kOpLines});
    // Lines that could not be read were printed: another build would not help.
    if (!op_blocks && profile_.verdict.skipped_memory_views == 0) {
      profile_.missing.push_back({blocks ? MissingPart::kMemoryLinesBeforeOps : MissingPart::kMemoryLines});
    }
    if (log_.modules.empty()) profile_.missing.push_back({MissingPart::kModules});
  }

  bool has_failures() const {
    return std::any_of(log_.ranks.begin(), log_.ranks.end(),
                       [](const RankLog& rank) { return !rank.failures.empty(); });
  }

  void list_missing_of_modules() {
    if (log_.source == LogSource::kModule) {
      profile_.missing.push_back({MissingPart::kRun});
    } else {
      profile_.missing.push_back({MissingPart::kOpLinesOfModules});
      profile_.missing.push_back({MissingPart::kMemoryLines});
    }
  }

  void note(MemoryNoteKind kind) { profile_.notes.push_back({kind}); }

  void list_notes() {
    const RankProfile& rank = profile_.ranks[profile_.main_rank];
    if (log_.is_from_modules()) return list_module_notes(rank);
    if (rank.measured) {
      note(MemoryNoteKind::kPeaksPrinted);
      note(rank.has_op_lines ? MemoryNoteKind::kLastOpModeled : MemoryNoteKind::kLastOpUnknown);
    } else {
      note(MemoryNoteKind::kAllModeled);
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
    for (const std::string& warning : log_.warnings) {
      profile_.notes.push_back({MemoryNoteKind::kReaderWarning, warning});
    }
  }

  const RuntimeLog& log_;
  MemoryProfile& profile_;
};

}  // namespace

void add_findings(const RuntimeLog& log, MemoryProfile& profile, const RunFacts& facts) {
  profile.verdict = find_verdict(log, profile, facts);
  FindingBuilder(log, profile).add_findings();
}

namespace {

/// The rank with the highest peak of a memory.
std::uint32_t highest_rank(const MemoryProfile& profile, Memory memory) {
  const auto peak_of = [&](std::uint32_t rank) {
    return profile.ranks[rank].peaks[index_of(memory)].bytes_per_bank;
  };
  std::uint32_t best = profile.main_rank;
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    if (peak_of(rank) > peak_of(best)) best = rank;
  }
  return best;
}

}  // namespace

Result<std::optional<PeakOverLimit>> check_limit(const Profile& profile, const PeakLimit& limit) {
  if (profile.memory.ranks.empty()) return std::nullopt;
  PeakOverLimit over;
  over.memory = limit.memory;
  over.rank = highest_rank(profile.memory, limit.memory);
  const RankProfile& rank = profile.memory.ranks[over.rank];
  over.peak = rank.peaks[index_of(limit.memory)];
  over.capacity_bytes_per_bank = rank.device.capacity_bytes_per_bank[index_of(limit.memory)];
  over.allowed_bytes_per_bank = limit.bytes_per_bank;
  over.failed = profile.memory.verdict.failed();
  if (over.failed) return over;
  if (limit.fraction >= 0) {
    if (over.capacity_bytes_per_bank == 0) {
      return failure(bad_input("the log does not say how large a bank is; give the limit in bytes per bank"));
    }
    over.allowed_bytes_per_bank =
        std::llround(limit.fraction * static_cast<double>(over.capacity_bytes_per_bank));
  }
  if (over.peak.bytes_per_bank <= over.allowed_bytes_per_bank) return std::nullopt;
  return over;
}

}  // namespace ttscope::mem
