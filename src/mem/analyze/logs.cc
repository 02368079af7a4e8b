#include "mem/analyze/logs.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "mem/analyze/failures.h"
#include "mem/analyze/graphs.h"

namespace ttscope::mem {
namespace {

constexpr std::uint32_t kLastLine = 0xffffffff;

/// An outermost program instance with the lines it covers.
struct OuterProgram {
  std::uint32_t instance = 0;
  LineRange lines;
};

std::vector<OuterProgram> outer_programs(const RankLog& rank) {
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
std::vector<std::size_t> own_op_counts(const RankLog& rank) {
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

GraphSequence sequence_of(const RankLog& rank, const std::vector<OuterProgram>& programs,
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
void drop_submit_blocks(const RankLog& rank, std::uint32_t first_kept_line, RankCut& cut) {
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

void drop_before(const RankLog& rank, const std::vector<OuterProgram>& programs,
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
std::uint32_t last_run_marker(const RankLog& rank, const std::vector<OuterProgram>& programs) {
  if (programs.empty()) return 0;
  for (std::size_t i = rank.output_markers.size(); i-- > 1;) {
    if (rank.output_markers[i - 1] < programs.back().lines.first) return rank.output_markers[i - 1];
  }
  return 0;
}

RankCut cut_of(const RankLog& rank, const std::vector<std::uint64_t>& keys) {
  RankCut cut;
  const std::vector<OuterProgram> programs = outer_programs(rank);
  const std::uint32_t marker = last_run_marker(rank, programs);
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

std::vector<RankCut> find_last_run(const RuntimeLog& log) {
  std::vector<RankCut> cuts;
  const std::vector<std::vector<std::uint64_t>> keys = graph_keys(log);
  for (std::size_t r = 0; r < log.ranks.size(); ++r) cuts.push_back(cut_of(log.ranks[r], keys[r]));
  for (const ModuleDump& module : log.modules) {
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

namespace {

using Difference = SeveralLogs::Difference;

/// Whether one of two names has the one word and the other one the other, and they are the same otherwise.
std::string differing_words(const std::string& first, const std::string& second) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs = {
      {{"before", "after"}, {"old", "new"}, {"baseline", "current"}, {"main", "branch"}}};
  const auto name = [](const std::string& path) { return lower(path.substr(path.rfind('/') + 1)); };
  const std::string a = name(first);
  const std::string b = name(second);
  for (const auto& [old, later] : kPairs) {
    const bool is_pair = (contains(a, old) && contains(b, later)) || (contains(a, later) && contains(b, old));
    if (is_pair) return std::string(old) + " and " + std::string(later);
  }
  return {};
}

class LogsCompared {
 public:
  explicit LogsCompared(const Profile& profile) : log_(profile.log), memory_(profile.memory) {}

  std::pair<Difference, std::string> difference() const {
    for (std::size_t i = 0; i < log_.ranks.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) {
        const RankLog& later = log_.ranks[i];
        const RankLog& earlier = log_.ranks[k];
        if (later.file == earlier.file) continue;
        if (!later.tag.empty() && later.tag == earlier.tag) return {Difference::kSameRank, later.tag};
        if (are_unlike(memory_.ranks[i].device, memory_.ranks[k].device))
          return {Difference::kOtherDevice, {}};
      }
    }
    if (const std::string program = program_with_other_ops(); !program.empty())
      return {Difference::kOtherOps, program};
    if (log_.files.size() == 2) {
      const std::string words = differing_words(log_.files[0], log_.files[1]);
      if (!words.empty()) return {Difference::kNames, words};
    }
    return {Difference::kNone, {}};
  }

 private:
  static bool are_unlike(const DeviceFacts& a, const DeviceFacts& b) {
    const bool is_known = a.source == FactSource::kMemoryLines && b.source == FactSource::kMemoryLines;
    return is_known && (a.banks != b.banks || a.capacity_bytes_per_bank != b.capacity_bytes_per_bank);
  }

  /// A program that is a graph of its own in two files: graphs are one where name and ops are the same.
  std::string program_with_other_ops() const {
    std::map<std::uint32_t, std::uint32_t> file_of_name;
    std::map<std::uint32_t, std::uint32_t> graph_of_name;
    for (std::size_t rank = 0; rank < memory_.ranks.size(); ++rank) {
      for (const ProgramSummary& program : memory_.ranks[rank].programs) {
        if (program.const_eval || program.graph >= memory_.graphs.size()) continue;
        const std::uint32_t name = memory_.graphs[program.graph].name;
        const auto [graph, is_new] = graph_of_name.try_emplace(name, program.graph);
        file_of_name.try_emplace(name, log_.ranks[rank].file);
        if (!is_new && graph->second != program.graph && file_of_name[name] != log_.ranks[rank].file)
          return std::string(log_.names[name]);
      }
    }
    return {};
  }

  const RuntimeLog& log_;
  const MemoryProfile& memory_;
};

}  // namespace

SeveralLogs several_logs(const Profile& profile) {
  SeveralLogs result;
  const RuntimeLog& log = profile.log;
  if (log.files.size() < 2 || profile.memory.ranks.size() != log.ranks.size()) return result;
  for (std::uint32_t file = 0; file < log.files.size(); ++file) {
    SeveralLogs::File own = {log.files[file], {}};
    for (const RankLog& rank : log.ranks) {
      if (rank.file == file) own.ranks.push_back(rank.number);
    }
    result.files.push_back(std::move(own));
  }
  std::tie(result.difference, result.detail) = LogsCompared(profile).difference();
  return result;
}

namespace {

void add_prints(const OomLog& log, std::uint32_t index, std::vector<FailurePrint>& prints) {
  const auto first = static_cast<std::ptrdiff_t>(prints.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> report_of;  // (rank, failure)
  for (std::uint32_t i = 0; i < log.reports().size(); ++i)
    report_of[{log.reports()[i].rank, log.reports()[i].failure}] = i;
  for (std::uint32_t rank = 0; rank < log.profile.log.ranks.size(); ++rank) {
    for (const FailureMessage& message : log.profile.log.ranks[rank].failure_messages) {
      prints.push_back(
          {index, report_of[{rank, message.failure}], kNone, &message.printed, message.printed.line});
    }
  }
  for (std::uint32_t i = 0; i < log.crashes.size(); ++i) {
    const UnexplainedCrash& report = log.crashes[i];
    prints.push_back(
        {index, kNone, i, nullptr, log.profile.log.ranks[report.rank].crashes[report.crash].line});
  }
  std::stable_sort(prints.begin() + first, prints.end(),
                   [](const FailurePrint& a, const FailurePrint& b) { return a.line < b.line; });
}

}  // namespace

std::vector<UnexplainedCrash> find_crashes(const RuntimeLog& log) {
  std::vector<UnexplainedCrash> reports;
  for (std::uint32_t rank = 0; rank < log.ranks.size(); ++rank) {
    std::set<std::uint32_t> explained;  // how many ops had started
    for (const OutOfMemory& failure : log.ranks[rank].failures) explained.insert(failure.before_op);
    const auto& crashes = log.ranks[rank].crashes;
    for (std::uint32_t i = 0; i < crashes.size();) {
      const std::uint32_t end = end_of_crash(crashes, i);
      const std::uint32_t started = crashes[i].last_op == kNone ? 0 : crashes[i].last_op + 1;
      if (explained.count(started) == 0) reports.push_back({rank, cause_among(crashes, i, end)});
      i = end;
    }
  }
  return reports;
}

std::vector<FailurePrint> prints_of(const std::vector<OomLog>& logs) {
  std::vector<FailurePrint> prints;
  for (std::uint32_t i = 0; i < logs.size(); ++i) add_prints(logs[i], i, prints);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_of;  // (log, report)
  for (std::uint32_t i = 0; i < prints.size(); ++i) {
    if (prints[i].report == kNone) continue;
    const auto [found, is_new] = first_of.emplace(std::pair(prints[i].log, prints[i].report), i);
    if (!is_new) prints[i].repeats = found->second;
  }
  return prints;
}

std::vector<FailureGroup> groups_of(const std::vector<OomLog>& logs,
                                    const std::vector<FailurePrint>& prints) {
  std::vector<FailureGroup> groups;
  std::unordered_map<std::uint64_t, std::size_t> place;
  for (std::uint32_t i = 0; i < prints.size(); ++i) {
    if (prints[i].repeats != kNone || prints[i].report == kNone) continue;
    const std::uint64_t fingerprint = logs[prints[i].log].reports()[prints[i].report].fingerprint;
    const auto [found, is_new] = place.emplace(fingerprint, groups.size());
    if (is_new) groups.push_back({fingerprint, {}});
    groups[found->second].prints.push_back(i);
  }
  return groups;
}

}  // namespace ttscope::mem
