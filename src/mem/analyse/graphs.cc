#include "mem/analyse/graphs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace ttscope::mem {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull;
}

/// What tells an op of a graph: its text, or its type where the line is missing.
std::uint64_t identity_of(const ExecutedOp& op) {
  return op.text != kNone ? op.text : (std::uint64_t{1} << 32) + op.op_type;
}

/// Hash of the op texts of every instance of a rank, its own ops only.
std::vector<std::uint64_t> hash_instances(const RankTrace& rank) {
  std::vector<std::uint64_t> hashes(rank.programs.size(), 0);
  for (const ExecutedOp& op : rank.ops) {
    if (op.instance == kNone) continue;
    hashes[op.instance] = mix(hashes[op.instance], identity_of(op));
  }
  return hashes;
}

bool is_argument_name(std::string_view name) { return name.substr(0, 4) == "%arg"; }

/// (callee, position, written type) -> type that the const-eval program really gets, where a mesh shard makes
/// it smaller.
using LocalTypes = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>;

class GraphFinder {
 public:
  explicit GraphFinder(const RuntimeTrace& trace) : trace_(trace) {}

  GraphTable find() {
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) number_instances(r);
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) read_arguments(g);
    shrink_by_const_eval();
    return std::move(table_);
  }

 private:
  void number_instances(std::uint32_t r) {
    const RankTrace& rank = trace_.ranks[r];
    const std::vector<std::uint64_t> hashes = hash_instances(rank);
    std::vector<std::uint32_t>& graph_of = table_.graph_of_instance.emplace_back(rank.programs.size(), kNone);
    // Runs that were cut come last: then the graph is known that they are the beginning of.
    for (const bool cut : {false, true}) {
      for (std::uint32_t i = 0; i < rank.programs.size(); ++i) {
        if ((rank.programs[i].end_line == 0) != cut) continue;
        const std::uint64_t key = mix(hashes[i], rank.programs[i].name);
        if (cut && by_key_.count(key) == 0) graph_of[i] = begun_graph(r, i);
        if (graph_of[i] == kNone) graph_of[i] = graph_with(key, r, i);
        ++table_.graphs[graph_of[i]].instances;
      }
    }
    std::vector<std::uint32_t>& run_of = table_.run_of_instance.emplace_back();
    std::unordered_map<std::uint32_t, std::uint32_t> runs;
    for (const std::uint32_t graph : graph_of) run_of.push_back(runs[graph]++);
  }

  std::uint32_t graph_with(std::uint64_t key, std::uint32_t r, std::uint32_t instance) {
    const auto [found, is_new] = by_key_.emplace(key, static_cast<std::uint32_t>(table_.graphs.size()));
    if (is_new) {
      Graph graph;
      graph.name = trace_.ranks[r].programs[instance].name;
      graph.first_rank = r;
      graph.first_instance = instance;
      graph.const_eval = trace_.names[graph.name].find("const_eval") != std::string_view::npos;
      table_.graphs.push_back(graph);
    }
    return found->second;
  }

  /// The graph whose ops begin as those of a cut run do. Of several, the one that came behind the same graph
  /// before, as in a loop; else the one that ran last. kNone when none does.
  std::uint32_t begun_graph(std::uint32_t r, std::uint32_t instance) const {
    constexpr std::size_t kMostCompared = 64;
    const ProgramInstance& cut = trace_.ranks[r].programs[instance];
    std::vector<std::uint32_t> fitting;
    std::size_t compared = 0;
    for (std::size_t g = table_.graphs.size(); g-- > 0 && compared < kMostCompared;) {
      const Graph& graph = table_.graphs[g];
      const ProgramInstance& whole = trace_.ranks[graph.first_rank].programs[graph.first_instance];
      if (graph.name != cut.name || whole.end_line == 0) continue;
      ++compared;
      if (begins_as(r, instance, graph)) fitting.push_back(static_cast<std::uint32_t>(g));
    }
    if (fitting.size() <= 1) return fitting.empty() ? kNone : fitting.front();
    const std::uint32_t next = successor(r, instance, fitting);
    return next != kNone ? next : latest_run(r, instance, fitting);
  }

  bool begins_as(std::uint32_t r, std::uint32_t instance, const Graph& graph) const {
    const auto& cut = trace_.ranks[r];
    const auto& whole = trace_.ranks[graph.first_rank];
    std::uint32_t w = whole.programs[graph.first_instance].first_op;
    const std::uint32_t end = whole.programs[graph.first_instance].end_op;
    for (std::uint32_t i = cut.programs[instance].first_op; i < cut.programs[instance].end_op; ++i) {
      if (cut.ops[i].instance != instance) continue;
      while (w < end && whole.ops[w].instance != graph.first_instance) ++w;
      const OpText* text = trace_.text_of(cut.ops[i]);
      const bool cut_line = text != nullptr && text->cut;  // the last of a log
      if (w == end || (!cut_line && identity_of(whole.ops[w]) != identity_of(cut.ops[i]))) return false;
      ++w;
    }
    return true;
  }

  static bool is_one_of(const std::vector<std::uint32_t>& graphs, std::uint32_t graph) {
    return std::find(graphs.begin(), graphs.end(), graph) != graphs.end();
  }

  std::uint32_t successor(std::uint32_t r, std::uint32_t instance,
                          const std::vector<std::uint32_t>& fitting) const {
    const auto& programs = trace_.ranks[r].programs;
    const auto& graph_of = table_.graph_of_instance[r];
    std::vector<std::uint32_t> before;  // outermost runs, latest first
    for (std::uint32_t i = instance; i-- > 0;) {
      if (programs[i].parent == programs[instance].parent) before.push_back(graph_of[i]);
    }
    for (std::size_t k = 1; k < before.size(); ++k) {
      if (before[k] == before[0] && is_one_of(fitting, before[k - 1])) return before[k - 1];
    }
    return kNone;
  }

  std::uint32_t latest_run(std::uint32_t r, std::uint32_t instance,
                           const std::vector<std::uint32_t>& fitting) const {
    for (std::uint32_t i = instance; i-- > 0;) {
      if (is_one_of(fitting, table_.graph_of_instance[r][i])) return table_.graph_of_instance[r][i];
    }
    return fitting.front();
  }

  void read_arguments(std::uint32_t g) {
    std::vector<GraphArgument>& arguments = table_.arguments.emplace_back();
    const RankTrace& rank = trace_.ranks[table_.graphs[g].first_rank];
    const std::uint32_t instance = table_.graphs[g].first_instance;
    std::unordered_map<std::uint32_t, std::size_t> place;
    const ProgramInstance& program = rank.programs[instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = trace_.text_of(rank.ops[i]);
      if (op == nullptr || rank.ops[i].instance != instance) continue;
      note_operands(*op, arguments, place);
    }
    std::sort(arguments.begin(), arguments.end(), [this](const GraphArgument& a, const GraphArgument& b) {
      return argument_position(trace_.names[a.ssa]) < argument_position(trace_.names[b.ssa]);
    });
  }

  void note_operands(const OpText& op, std::vector<GraphArgument>& arguments,
                     std::unordered_map<std::uint32_t, std::size_t>& place) {
    const auto operands = trace_.ids(op.operands);
    const auto types = trace_.ids(op.input_types);
    const auto result_types = trace_.ids(op.result_types);
    for (std::size_t k = 0; k < std::min(operands.size(), types.size()); ++k) {
      if (!is_argument_name(trace_.names[operands[k]])) continue;
      const auto [found, is_new] = place.emplace(operands[k], arguments.size());
      if (is_new) arguments.push_back({operands[k], types[k], types[k], kNone, false, false});
      GraphArgument& argument = arguments[found->second];
      argument.feeds_const_eval |= op.role == OpRole::kLoadCached;
      if (op.identity_mesh_shard && !result_types.empty() && trace_.types[types[k]].on_device()) {
        argument.type = result_types[0];
      }
    }
  }

  /// The shards found inside const-eval programs are those of the caller's arguments.
  void shrink_by_const_eval() {
    LocalTypes local;
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) {
      if (!table_.graphs[g].const_eval) continue;
      for (const GraphArgument& argument : table_.arguments[g]) {
        if (argument.type == argument.written_type) continue;
        const auto position =
            static_cast<std::uint32_t>(argument_position(trace_.names[argument.ssa]) & 0xffffffff);
        local[{table_.graphs[g].name, position, argument.written_type}] = argument.type;
      }
    }
    if (local.empty()) return;
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) shrink_arguments_of(g, local);
  }

  void shrink_arguments_of(std::uint32_t g, const LocalTypes& local) {
    const RankTrace& rank = trace_.ranks[table_.graphs[g].first_rank];
    const ProgramInstance& program = rank.programs[table_.graphs[g].first_instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = trace_.text_of(rank.ops[i]);
      if (op == nullptr || op->role != OpRole::kLoadCached ||
          rank.ops[i].instance != table_.graphs[g].first_instance)
        continue;
      const auto operands = trace_.ids(op->operands);
      const auto types = trace_.ids(op->input_types);
      for (std::uint32_t k = 0; k < std::min(operands.size(), types.size()); ++k) {
        const auto found = local.find({op->callee, k, types[k]});
        if (found == local.end()) continue;
        for (GraphArgument& argument : table_.arguments[g]) {
          if (argument.ssa == operands[k]) argument.type = found->second;
        }
      }
    }
  }

  const RuntimeTrace& trace_;
  GraphTable table_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_key_;
};

}  // namespace

std::size_t argument_position(std::string_view name) {
  constexpr std::size_t kNowhere = 0xffffffff;
  if (!is_argument_name(name) || name.size() == 4) return kNowhere;
  std::size_t number = 0;
  for (const char c : name.substr(4)) {
    if (c < '0' || c > '9' || number > 0xffffff) return kNowhere;
    number = number * 10 + static_cast<std::size_t>(c - '0');
  }
  return number;
}

GraphTable find_graphs(const RuntimeTrace& trace) { return GraphFinder(trace).find(); }

}  // namespace ttscope::mem
