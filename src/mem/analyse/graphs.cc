#include "mem/analyse/graphs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "mem/analyse/graph_keys.h"

namespace ttscope::mem {
namespace {

bool is_argument_name(std::string_view name) { return name.substr(0, 4) == "%arg"; }

/// (callee, position, written type) -> type that the const-eval program really gets, where a mesh shard makes
/// it smaller.
using LocalTypes = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>;

class GraphFinder {
 public:
  explicit GraphFinder(const RuntimeTrace& trace) : trace_(trace) {}

  GraphTable find() {
    const std::vector<std::vector<std::uint64_t>> keys = graph_keys(trace_);
    for (std::uint32_t r = 0; r < trace_.ranks.size(); ++r) number_instances(r, keys[r]);
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) read_arguments(g);
    shrink_by_const_eval();
    return std::move(table_);
  }

 private:
  void number_instances(std::uint32_t r, const std::vector<std::uint64_t>& keys) {
    const RankTrace& rank = trace_.ranks[r];
    std::vector<std::uint32_t>& graph_of = table_.graph_of_instance.emplace_back(rank.programs.size());
    std::vector<std::uint32_t>& run_of = table_.run_of_instance.emplace_back(rank.programs.size());
    std::unordered_map<std::uint32_t, std::uint32_t> runs;
    for (std::uint32_t i = 0; i < rank.programs.size(); ++i) {
      const auto [found, is_new] = by_key_.emplace(keys[i], static_cast<std::uint32_t>(table_.graphs.size()));
      if (is_new) {
        Graph graph;
        graph.name = rank.programs[i].name;
        graph.first_rank = r;
        graph.first_instance = i;
        graph.const_eval = trace_.names[graph.name].find("const_eval") != std::string_view::npos;
        table_.graphs.push_back(graph);
      }
      graph_of[i] = found->second;
      run_of[i] = runs[found->second]++;
      show_whole_run(table_.graphs[found->second], r, i);
      ++table_.graphs[found->second].instances;
    }
  }

  /// A graph is described by its first run that was not cut off.
  void show_whole_run(Graph& graph, std::uint32_t r, std::uint32_t instance) {
    const bool is_cut = trace_.ranks[graph.first_rank].programs[graph.first_instance].end_line == 0;
    if (!is_cut || trace_.ranks[r].programs[instance].end_line == 0) return;
    graph.first_rank = r;
    graph.first_instance = instance;
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
        const std::uint32_t position = argument_position(trace_.names[argument.ssa]);
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

std::uint32_t argument_position(std::string_view name) {
  if (!is_argument_name(name) || name.size() == 4) return kNone;
  std::uint32_t number = 0;
  for (const char c : name.substr(4)) {
    if (c < '0' || c > '9' || number > 0xffffff) return kNone;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

GraphTable find_graphs(const RuntimeTrace& trace) { return GraphFinder(trace).find(); }

}  // namespace ttscope::mem
