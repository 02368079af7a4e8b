#include "mem/analyse/failure_report.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "mem/analyse/failed_tensor.h"
#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {
namespace {

HolderKind holder_of(TensorKind kind) {
  switch (kind) {
    case TensorKind::kWeight:
      return HolderKind::kWeight;
    case TensorKind::kConstEval:
      return HolderKind::kConstEval;
    case TensorKind::kActivation:
      return HolderKind::kActivation;
    case TensorKind::kInput:
      return HolderKind::kInput;
    case TensorKind::kUnknown:
      break;
  }
  return HolderKind::kUnknown;
}

class FailureExplainer {
 public:
  FailureExplainer(const RuntimeTrace& trace, const MemoryProfile& profile, FailureReport& report)
      : trace_(trace),
        rank_(trace.ranks[report.rank]),
        profile_(profile),
        failure_(report.message(trace)),
        report_(report) {}

  void explain() {
    const bool of_tensors = index_of(failure_.memory) < kTensorMemoryCount;
    if (of_tensors) report_.candidates = find_candidates(trace_, profile_, report_.rank, failure_);
    report_.fixes = find_fixes(trace_, profile_, {report_.rank, failure_.memory, &failure_});
    if (failure_.kind == FailureKind::kHostMemory || failure_.kind == FailureKind::kProgramSize) return;
    find_holders();
  }

  void place() {
    report_.fingerprint = fingerprint_of(failure_);
    report_.bank = examine_failure(trace_, rank_, failure_);
    if (failure_.last_op < rank_.ops.size()) {
      report_.moment = FailureMoment::kDuringOp;
    } else if (failure_.instance < rank_.programs.size()) {
      report_.moment = FailureMoment::kBeforeFirstOp;
    } else if (const std::uint32_t ended = last_ended(); ended != kNone) {
      report_.moment = FailureMoment::kBetweenPrograms;
      report_.ended_instance = ended;
    }
    report_.told = told_op(trace_, report_.rank, failure_);
    if (report_.told.is_told()) {
      report_.moment = FailureMoment::kDuringOp;
    } else if (report_.moment == FailureMoment::kUnknown && failure_.backtrace.transfer_line != 0) {
      report_.moment = FailureMoment::kBetweenPrograms;
    }
  }

 private:
  std::uint32_t last_ended() const {
    for (std::size_t i = rank_.programs.size(); i-- > 0;) {
      const ProgramInstance& program = rank_.programs[i];
      if (program.parent == kNone && program.end_line != 0 && program.end_line < failure_.line)
        return static_cast<std::uint32_t>(i);
    }
    return kNone;
  }

  /// When the running op began; else when everything that had started was done.
  Moment moment() const {
    if (failure_.last_op != kNone && failure_.last_op + 1 == failure_.before_op)
      return before_op(failure_.last_op);
    return failure_.before_op == 0 ? 0 : after_op(failure_.before_op - 1);
  }

  /// The most trustworthy figure of what the bank held: the message's, else that of the block.
  std::int64_t measured() const {
    if (report_.bank.allocated_bytes >= 0) return report_.bank.allocated_bytes;
    if (failure_.last_op >= rank_.ops.size()) return -1;
    const std::uint32_t block = rank_.ops[failure_.last_op].block;
    if (block >= rank_.blocks.size() || !rank_.blocks[block].has(failure_.memory)) return -1;
    return bytes_of(rank_.blocks[block].allocated[index_of(failure_.memory)]);
  }

  void find_holders() {
    const std::int64_t measured_bytes = measured();
    const RankProfile& rank = profile_.ranks[report_.rank];
    const bool has_tensors = index_of(failure_.memory) < kTensorMemoryCount && rank.has_op_lines;
    report_.held_is_measured = measured_bytes >= 0;
    report_.held_bytes_per_bank = measured_bytes;
    std::array<Holder, kHolderKindCount> holders{};
    if (has_tensors) {
      report_.live = live_set_at(trace_, rank, {failure_.memory, moment(), measured_bytes});
      claim_failing_results(failing_results(trace_, rank_, rank.device, failure_), rank.device, report_.live);
      if (measured_bytes < 0) report_.held_bytes_per_bank = report_.live.accounted_bytes_per_bank;
      sum_up(rank, holders);
    }
    const CulpritQuestion culprits{trace_, profile_, rank_, rank, failure_, report_.live};
    report_.freed_late = find_freed_late(culprits);
    report_.grew = find_run_growth(culprits);
    holders[static_cast<std::size_t>(HolderKind::kUnaccounted)].bytes_per_bank =
        has_tensors ? report_.live.unaccounted_bytes_per_bank : std::max<std::int64_t>(measured_bytes, 0);
    for (std::size_t kind = 0; kind < kHolderKindCount; ++kind) {
      holders[kind].kind = static_cast<HolderKind>(kind);
      if (holders[kind].bytes_per_bank != 0) report_.holders.push_back(holders[kind]);
    }
    std::stable_sort(report_.holders.begin(), report_.holders.end(), [](const Holder& a, const Holder& b) {
      const bool a_last = a.kind == HolderKind::kUnaccounted;
      const bool b_last = b.kind == HolderKind::kUnaccounted;
      return a_last != b_last ? b_last : a.bytes_per_bank > b.bytes_per_bank;
    });
  }

  void sum_up(const RankProfile& rank, std::array<Holder, kHolderKindCount>& holders) const {
    const std::unordered_set<std::uint32_t> live(report_.live.buffers.begin(), report_.live.buffers.end());
    std::unordered_set<std::uint32_t> copies;
    for (const DuplicatedWeight& pair : rank.copied_weights) {
      if (live.count(pair.weight) != 0) copies.insert(pair.copy);
    }
    for (const std::uint32_t id : report_.live.buffers) {
      const Buffer& buffer = rank.buffers[id];
      const HolderKind kind = buffer.kind == TensorKind::kConstEval && copies.count(id) != 0
                                  ? HolderKind::kConstEvalCopy
                                  : holder_of(buffer.kind);
      Holder& holder = holders[static_cast<std::size_t>(kind)];
      holder.bytes_per_bank = saturating_add(holder.bytes_per_bank, buffer.bytes_per_bank);
      ++holder.tensors;
    }
    Holder& activations = holders[static_cast<std::size_t>(HolderKind::kActivation)];
    activations.bytes_per_bank =
        saturating_add(activations.bytes_per_bank, report_.live.failing_result_bytes_per_bank);
    activations.tensors += report_.live.failing_results;
  }

  const RuntimeTrace& trace_;
  const RankTrace& rank_;
  const MemoryProfile& profile_;
  const OutOfMemory& failure_;
  FailureReport& report_;
};

}  // namespace

std::string_view name_of(FailureMoment moment) {
  constexpr std::array<std::string_view, 4> kNames = {"unknown", "during_op", "before_first_op",
                                                      "between_programs"};
  return kNames[static_cast<std::size_t>(moment)];
}

std::string_view name_of(HolderKind kind) {
  constexpr std::array<std::string_view, kHolderKindCount> kNames = {
      "weight", "const_eval_copy", "const_eval", "activation", "input", "unknown", "unaccounted"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<FailureReport> explain_failures(const RuntimeTrace& trace, const MemoryProfile& profile) {
  std::vector<FailureReport> reports;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    for (std::uint32_t i = 0; i < trace.ranks[rank].failures.size(); ++i) {
      FailureReport& report = reports.emplace_back();
      report.rank = rank;
      report.failure = i;
    }
  }
  std::stable_sort(reports.begin(), reports.end(), [&](const FailureReport& a, const FailureReport& b) {
    const std::uint32_t a_file = trace.ranks[a.rank].file;
    const std::uint32_t b_file = trace.ranks[b.rank].file;
    return a_file != b_file ? a_file < b_file : a.message(trace).line < b.message(trace).line;
  });
  for (std::size_t i = 0; i < reports.size(); ++i) {
    FailureExplainer explainer(trace, profile, reports[i]);
    explainer.place();
    if (i < kMostExplained) explainer.explain();
  }
  return reports;
}

}  // namespace ttscope::mem
