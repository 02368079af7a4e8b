#include "mem/analyse/recorded_profile.h"

#include <algorithm>
#include <map>

#include "mem/analyse/effects.h"
#include "mem/analyse/graphs.h"
#include "mem/analyse/printed_facts.h"
#include "mem/analyse/verdict.h"

namespace ttscope::mem {
namespace {

DeviceFacts recorded_device_of(const RuntimeTrace& trace, const RankTrace& rank) {
  DeviceFacts facts;
  take_printed_facts(trace, rank, facts);
  infer_architecture(facts);
  return facts;
}

class RecordedProfiler {
 public:
  explicit RecordedProfiler(const RecordedRun& run)
      : run_(run), trace_(run.trace), graphs_(find_graphs(run.trace)) {}

  MemoryProfile profile() {
    profile_.ranks.resize(trace_.ranks.size());
    profile_.graphs = graphs_.graphs;
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) profile_rank(r);
    for (std::uint32_t r = 1; r < trace_.ranks.size(); ++r) {
      if (dram_peak(r) > dram_peak(profile_.main_rank)) profile_.main_rank = r;
    }
    group_modules();
    list_arguments();
    find_worst_padding();
    judge(trace_, profile_, {.is_being_written = {}, .from_files = true});
    describe_source();
    return std::move(profile_);
  }

 private:
  std::int64_t dram_peak(std::uint32_t rank) const {
    return profile_.ranks[rank].peaks[index_of(Memory::kDram)].bytes_per_bank;
  }

  void profile_rank(std::uint32_t r) {
    const RankTrace& rank = trace_.ranks[r];
    RankProfile& out = profile_.ranks[r];
    out.device = recorded_device_of(trace_, rank);
    out.measured = !rank.blocks.empty() && !run_.modelled_memory;
    out.has_op_lines =
        std::any_of(rank.ops.begin(), rank.ops.end(), [](const ExecutedOp& op) { return op.text != kNone; });
    out.executed_ops = rank.ops.size();
    out.accounted.resize(rank.ops.size());
    summarise_programs(r);
    take_effects(r);
    count_ops(r);
    find_peaks(trace_, r, out);
    for (LiveSet& live : out.live_at_peak) live = {};  // nothing is known, not even that it is unaccounted
    if (!run_.modelled_memory) return;
    for (Peak& peak : out.peaks) peak.confidence = Confidence::kModelled;
    out.worst_fragmentation = {};
  }

  void summarise_programs(std::uint32_t r) {
    const RankTrace& rank = trace_.ranks[r];
    std::vector<ProgramSummary>& programs = profile_.ranks[r].programs;
    programs.resize(rank.programs.size());
    for (std::uint32_t p = 0; p < programs.size(); ++p) {
      programs[p].graph = graphs_.graph_of_instance[r][p];
      programs[p].run = graphs_.run_of_instance[r][p];
      programs[p].const_eval = graphs_.graphs[programs[p].graph].const_eval;
    }
    for (const ExecutedOp& op : rank.ops) {
      if (op.instance == kNone) continue;
      ProgramSummary& program = programs[op.instance];
      ++program.executed_ops;
      program.counted_ops += is_counted(trace_, op) ? 1 : 0;
      if (op.block == kNone) continue;
      const std::int64_t state = bytes_of(rank.blocks[op.block].allocated[index_of(Memory::kDram)]);
      program.dram_peak_bytes_per_bank = std::max(program.dram_peak_bytes_per_bank, state);
    }
    for (std::size_t p = programs.size(); p-- > 0;) {  // callers come before what they call
      const std::uint32_t parent = rank.programs[p].parent;
      if (parent == kNone) continue;
      std::int64_t& peak = programs[parent].dram_peak_bytes_per_bank;
      peak = std::max(peak, programs[p].dram_peak_bytes_per_bank);
    }
  }

  void take_effects(std::uint32_t r) {
    const RankTrace& rank = trace_.ranks[r];
    RankProfile& out = profile_.ranks[r];
    out.effects.resize(rank.ops.size());
    out.is_weight_op.resize(rank.ops.size());
    if (run_.has_totals) out.live_totals.resize(rank.ops.size());
    for (std::uint32_t i = 0; i < rank.ops.size(); ++i) {
      const RecordedOp& recorded = run_.ops[r][i];
      out.is_weight_op[i] = recorded.is_weight_op;
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        if (run_.has_totals) {
          const RecordedTotals& totals = recorded.live_before[m];
          out.live_totals[i][m] = {totals.logical_bytes, totals.padded_bytes, totals.tensors};
        }
        if (!recorded.has_own_growth) continue;
        out.effects[i].own_growth[m] = recorded.own_growth[m];
        out.effects[i].confidence[m] = run_.modelled_memory           ? Confidence::kModelled
                                       : recorded.own_growth_measured ? Confidence::kMeasured
                                                                      : Confidence::kDerived;
      }
      if (!recorded.has_own_growth && i + 1 < rank.ops.size()) take_change(rank, i, out.effects[i]);
    }
  }

  /// What deallocates freed before the next recorded op is part of the change.
  static void take_change(const RankTrace& rank, std::uint32_t i, OpEffect& effect) {
    if (rank.ops[i].block == kNone || rank.ops[i + 1].block == kNone) return;
    const MemoryBlock& now = rank.blocks[rank.ops[i].block];
    const MemoryBlock& next = rank.blocks[rank.ops[i + 1].block];
    for (const Memory memory : kTensorMemories) {
      const std::size_t m = index_of(memory);
      if (!now.has(memory) || !next.has(memory)) continue;
      effect.own_growth[m] = bytes_between(now.allocated[m], next.allocated[m]);
      effect.confidence[m] = Confidence::kDerived;
    }
  }

  void count_ops(std::uint32_t r) {
    RankProfile& out = profile_.ranks[r];
    for (std::size_t i = 0; i < trace_.ranks[r].ops.size(); ++i) {
      const bool counted = is_counted(trace_, trace_.ranks[r].ops[i]);
      out.counted_ops += counted ? 1 : 0;
      out.weight_ops += counted && out.is_weight_op[i] ? 1 : 0;
    }
  }

  /// The files name the programs of a compilation; where several have the same name, they are in order.
  void group_modules() {
    for (const RecordedModules& compilation : run_.compilations) {
      ModuleGroup& group = profile_.module_groups.emplace_back();
      group.by_stage.fill(kNone);
      for (const std::uint32_t module : compilation.modules) {
        group.by_stage[static_cast<std::size_t>(trace_.modules[module].stage)] = module;
      }
    }
    std::map<std::uint32_t, std::uint32_t> next;  // by name: first compilation that is not taken
    for (Graph& graph : profile_.graphs) {
      if (graph.const_eval) {
        // With one compilation there is no doubt, also where the caller is not recorded.
        if (run_.compilations.size() == 1) graph.module_group = 0;
        continue;
      }
      std::uint32_t& from = next[graph.name];
      for (std::uint32_t c = from; c < run_.compilations.size(); ++c) {
        const auto& programs = run_.compilations[c].programs;
        const bool named = programs.empty() || std::find(programs.begin(), programs.end(),
                                                         trace_.names[graph.name]) != programs.end();
        if (!named) continue;
        graph.module_group = c;
        from = c + 1;
        break;
      }
    }
  }

  void list_arguments() {
    for (const RecordedArgument& entry : run_.arguments) {
      Argument& argument = profile_.arguments.emplace_back();
      argument.ssa = entry.ssa;
      argument.name = entry.name;
      if (argument.name.empty() && entry.ssa != kNone) argument.name = trace_.names[entry.ssa];
      argument.role = entry.role;
      argument.role_from_flow = entry.role_from_flow;
      argument.kv_cache = entry.kv_cache;
      argument.shape = entry.shape;
      argument.dtype = entry.dtype;
      argument.logical_bytes = entry.bytes;
      argument.const_eval_graphs = entry.const_eval_graphs;
      argument.same_as = entry.same_as < run_.arguments.size() ? entry.same_as : kNone;
      argument.counted_weight = argument.is_weight() && entry.counted.value_or(true);
      if (!argument.counted_weight) continue;
      ++profile_.weight_count;
      profile_.weight_bytes = saturating_add(profile_.weight_bytes, argument.logical_bytes);
    }
  }

  void find_worst_padding() {
    constexpr std::size_t kKept = 100;
    std::vector<bool> seen(trace_.types.size(), false);
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) {
      const auto& ops = trace_.ranks[r].ops;
      for (std::uint32_t i = 0; i < ops.size(); ++i) {
        const OpText* text = trace_.text_of(ops[i]);
        if (text == nullptr) continue;
        for (const std::uint32_t type : trace_.ids(text->result_types)) {
          if (seen[type] || !trace_.types[type].on_device()) continue;
          seen[type] = true;
          const std::int64_t waste = trace_.types[type].padded_bytes - trace_.types[type].logical_bytes;
          if (waste > 0) profile_.worst_padding.push_back({r, i, type, waste});
        }
      }
    }
    std::stable_sort(
        profile_.worst_padding.begin(), profile_.worst_padding.end(),
        [](const PaddingEntry& a, const PaddingEntry& b) { return a.waste_bytes > b.waste_bytes; });
    if (profile_.worst_padding.size() > kKept) profile_.worst_padding.resize(kKept);
  }

  /// The general sentences speak of logs; these are files made from one.
  void describe_source() {
    profile_.missing.clear();
    for (const std::string& file : run_.absent_files) profile_.missing.push_back({MissingPart::kFile, file});
    profile_.missing.push_back({MissingPart::kDeallocations});
    profile_.notes.clear();
    const auto note = [&](MemoryNoteKind kind) { profile_.notes.push_back({kind}); };
    note(MemoryNoteKind::kFromFiles);
    note(run_.modelled_memory ? MemoryNoteKind::kFilesAllModelled : MemoryNoteKind::kFilesRounded);
    if (!has_own_growth()) {
      note(MemoryNoteKind::kFilesGrowth);
      note(MemoryNoteKind::kFilesPadding);
    }
    note(MemoryNoteKind::kFilesL1TensorsOnly);
  }

  bool has_own_growth() const {
    return std::any_of(run_.ops.begin(), run_.ops.end(), [](const std::vector<RecordedOp>& ops) {
      return std::any_of(ops.begin(), ops.end(), [](const RecordedOp& op) { return op.has_own_growth; });
    });
  }

  const RecordedRun& run_;
  const RuntimeTrace& trace_;
  GraphTable graphs_;
  MemoryProfile profile_;
};

}  // namespace

MemoryProfile profile_recorded_run(const RecordedRun& run) { return RecordedProfiler(run).profile(); }

}  // namespace ttscope::mem
