#include "mem/analyse/last_run.h"

#include <algorithm>

#include "base/string_pool.h"

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

/// Texts of the ops that belong to the instance itself; const-eval programs run in the first pass only.
std::vector<std::uint32_t> own_ops(const RankTrace& rank, std::uint32_t instance) {
  const ProgramInstance& program = rank.programs[instance];
  std::vector<std::uint32_t> ops;
  const std::size_t end = std::min<std::size_t>(program.end_op, rank.ops.size());
  for (std::size_t i = program.first_op; i < end; ++i) {
    const ExecutedOp& op = rank.ops[i];
    if (op.instance == instance) ops.push_back(op.text == kNone ? ~op.op_type : op.text);
  }
  return ops;
}

std::uint64_t signature(std::uint32_t name, const std::vector<std::uint32_t>& ops) {
  const std::string_view bytes(reinterpret_cast<const char*>(ops.data()), ops.size() * sizeof(ops[0]));
  return hash_text(bytes) * 31 + name;
}

/// A last program that was cut off counts as the graph whose beginning it is.
std::uint64_t completed_signature(const RankTrace& rank, const std::vector<OuterProgram>& programs,
                                  const std::vector<std::uint64_t>& known) {
  const ProgramInstance& last = rank.programs[programs.back().instance];
  const std::vector<std::uint32_t> part = own_ops(rank, programs.back().instance);
  if (last.end_line != 0 || programs.size() < 2) return signature(last.name, part);
  const std::uint32_t before = programs[programs.size() - 2].instance;
  const std::vector<std::uint32_t> whole = own_ops(rank, before);
  const bool is_start = part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
  return is_start && rank.programs[before].name == last.name ? known.back() : signature(last.name, part);
}

std::vector<std::uint64_t> signatures(const RankTrace& rank, const std::vector<OuterProgram>& programs) {
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i + 1 < programs.size(); ++i) {
    const std::uint32_t instance = programs[i].instance;
    result.push_back(signature(rank.programs[instance].name, own_ops(rank, instance)));
  }
  if (!programs.empty()) result.push_back(completed_signature(rank, programs, result));
  return result;
}

/// Length of the shortest sequence that stands twice at the end, 0 if none does. Z function of the reversed
/// sequence, so that a million programs cost no more than a walk over them.
std::size_t tail_period(std::vector<std::uint64_t> sequence) {
  std::reverse(sequence.begin(), sequence.end());
  const std::size_t size = sequence.size();
  std::vector<std::size_t> match(size, 0);
  std::size_t left = 0;
  std::size_t right = 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (i < right) match[i] = std::min(right - i, match[i - left]);
    while (i + match[i] < size && sequence[match[i]] == sequence[i + match[i]]) ++match[i];
    if (match[i] >= i) return i;
    if (i + match[i] > right) {
      left = i;
      right = i + match[i];
    }
  }
  return 0;
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

RankCut cut_of(const RankTrace& rank) {
  RankCut cut;
  const std::vector<OuterProgram> programs = outer_programs(rank);
  const std::uint32_t marker = parting_marker(rank, programs);
  if (marker != 0) {
    cut.basis = RankCut::Basis::kMarkers;
    drop_before(rank, programs, marker + 1, cut);
    return cut;
  }
  const std::size_t period = tail_period(signatures(rank, programs));
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
  for (const RankTrace& rank : trace.ranks) cuts.push_back(cut_of(rank));
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
