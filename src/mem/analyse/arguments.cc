// What the module dumps and the op lines say about program arguments, put together.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "mem/analyse/graphs.h"

namespace ttscope::mem {
namespace {

/// Stages in the order in which they are asked: the later a stage, the nearer to what runs.
constexpr std::array<Stage, 9> kByTrust = {
    Stage::kTtnn,         Stage::kTtnnRuntime,     Stage::kTtir,
    Stage::kShloCompiler, Stage::kShloFrontend,    Stage::kShloCompilerCleaned,
    Stage::kShlo,         Stage::kShloSetMeshAttr, Stage::kVhlo};

constexpr int kMostGroupsTried = 64;  // a program is compiled shortly before it runs

std::vector<ModuleGroup> group_modules(const RuntimeTrace& trace) {
  std::vector<ModuleGroup> groups;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, Stage>>
      open;  // (file, rank) -> group, stage
  for (std::uint32_t m = 0; m < trace.modules.size(); ++m) {
    const ModuleDump& module = trace.modules[m];
    const auto key = std::make_pair(module.file, module.rank);
    const auto found = open.find(key);
    if (found == open.end() || module.stage <= found->second.second) {
      groups.emplace_back().by_stage.fill(kNone);
      open[key] = {groups.size() - 1, module.stage};
    } else {
      found->second.second = module.stage;
    }
    groups[open[key].first].by_stage[static_cast<std::size_t>(module.stage)] = m;
  }
  return groups;
}

/// Arguments stand at the position that their names say, as a rule.
const ArgumentInfo* find_argument(const FunctionInfo& function, std::uint32_t ssa, std::size_t position) {
  if (position < function.arguments.size() && function.arguments[position].ssa == ssa) {
    return &function.arguments[position];
  }
  for (const ArgumentInfo& argument : function.arguments) {
    if (argument.ssa == ssa) return &argument;
  }
  return nullptr;
}

const FunctionInfo* find_function(const ModuleDump& module, std::string_view name) {
  for (const FunctionInfo& function : module.functions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

/// SSA name -> place in MemoryProfile::arguments.
using ArgumentPlaces = std::unordered_map<std::uint32_t, std::uint32_t>;

class ArgumentDescriber {
 public:
  ArgumentDescriber(const RuntimeTrace& trace, GraphTable& table, MemoryProfile& profile)
      : trace_(trace), table_(table), profile_(profile) {}

  void describe() {
    profile_.module_groups = group_modules(trace_);
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) {
      if (!table_.graphs[g].const_eval) describe_graph(g);
    }
    add_groups_without_graph();
    find_same_tensors();
    profile_.graphs = table_.graphs;
  }

 private:
  const ModuleDump* module_of(std::uint32_t group, Stage stage) const {
    const std::uint32_t m = profile_.module_groups[group].by_stage[static_cast<std::size_t>(stage)];
    return m == kNone ? nullptr : &trace_.modules[m];
  }

  std::uint32_t last_line_of(std::uint32_t group) const {
    std::uint32_t line = 0;
    for (const std::uint32_t m : profile_.module_groups[group].by_stage) {
      if (m != kNone) line = std::max(line, trace_.modules[m].line);
    }
    return line;
  }

  const ModuleDump& any_module_of(std::uint32_t group) const {
    for (const std::uint32_t m : profile_.module_groups[group].by_stage) {
      if (m != kNone) return trace_.modules[m];
    }
    return trace_.modules.front();  // not reached: a group has at least one module
  }

  /// Every argument that op lines name must be in the function, with the same number of elements (or its
  /// shard's).
  bool fits(std::uint32_t group, std::uint32_t g) const {
    const std::string_view name = trace_.names[table_.graphs[g].name];
    bool has_function = false;
    for (const GraphArgument& argument : table_.arguments[g]) {
      bool found = false;
      const std::size_t position = argument_position(trace_.names[argument.ssa]);
      for (const Stage stage : kByTrust) {
        const ModuleDump* module = module_of(group, stage);
        const FunctionInfo* function = module == nullptr ? nullptr : find_function(*module, name);
        const ArgumentInfo* info =
            function == nullptr ? nullptr : find_argument(*function, argument.ssa, position);
        has_function |= function != nullptr;
        if (info == nullptr) continue;
        found = true;
        if (stage <= Stage::kTtir || info->type == kNone) continue;  // earlier stages may reshape arguments
        const TensorType& dumped = trace_.types[info->type];
        const TensorType& used = trace_.types[argument.written_type];
        if (used.is_tensor && dumped.shape != used.shape && info->local_shape != used.shape) return false;
      }
      if (!found) return false;
    }
    return has_function || table_.arguments[g].empty();
  }

  /// The latest compilation printed before the graph first ran that fits it; dumps in another file have no
  /// order.
  std::uint32_t group_for(std::uint32_t g) const {
    const RankTrace& rank = trace_.ranks[table_.graphs[g].first_rank];
    const std::uint32_t start_line = rank.programs[table_.graphs[g].first_instance].start_line;
    for (const bool same_rank : {true, false}) {
      int tries = kMostGroupsTried;
      for (auto group = static_cast<std::uint32_t>(profile_.module_groups.size()); group-- > 0;) {
        const ModuleDump& module = any_module_of(group);
        const bool is_same = module.file == rank.file && module.rank == table_.graphs[g].first_rank;
        if (same_rank != is_same || (is_same && last_line_of(group) > start_line)) continue;
        if (tries-- == 0) break;
        if (fits(group, g)) return group;
      }
    }
    return kNone;
  }

  void describe_graph(std::uint32_t g) {
    Graph& graph = table_.graphs[g];
    graph.module_group = group_for(g);
    std::vector<std::uint32_t> used;
    for (const GraphArgument& argument : table_.arguments[g]) used.push_back(argument.ssa);
    const std::string_view name = trace_.names[graph.name];
    const ArgumentPlaces place = add_in_order(graph.module_group, g, name, std::move(used));
    if (graph.module_group != kNone) merge_dumped_arguments(graph.module_group, name, place);
    for (GraphArgument& argument : table_.arguments[g]) {
      argument.argument = place.at(argument.ssa);
      describe_used(argument, profile_.arguments[argument.argument]);
    }
    add_unused_arguments(g, place);
    collect_consumers(g, place);
  }

  /// What the op lines add to the dump: the type that the device holds, and that const-eval consumes it.
  void describe_used(GraphArgument& argument, Argument& described) {
    const bool shrunk = argument.type != argument.written_type;
    const TensorType& used = trace_.types[argument.type];
    const auto local = local_shapes_.find(argument.argument);
    if (!shrunk && used.is_tensor && local != local_shapes_.end() && local->second != used.shape) {
      argument.type = local_type(used, local->second);
    } else if (used.is_tensor) {
      set_type(described, used, argument.type);
    }
    if (described.role == ArgumentRole::kUnknown && argument.feeds_const_eval) {
      described.role = ArgumentRole::kParameter;
      described.role_from_flow = true;
    }
  }

  std::uint32_t local_type(const TensorType& type, const std::vector<std::int64_t>& shape) {
    table_.local_types.push_back(with_local_shape(type, shape));
    return kLocalTypeBase + static_cast<std::uint32_t>(table_.local_types.size() - 1);
  }

  /// Arguments with a device layout in the dump that no op line names.
  void add_unused_arguments(std::uint32_t g, const ArgumentPlaces& place) {
    std::vector<GraphArgument>& used = table_.arguments[g];
    const std::size_t named = used.size();
    std::unordered_set<std::uint32_t> used_names;
    for (const GraphArgument& argument : used) used_names.insert(argument.ssa);
    for (const auto& [ssa, index] : place) {
      const Argument& argument = profile_.arguments[index];
      if (used_names.count(ssa) != 0 || argument.type == kNone || !trace_.types[argument.type].on_device())
        continue;
      GraphArgument unused{ssa, argument.type, argument.type, index, false, true};
      const auto shard = device_types_.find(index);
      const auto local = local_shapes_.find(index);
      if (shard != device_types_.end()) unused.type = shard->second;
      if (shard == device_types_.end() && local != local_shapes_.end())
        unused.type = local_type(trace_.types[argument.type], local->second);
      used.push_back(unused);
    }
    std::sort(used.begin() + static_cast<std::ptrdiff_t>(named), used.end(),
              [](const GraphArgument& a, const GraphArgument& b) { return a.argument < b.argument; });
  }

  std::uint32_t add_argument(std::uint32_t g, std::uint32_t ssa) {
    Argument argument;
    argument.graph = g;
    argument.ssa = ssa;
    argument.name = trace_.names[ssa];
    profile_.arguments.push_back(std::move(argument));
    return static_cast<std::uint32_t>(profile_.arguments.size() - 1);
  }

  static void set_type(Argument& argument, const TensorType& type, std::uint32_t id) {
    argument.type = id;
    argument.shape = type.shape;
    argument.dtype = type.tensor_dtype;
    argument.logical_bytes = type.logical_bytes;
  }

  /// One entry for each argument that a dump or an op line names, in order of argument number.
  ArgumentPlaces add_in_order(std::uint32_t group, std::uint32_t g, std::string_view function_name,
                              std::vector<std::uint32_t> names) {
    for (const Stage stage : kByTrust) {
      const ModuleDump* module = group == kNone ? nullptr : module_of(group, stage);
      const FunctionInfo* function = module == nullptr ? nullptr : find_function(*module, function_name);
      if (function == nullptr) continue;
      for (const ArgumentInfo& info : function->arguments) names.push_back(info.ssa);
    }
    std::sort(names.begin(), names.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::make_pair(argument_position(trace_.names[a]), a) <
             std::make_pair(argument_position(trace_.names[b]), b);
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    ArgumentPlaces place;
    for (const std::uint32_t ssa : names) place[ssa] = add_argument(g, ssa);
    return place;
  }

  void merge_dumped_arguments(std::uint32_t group, std::string_view function_name,
                              const ArgumentPlaces& place) {
    for (const Stage stage : kByTrust) {
      const ModuleDump* module = module_of(group, stage);
      const FunctionInfo* function = module == nullptr ? nullptr : find_function(*module, function_name);
      if (function == nullptr) continue;
      for (const ArgumentInfo& info : function->arguments)
        merge(info, profile_.arguments[place.at(info.ssa)]);
    }
  }

  /// Stages are asked from the last to the first: what is known stays.
  void merge(const ArgumentInfo& info, Argument& argument) {
    if (argument.role == ArgumentRole::kUnknown) argument.role = info.role;
    if (!info.model_name.empty() && argument.name == trace_.names[argument.ssa])
      argument.name = info.model_name;
    argument.kv_cache |= info.kv_cache;
    const auto index = static_cast<std::uint32_t>(&argument - profile_.arguments.data());
    if (info.device_type != kNone) device_types_.emplace(index, info.device_type);
    if (argument.type == kNone && info.type != kNone) set_type(argument, trace_.types[info.type], info.type);
    if (info.has_local_shape && info.presharded && argument.shape != info.local_shape &&
        argument.type != kNone) {
      const TensorType local = with_local_shape(trace_.types[argument.type], info.local_shape);
      argument.shape = local.shape;
      argument.logical_bytes = local.logical_bytes;
      local_shapes_[index] = info.local_shape;
    }
  }

  void collect_consumers(std::uint32_t g, const ArgumentPlaces& place) {
    const Graph& graph = table_.graphs[g];
    const RankTrace& rank = trace_.ranks[graph.first_rank];
    const ProgramInstance& program = rank.programs[graph.first_instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = trace_.text_of(rank.ops[i]);
      if (op == nullptr || op->role != OpRole::kLoadCached || op->callee == kNone) continue;
      if (rank.ops[i].instance != graph.first_instance) continue;
      for (const std::uint32_t operand : trace_.ids(op->operands)) {
        const auto found = place.find(operand);
        if (found == place.end()) continue;
        profile_.arguments[found->second].const_eval_graphs.emplace_back(trace_.names[op->callee]);
      }
    }
  }

  /// Compilations whose program never ran (the log ends before, or has no op lines) still tell of weights.
  void add_groups_without_graph() {
    std::vector<bool> used(profile_.module_groups.size(), false);
    for (const Graph& graph : table_.graphs) {
      if (graph.module_group != kNone) used[graph.module_group] = true;
    }
    const bool programs_ran = std::any_of(used.begin(), used.end(), [](bool b) { return b; });
    for (std::uint32_t group = 0; group < used.size() && !programs_ran; ++group) {
      merge_dumped_arguments(group, "main", add_in_order(group, kNone, "main", {}));
    }
  }

  /// Prefill and decode take the same weights: the same model name, shape and element is one tensor.
  void find_same_tensors() {
    std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> first;
    for (std::uint32_t a = 0; a < profile_.arguments.size(); ++a) {
      Argument& argument = profile_.arguments[a];
      std::string name = argument.name;
      if (name == trace_.names[argument.ssa]) {  // without a model name only the same compilation tells
        const std::uint32_t group =
            argument.graph == kNone ? kNone : table_.graphs[argument.graph].module_group;
        name += '@' + std::to_string(group == kNone ? argument.graph : group) + (group == kNone ? "g" : "m");
      }
      const auto [found, is_new] =
          first.emplace(std::make_tuple(name, shape_text(argument.shape), argument.dtype), a);
      if (!is_new && profile_.arguments[found->second].graph != argument.graph)
        argument.same_as = found->second;
    }
  }

  const RuntimeTrace& trace_;
  GraphTable& table_;
  MemoryProfile& profile_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      device_types_;  ///< by argument, where a mesh_shard shows it
  std::unordered_map<std::uint32_t, std::vector<std::int64_t>>
      local_shapes_;  ///< by argument, where the dump gives them
};

}  // namespace

void describe_arguments(const RuntimeTrace& trace, GraphTable& table, MemoryProfile& profile) {
  ArgumentDescriber(trace, table, profile).describe();
}

}  // namespace ttscope::mem
