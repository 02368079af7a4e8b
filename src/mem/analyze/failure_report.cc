#include "mem/analyze/failure_report.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "mem/analyze/memory_profile.h"
#include "mem/analyze/modules.h"
#include "mem/analyze/tensor_origins.h"

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
  FailureExplainer(const RuntimeLog& log, const MemoryProfile& profile, FailureReport& report)
      : log_(log),
        rank_(log.ranks[report.rank]),
        profile_(profile),
        failure_(report.message(log)),
        report_(report) {}

  void explain() {
    const bool of_tensors = index_of(failure_.memory) < kTensorMemoryCount;
    if (of_tensors) report_.candidates = find_candidates(log_, profile_, report_.rank, failure_);
    report_.fixes = find_fixes(log_, profile_, {report_.rank, failure_.memory, &failure_});
    if (failure_.kind == FailureKind::kHostMemory || failure_.kind == FailureKind::kProgramSize) return;
    find_holders();
  }

  void place() {
    report_.fingerprint = fingerprint_of(failure_);
    report_.bank = examine_failure(log_, rank_, failure_);
    if (failure_.last_op < rank_.ops.size()) {
      report_.moment = FailureMoment::kDuringOp;
    } else if (failure_.instance < rank_.programs.size()) {
      report_.moment = FailureMoment::kBeforeFirstOp;
    } else if (const std::uint32_t ended = last_ended(); ended != kNone) {
      report_.moment = FailureMoment::kBetweenPrograms;
      report_.ended_instance = ended;
    }
    report_.failing_op = find_failing_op(log_, report_.rank, failure_);
    if (report_.failing_op.is_known()) {
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
      report_.live = live_set_at(log_, rank, {failure_.memory, moment(), measured_bytes});
      claim_failing_results(failing_results(log_, rank_, rank.device, failure_), rank.device, report_.live);
      if (measured_bytes < 0) report_.held_bytes_per_bank = report_.live.accounted_bytes_per_bank;
      sum_up(rank, holders);
    }
    const CulpritQuestion culprits{log_, profile_, rank_, rank, failure_, report_.live};
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

  const RuntimeLog& log_;
  const RankLog& rank_;
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

std::vector<FailureReport> explain_failures(const RuntimeLog& log, const MemoryProfile& profile) {
  std::vector<FailureReport> reports;
  for (std::uint32_t rank = 0; rank < log.ranks.size(); ++rank) {
    for (std::uint32_t i = 0; i < log.ranks[rank].failures.size(); ++i) {
      FailureReport& report = reports.emplace_back();
      report.rank = rank;
      report.failure = i;
    }
  }
  std::stable_sort(reports.begin(), reports.end(), [&](const FailureReport& a, const FailureReport& b) {
    const std::uint32_t a_file = log.ranks[a.rank].file;
    const std::uint32_t b_file = log.ranks[b.rank].file;
    return a_file != b_file ? a_file < b_file : a.message(log).line < b.message(log).line;
  });
  for (std::size_t i = 0; i < reports.size(); ++i) {
    FailureExplainer explainer(log, profile, reports[i]);
    explainer.place();
    if (i < kMaxExplained) explainer.explain();
  }
  return reports;
}

namespace {

std::uint32_t op_at(Moment moment) { return moment / 2; }

/// Ops of a program itself, without those of programs that it calls.
std::vector<std::uint32_t> own_ops(const RankLog& rank, std::uint32_t instance) {
  std::vector<std::uint32_t> ops;
  const ProgramInstance& program = rank.programs[instance];
  const auto end = std::min<std::size_t>(program.end_op, rank.ops.size());
  for (std::uint32_t i = program.first_op; i < end; ++i) {
    if (rank.ops[i].instance == instance) ops.push_back(i);
  }
  return ops;
}

/// How many of the ops begin at or before `op`, less one: the place of the one that runs then.
std::size_t place_among(const std::vector<std::uint32_t>& ops, std::uint32_t op) {
  const auto behind = std::upper_bound(ops.begin(), ops.end(), op);
  return behind == ops.begin() ? 0 : static_cast<std::size_t>(behind - ops.begin()) - 1;
}

/// A program that was running, beside a whole run of the same graph.
class ComparedRun {
 public:
  ComparedRun(const CulpritQuestion& question, std::uint32_t instance, std::uint32_t whole)
      : question_(question), ops_(own_ops(question.ops, instance)), whole_ops_(own_ops(question.ops, whole)) {
    const auto& buffers = question.rank.buffers;
    for (std::uint32_t b = 0; b < buffers.size(); ++b) {
      if (buffers[b].instance == whole && buffers[b].producer_op != kNone)
        whole_buffers_[{buffers[b].producer_op, buffers[b].name}] = b;
    }
  }

  /// The op of the whole run that frees the tensor, where it does so with a deallocate and had not used the
  /// tensor since the op that failed; kNone otherwise.
  std::uint32_t late_free_of(const Buffer& buffer) const {
    const std::size_t made_at = place_among(ops_, buffer.producer_op);
    if (made_at >= ops_.size() || ops_[made_at] != buffer.producer_op || made_at >= whole_ops_.size())
      return kNone;
    const auto other = whole_buffers_.find({whole_ops_[made_at], buffer.name});
    if (other == whole_buffers_.end()) return kNone;
    const Buffer& same = question_.rank.buffers[other->second];
    if (same.died == kForever || op_at(same.died) >= question_.ops.ops.size()) return kNone;
    const bool is_freed = question_.log.role_of(question_.ops.ops[op_at(same.died)]) == OpRole::kDeallocate;
    const std::size_t failed_at = place_among(ops_, question_.failure.last_op);
    const std::size_t last_use = place_among(whole_ops_, op_at(std::max(same.last_used, same.born)));
    return is_freed && last_use < failed_at ? op_at(same.died) : kNone;
  }

 private:
  const CulpritQuestion& question_;
  std::vector<std::uint32_t> ops_;
  std::vector<std::uint32_t> whole_ops_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> whole_buffers_;  ///< by maker and name
};

class LateFinder {
 public:
  explicit LateFinder(const CulpritQuestion& question) : question_(question) {}

  FreedLate find() {
    for (const std::uint32_t id : question_.live.buffers) {
      const Buffer& buffer = question_.rank.buffers[id];
      if (buffer.kind != TensorKind::kActivation || buffer.instance >= question_.ops.programs.size())
        continue;
      IdleTensor idle;
      idle.buffer = id;
      if (!is_left(buffer.instance) && !is_freed_later(buffer, idle)) continue;
      add(idle, buffer);
    }
    return std::move(found_);  // in the order of the live set: most bytes first
  }

 private:
  void add(IdleTensor idle, const Buffer& buffer) {
    const Moment last_use = buffer.last_used == 0 ? buffer.born : buffer.last_used;
    idle.last_op = std::min<std::uint32_t>(op_at(last_use), question_.failure.before_op);
    idle.idle_ops = question_.failure.before_op - idle.last_op;
    found_.bytes_per_bank = saturating_add(found_.bytes_per_bank, buffer.bytes_per_bank);
    found_.tensors.push_back(idle);
  }

  /// What the rest of a program does is told by another run of it, else by the module that it was made from.
  bool is_freed_later(const Buffer& buffer, IdleTensor& idle) {
    if (const ComparedRun* run = compared(buffer.instance)) {
      idle.proof = IdleProof::kOtherRun;
      idle.freed_by = run->late_free_of(buffer);
      return idle.freed_by != kNone;
    }
    if (buffer.name == kNone) return false;
    idle.proof = IdleProof::kModule;
    idle.freed_line = uses_after(buffer.instance).freed_at(question_.log.names[buffer.name]);
    return idle.freed_line != 0;
  }

  /// Of the program, behind the op of it that was running: the failing one, or the call of the failing one's.
  const ModuleUses& uses_after(std::uint32_t instance) {
    const auto known = uses_.find(instance);
    if (known != uses_.end()) return known->second;
    return uses_.emplace(instance, find_uses(instance)).first->second;
  }

  ModuleUses find_uses(std::uint32_t instance) const {
    std::uint32_t op = question_.failure.last_op;
    while (op < question_.ops.ops.size() && question_.ops.ops[op].instance != instance) {
      const std::uint32_t inner = question_.ops.ops[op].instance;
      op = inner < question_.ops.programs.size() ? question_.ops.programs[inner].caller_op : kNone;
    }
    const OpText* text =
        op < question_.ops.ops.size() ? question_.log.text_of(question_.ops.ops[op]) : nullptr;
    const ModuleDump* module = module_of(instance);
    if (text == nullptr || module == nullptr || text->results.count == 0) return {};
    return {*module, question_.log.names[question_.ops.programs[instance].name],
            question_.log.names[question_.log.ids(text->results)[0]]};
  }

  const ModuleDump* module_of(std::uint32_t instance) const {
    const std::uint32_t graph = question_.rank.programs[instance].graph;
    if (graph >= question_.profile.graphs.size()) return nullptr;
    const std::uint32_t group = question_.profile.graphs[graph].module_group;
    if (group >= question_.profile.module_groups.size()) return nullptr;
    const std::uint32_t module =
        question_.profile.module_groups[group].by_stage[static_cast<std::size_t>(Stage::kTtnn)];
    return module < question_.log.modules.size() ? &question_.log.modules[module] : nullptr;
  }

  std::uint32_t outermost(std::uint32_t instance) const {
    while (question_.ops.programs[instance].parent < question_.ops.programs.size())
      instance = question_.ops.programs[instance].parent;
    return instance;
  }

  /// Of a program that had ended, but for the last one, whose results somebody may want.
  bool is_left(std::uint32_t instance) {
    const ProgramInstance& program = question_.ops.programs[outermost(instance)];
    if (program.end_line == 0 || program.end_line > question_.failure.line) return false;
    const bool runs_another = question_.failure.instance < question_.ops.programs.size();
    return runs_another || outermost(instance) != last_ended();
  }

  std::uint32_t last_ended() const {
    std::uint32_t last = kNone;
    for (std::uint32_t i = 0; i < question_.ops.programs.size(); ++i) {
      const ProgramInstance& program = question_.ops.programs[i];
      if (program.parent == kNone && program.end_line != 0 && program.end_line < question_.failure.line)
        last = i;
    }
    return last;
  }

  /// Null where no other run of the graph is whole.
  const ComparedRun* compared(std::uint32_t instance) {
    const auto known = runs_.find(instance);
    if (known != runs_.end()) return known->second ? &*known->second : nullptr;
    std::optional<ComparedRun>& run = runs_[instance];
    const auto& programs = question_.rank.programs;
    for (std::uint32_t i = 0; i < programs.size(); ++i) {
      if (i == instance || programs[i].graph != programs[instance].graph) continue;
      if (question_.ops.programs[i].end_line == 0) continue;
      run.emplace(question_, instance, i);
      return &*run;
    }
    return nullptr;
  }

  const CulpritQuestion& question_;
  std::map<std::uint32_t, std::optional<ComparedRun>> runs_;
  std::map<std::uint32_t, ModuleUses> uses_;
  FreedLate found_;
};

class GrowthFinder {
 public:
  explicit GrowthFinder(const CulpritQuestion& question)
      : question_(question), memory_(index_of(question.failure.memory)) {}

  RunGrowth find() {
    const std::vector<std::uint32_t> runs = compared_runs();
    if (runs.size() < kMinRuns) return {};
    RunGrowth growth;
    growth.runs = static_cast<std::uint32_t>(runs.size());
    growth.from_instance = runs[1];
    growth.to_instance = runs.back();
    growth.confidence = question_.rank.measured ? Confidence::kMeasured : Confidence::kModeled;
    std::optional<std::int64_t> before;
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const std::optional<std::int64_t> state = state_at_start(runs[i]);
      if (!state) continue;
      if (!before) growth.from_bytes_per_bank = *state;
      if (before && *state - *before > kRoundingBytes) ++growth.grown_runs;
      before = growth.to_bytes_per_bank = *state;
    }
    if (growth.bytes_per_bank() <= kRoundingBytes) return {};
    find_left(growth);
    return growth;
  }

 private:
  static constexpr std::size_t kMinRuns = 3;

  /// The runs of the program that was running, or else of the one that ran most often.
  std::vector<std::uint32_t> compared_runs() const {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_graph;
    const std::vector<std::uint32_t>* most = nullptr;
    const std::vector<std::uint32_t>* last = nullptr;
    for (std::uint32_t i = 0; i < question_.ops.programs.size(); ++i) {
      const ProgramInstance& program = question_.ops.programs[i];
      if (program.parent != kNone || program.start_line > question_.failure.line) continue;
      if (program.first_op >= question_.ops.ops.size() || question_.rank.programs[i].const_eval) continue;
      std::vector<std::uint32_t>& runs = by_graph[question_.rank.programs[i].graph];
      runs.push_back(i);
      last = &runs;
      if (most == nullptr || runs.size() >= most->size()) most = &runs;
    }
    if (last != nullptr && last->size() >= kMinRuns) return *last;
    return most == nullptr ? std::vector<std::uint32_t>() : *most;
  }

  /// Before the first op of a run: what its inputs take is in it.
  std::optional<std::int64_t> state_at_start(std::uint32_t instance) const {
    const std::uint32_t op = question_.ops.programs[instance].first_op;
    if (!question_.rank.measured) return question_.rank.accounted[op][memory_];
    const std::uint32_t block = question_.ops.ops[op].block;
    if (block >= question_.ops.blocks.size() || !question_.ops.blocks[block].has(question_.failure.memory))
      return std::nullopt;
    return bytes_of(question_.ops.blocks[block].allocated[memory_]);
  }

  using Origin = std::tuple<TensorKind, std::uint32_t, std::uint32_t, std::uint32_t>;

  /// The same argument, or the same op text, location and type.
  Origin origin_of(const Buffer& buffer) const {
    if (buffer.producer_op >= question_.ops.ops.size())
      return {buffer.kind, kNone, buffer.argument, buffer.type};
    const ExecutedOp& op = question_.ops.ops[buffer.producer_op];
    return {buffer.kind, op.text, op.loc, buffer.type};
  }

  void find_left(RunGrowth& growth) const {
    const Moment from = before_op(question_.ops.programs[growth.from_instance].first_op);
    const Moment to = before_op(question_.ops.programs[growth.to_instance].first_op);
    std::map<Origin, LeakedTensors> left;
    for (const std::uint32_t id : question_.live.buffers) {
      const Buffer& buffer = question_.rank.buffers[id];
      if (buffer.born <= from || buffer.born >= to) continue;
      LeakedTensors& group = left[origin_of(buffer)];
      group.example = id;
      ++group.tensors;
      group.bytes_per_bank = saturating_add(group.bytes_per_bank, buffer.bytes_per_bank);
    }
    for (const auto& [origin, group] : left) growth.left.push_back(group);
    std::stable_sort(
        growth.left.begin(), growth.left.end(),
        [](const LeakedTensors& a, const LeakedTensors& b) { return a.bytes_per_bank > b.bytes_per_bank; });
  }

  const CulpritQuestion& question_;
  std::size_t memory_;
};

bool is_of_tensors(const CulpritQuestion& question) {
  return index_of(question.failure.memory) < kTensorMemoryCount && question.rank.has_op_lines;
}

}  // namespace

std::string_view name_of(IdleProof proof) {
  constexpr std::array<std::string_view, 3> kNames = {"program_ended", "other_run", "module"};
  return kNames[static_cast<std::size_t>(proof)];
}

FreedLate find_freed_late(const CulpritQuestion& question) {
  return is_of_tensors(question) ? LateFinder(question).find() : FreedLate();
}

RunGrowth find_run_growth(const CulpritQuestion& question) {
  return index_of(question.failure.memory) < kTensorMemoryCount ? GrowthFinder(question).find() : RunGrowth();
}

}  // namespace ttscope::mem
