#include "mem/analyse/last_run.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "mem/analyse/graph_keys.h"

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kLastLine = 0xffffffff;

/// An outermost program instance with the lines it covers.
struct OuterProgram {
  std::uint32_t instance = 0;
  LineRange lines;
};

std::vector<OuterProgram> outer_programs(const RankTrace& rank) {
  std::vector<OuterProgram> programs;
  for (std::uint32_t i = 0; i < rank.programs.size(); ++i) {
    const ProgramInstance& program = rank.programs[i];
    if (program.parent != kNone) continue;
    // A program left open by a crash ends where the next one begins.
    if (!programs.empty() && programs.back().lines.last == kLastLine) {
      programs.back().lines.last = program.start_line - 1;
    }
    programs.push_back({i, {program.start_line, program.end_line == 0 ? kLastLine : program.end_line}});
  }
  return programs;
}

/// The own ops of every instance; const-eval programs run in the first pass only.
std::vector<std::size_t> own_op_counts(const RankTrace& rank) {
  std::vector<std::size_t> counts(rank.programs.size(), 0);
  for (const ExecutedOp& op : rank.ops) {
    if (op.instance < counts.size()) ++counts[op.instance];
  }
  return counts;
}

/// The outermost programs of a rank in order, as graphs.
struct GraphSequence {
  std::vector<std::uint64_t> keys;
  std::vector<bool> is_model;  ///< not a helper: no less than a part of the ops of the largest graph
};

GraphSequence sequence_of(const RankTrace& rank, const std::vector<OuterProgram>& programs,
                          const std::vector<std::uint64_t>& keys) {
  constexpr std::size_t kHelperShare = 8;
  const std::vector<std::size_t> counts = own_op_counts(rank);
  std::unordered_map<std::uint64_t, std::size_t> ops;  // of a cut run are fewer
  std::size_t most = 0;
  for (const OuterProgram& program : programs) {
    std::size_t& count = ops[keys[program.instance]];
    count = std::max(count, counts[program.instance]);
    most = std::max(most, count);
  }
  GraphSequence sequence;
  for (const OuterProgram& program : programs) {
    sequence.keys.push_back(keys[program.instance]);
    sequence.is_model.push_back(ops[keys[program.instance]] * kHelperShare > most || most == 0);
  }
  return sequence;
}

/// Number of distinct graphs of the model among the last i programs, for every i.
std::vector<std::size_t> distinct_from_end(const GraphSequence& sequence) {
  std::vector<std::size_t> distinct = {0};
  std::unordered_set<std::uint64_t> met;
  for (std::size_t i = sequence.keys.size(); i-- > 0;) {
    const bool is_new = sequence.is_model[i] && met.insert(sequence.keys[i]).second;
    distinct.push_back(distinct.back() + (is_new ? 1 : 0));
  }
  return distinct;
}

/// Length of the last pass of the model: of the sequences that stand twice at the end the one with the most
/// graphs of the model, the shortest of these; 0 if there is none. A helper that is called twice is no pass.
/// Z function of the reversed sequence, so that a million programs cost no more than a walk over them.
std::size_t last_pass(const GraphSequence& programs) {
  std::vector<std::uint64_t> sequence(programs.keys.rbegin(), programs.keys.rend());
  const std::vector<std::size_t> distinct = distinct_from_end(programs);
  const std::size_t size = sequence.size();
  std::vector<std::size_t> match(size, 0);
  std::size_t left = 0;
  std::size_t right = 0;
  std::size_t best = 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (i < right) match[i] = std::min(right - i, match[i - left]);
    while (i + match[i] < size && sequence[match[i]] == sequence[i + match[i]]) ++match[i];
    if (match[i] >= i && distinct[i] > distinct[best]) best = i;
    if (i + match[i] > right) {
      left = i;
      right = i + match[i];
    }
  }
  return best;
}

/// Last line of a memory block's header and views.
std::uint32_t last_line(const MemoryBlock& block) {
  return std::max(block.line, *std::max_element(block.view_line.begin(), block.view_line.end()));
}

/// Blocks around earlier programs; the one right before the last run is its starting state and stays.
void drop_submit_blocks(const RankTrace& rank, std::uint32_t first_kept_line, RankCut& cut) {
  const MemoryBlock* last_before = nullptr;
  for (const MemoryBlock& block : rank.blocks) {
    if (block.moment == MemoryBlock::Moment::kBeforeOp || block.line >= first_kept_line) continue;
    if (last_before != nullptr) cut.dropped.push_back({last_before->line, last_line(*last_before)});
    last_before = &block;
  }
  if (last_before != nullptr && last_before->moment == MemoryBlock::Moment::kAfterSubmit) {
    cut.dropped.push_back({last_before->line, last_line(*last_before)});
  }
}

void merge_ranges(std::vector<LineRange>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const LineRange& a, const LineRange& b) { return a.first < b.first; });
  std::vector<LineRange> merged;
  for (const LineRange& range : ranges) {
    if (!merged.empty() && range.first <= merged.back().last) {
      merged.back().last = std::max(merged.back().last, range.last);
    } else {
      merged.push_back(range);
    }
  }
  ranges = std::move(merged);
}

void drop_before(const RankTrace& rank, const std::vector<OuterProgram>& programs,
                 std::uint32_t first_kept_line, RankCut& cut) {
  for (const OuterProgram& program : programs) {
    if (program.lines.first >= first_kept_line) {
      ++cut.kept_programs;
      continue;
    }
    ++cut.dropped_programs;
    cut.dropped.push_back({program.lines.first, std::min(program.lines.last, first_kept_line - 1)});
  }
  for (const std::uint32_t marker : rank.output_markers) {
    if (marker < first_kept_line) cut.dropped.push_back({marker, marker});
  }
  drop_submit_blocks(rank, first_kept_line, cut);
  merge_ranges(cut.dropped);
}

/// The marker after which the last run begins, 0 if none does. A run that prints several markers ends with
/// them: a marker with no program after it parts nothing.
std::uint32_t parting_marker(const RankTrace& rank, const std::vector<OuterProgram>& programs) {
  if (programs.empty()) return 0;
  for (std::size_t i = rank.output_markers.size(); i-- > 1;) {
    if (rank.output_markers[i - 1] < programs.back().lines.first) return rank.output_markers[i - 1];
  }
  return 0;
}

RankCut cut_of(const RankTrace& rank, const std::vector<std::uint64_t>& keys) {
  RankCut cut;
  const std::vector<OuterProgram> programs = outer_programs(rank);
  const std::uint32_t marker = parting_marker(rank, programs);
  if (marker != 0) {
    cut.basis = RankCut::Basis::kMarkers;
    drop_before(rank, programs, marker + 1, cut);
    return cut;
  }
  const std::size_t period = last_pass(sequence_of(rank, programs, keys));
  if (period == 0) {
    cut.kept_programs = static_cast<std::uint32_t>(programs.size());
    return cut;
  }
  cut.basis = RankCut::Basis::kPrograms;
  drop_before(rank, programs, programs[programs.size() - period].lines.first, cut);
  return cut;
}

}  // namespace

std::vector<RankCut> find_last_run(const RuntimeTrace& trace) {
  std::vector<RankCut> cuts;
  const std::vector<std::vector<std::uint64_t>> keys = graph_keys(trace);
  for (std::size_t r = 0; r < trace.ranks.size(); ++r) cuts.push_back(cut_of(trace.ranks[r], keys[r]));
  for (const ModuleDump& module : trace.modules) {
    if (module.rank >= cuts.size()) continue;
    const auto lines = static_cast<std::uint32_t>(module.lines.size()) + (module.complete ? 1 : 0);
    cuts[module.rank].modules.push_back({module.line, lines});
  }
  for (RankCut& cut : cuts) {
    std::sort(cut.modules.begin(), cut.modules.end(),
              [](const ModuleLines& a, const ModuleLines& b) { return a.header < b.header; });
  }
  return cuts;
}

}  // namespace ttscope::mem
