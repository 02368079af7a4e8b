#include "mem/analyse/peak_passes.h"

#include <algorithm>

#include "mem/analyse/effects.h"

namespace ttscope::mem {
namespace {

class PassFinder {
 public:
  PassFinder(const Profile& profile, std::uint32_t rank, Memory memory)
      : profile_(profile),
        ops_(profile.trace.ranks[rank]),
        rank_(profile.memory.ranks[rank]),
        memory_(memory),
        highest_(rank_.peaks[index_of(memory)]) {}

  std::vector<PeakPass> find() {
    if (highest_.message_line != 0 || highest_.bytes_per_bank <= 0) return {};
    if (rank_.measured) {
      for (const MeasurePoint& point : measure_points(ops_)) look_at(point);
    } else {
      for (std::uint32_t i = 0; i < ops_.ops.size(); ++i) look_at_modelled(i);
    }
    return std::move(passes_);
  }

 private:
  void look_at(const MeasurePoint& point) {
    const MemoryBlock& block = ops_.blocks[point.block];
    if (!block.has(memory_) || point.before_op == 0) return;
    if (!is_peak(bytes_of(block.allocated[index_of(memory_)]))) return;
    Peak peak = highest_;
    peak.block = point.block;
    peak.moment = point.moment;
    peak.at_program_start = false;
    peak.op = point.before_op - 1;
    add(peak);
  }

  void look_at_modelled(std::uint32_t op) {
    const std::size_t m = index_of(memory_);
    if (!is_peak(rank_.accounted[op][m] + rank_.effects[op].own_growth[m])) return;
    Peak peak = highest_;
    peak.moment = after_op(op);
    peak.at_program_start = false;
    peak.op = op;
    add(peak);
  }

  bool is_peak(std::int64_t bytes_per_bank) const {
    return is_rounding(bytes_per_bank - highest_.bytes_per_bank);
  }

  /// The first of each run of an outermost program.
  void add(Peak peak) {
    std::uint32_t instance = ops_.ops[peak.op].instance;
    if (instance >= ops_.programs.size()) return;
    while (ops_.programs[instance].parent != kNone) instance = ops_.programs[instance].parent;
    if (instance == last_instance_) return;
    last_instance_ = instance;
    const ProgramSummary& program = rank_.programs[instance];
    if (program.graph == kNone) return;
    // The peak itself is told with the op that made it.
    if (peak.moment == highest_.moment) peak = highest_;
    const auto& graphs = profile_.memory.graphs;
    const std::uint32_t name = graphs[program.graph].name;
    const auto number =
        static_cast<std::uint32_t>(std::count_if(graphs.begin(), graphs.begin() + program.graph,
                                                 [&](const Graph& graph) { return graph.name == name; }));
    passes_.push_back({{std::string(profile_.trace.names[name]), number, program.run}, peak});
  }

  const Profile& profile_;
  const RankTrace& ops_;
  const RankProfile& rank_;
  Memory memory_;
  const Peak& highest_;
  std::uint32_t last_instance_ = kNone;
  std::vector<PeakPass> passes_;
};

}  // namespace

std::vector<PeakPass> peak_passes(const Profile& profile, std::uint32_t rank, Memory memory) {
  return PassFinder(profile, rank, memory).find();
}

}  // namespace ttscope::mem
