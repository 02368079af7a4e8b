#include "mem/analyze/graphs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ttscope::mem {
namespace {

bool is_argument_name(std::string_view name) { return name.substr(0, 4) == "%arg"; }

/// (callee, position, written type) -> type that the const-eval program really gets, where a mesh shard makes
/// it smaller.
using LocalTypes = std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t>;

class GraphFinder {
 public:
  explicit GraphFinder(const RuntimeLog& log) : log_(log) {}

  GraphTable find() {
    const std::vector<std::vector<std::uint64_t>> keys = graph_keys(log_);
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) number_instances(r, keys[r]);
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) read_arguments(g);
    shrink_by_const_eval();
    return std::move(table_);
  }

 private:
  void number_instances(std::uint32_t r, const std::vector<std::uint64_t>& keys) {
    const RankLog& rank = log_.ranks[r];
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
        graph.const_eval = log_.names[graph.name].find("const_eval") != std::string_view::npos;
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
    const bool is_cut = log_.ranks[graph.first_rank].programs[graph.first_instance].end_line == 0;
    if (!is_cut || log_.ranks[r].programs[instance].end_line == 0) return;
    graph.first_rank = r;
    graph.first_instance = instance;
  }

  void read_arguments(std::uint32_t g) {
    std::vector<GraphArgument>& arguments = table_.arguments.emplace_back();
    const RankLog& rank = log_.ranks[table_.graphs[g].first_rank];
    const std::uint32_t instance = table_.graphs[g].first_instance;
    std::unordered_map<std::uint32_t, std::size_t> place;
    const ProgramInstance& program = rank.programs[instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = log_.text_of(rank.ops[i]);
      if (op == nullptr || rank.ops[i].instance != instance) continue;
      note_operands(*op, arguments, place);
    }
    std::sort(arguments.begin(), arguments.end(), [this](const GraphArgument& a, const GraphArgument& b) {
      return argument_position(log_.names[a.ssa]) < argument_position(log_.names[b.ssa]);
    });
  }

  void note_operands(const OpText& op, std::vector<GraphArgument>& arguments,
                     std::unordered_map<std::uint32_t, std::size_t>& place) {
    const auto operands = log_.ids(op.operands);
    const auto types = log_.ids(op.input_types);
    const auto result_types = log_.ids(op.result_types);
    for (std::size_t k = 0; k < std::min(operands.size(), types.size()); ++k) {
      if (!is_argument_name(log_.names[operands[k]])) continue;
      const auto [found, is_new] = place.emplace(operands[k], arguments.size());
      if (is_new) arguments.push_back({operands[k], types[k], types[k], kNone, false, false});
      GraphArgument& argument = arguments[found->second];
      argument.feeds_const_eval |= op.role == OpRole::kLoadCached;
      if (op.identity_mesh_shard && !result_types.empty() && log_.types[types[k]].on_device()) {
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
        const std::uint32_t position = argument_position(log_.names[argument.ssa]);
        local[{table_.graphs[g].name, position, argument.written_type}] = argument.type;
      }
    }
    if (local.empty()) return;
    for (std::uint32_t g = 0; g < table_.graphs.size(); ++g) shrink_arguments_of(g, local);
  }

  void shrink_arguments_of(std::uint32_t g, const LocalTypes& local) {
    const RankLog& rank = log_.ranks[table_.graphs[g].first_rank];
    const ProgramInstance& program = rank.programs[table_.graphs[g].first_instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = log_.text_of(rank.ops[i]);
      if (op == nullptr || op->role != OpRole::kLoadCached ||
          rank.ops[i].instance != table_.graphs[g].first_instance)
        continue;
      const auto operands = log_.ids(op->operands);
      const auto types = log_.ids(op->input_types);
      for (std::uint32_t k = 0; k < std::min(operands.size(), types.size()); ++k) {
        const auto found = local.find({op->callee, k, types[k]});
        if (found == local.end()) continue;
        for (GraphArgument& argument : table_.arguments[g]) {
          if (argument.ssa == operands[k]) argument.type = found->second;
        }
      }
    }
  }

  const RuntimeLog& log_;
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

GraphTable find_graphs(const RuntimeLog& log) { return GraphFinder(log).find(); }

namespace {

constexpr std::uint32_t kMaxCandidates = 64;  // graphs of one name that a cut run is compared with

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ull + (hash << 6) + (hash >> 2);
  return hash * 0xff51afd7ed558ccdull;
}

std::uint64_t identity(const ExecutedOp& op) {
  return op.text != kNone ? op.text : (std::uint64_t{1} << 32) + op.op_type;
}

/// Hash of the name and the own ops of every instance.
std::vector<std::uint64_t> keys_of(const RankLog& rank) {
  std::vector<std::uint64_t> keys(rank.programs.size(), 0);
  for (const ExecutedOp& op : rank.ops) {
    if (op.instance < keys.size()) keys[op.instance] = mix(keys[op.instance], identity(op));
  }
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = mix(keys[i], rank.programs[i].name);
  return keys;
}

/// A whole run of a graph, and the last place where it ran.
struct WholeRun {
  std::uint32_t rank = 0;
  std::uint32_t instance = 0;
  std::uint64_t key = 0;
  std::uint64_t last_seen = 0;
};

class TruncatedRuns {
 public:
  TruncatedRuns(const RuntimeLog& log, std::vector<std::vector<std::uint64_t>>& keys)
      : log_(log), keys_(keys) {}

  void settle() {
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) note_whole_runs(r);
    for (std::uint32_t r = 0; r < log_.ranks.size(); ++r) {
      const auto& programs = log_.ranks[r].programs;
      for (std::uint32_t i = 0; i < programs.size(); ++i) {
        if (programs[i].end_line == 0) keys_[r][i] = key_of_cut(r, i);
      }
    }
  }

 private:
  using Follower = std::pair<std::uint64_t, std::uint32_t>;  ///< (key of the run before, name)

  void note_whole_runs(std::uint32_t r) {
    const auto& programs = log_.ranks[r].programs;
    std::uint64_t before = 0;
    for (std::uint32_t i = 0; i < programs.size(); ++i) {
      if (programs[i].end_line == 0) continue;
      const std::uint64_t key = keys_[r][i];
      if (programs[i].parent == kNone) {
        followers_[{before, programs[i].name}] = key;
        before = key;
      }
      std::vector<WholeRun>& known = by_name_[programs[i].name];
      const auto [place, is_new] = place_.emplace(key, known.size());
      if (is_new) known.push_back({r, i, key, 0});
      known[place->second].last_seen = ++clock_;
    }
  }

  std::uint64_t key_of_cut(std::uint32_t r, std::uint32_t instance) {
    const std::uint32_t name = log_.ranks[r].programs[instance].name;
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) return keys_[r][instance];
    const auto follower = followers_.find({key_before(r, instance), name});
    const WholeRun* best = nullptr;
    const std::size_t count = std::min<std::size_t>(known->second.size(), kMaxCandidates);
    for (std::size_t k = known->second.size() - count; k < known->second.size(); ++k) {
      const WholeRun& run = known->second[k];
      if (!is_beginning(r, instance, run)) continue;
      if (follower != followers_.end() && follower->second == run.key) return run.key;
      if (best == nullptr || run.last_seen > best->last_seen) best = &run;
    }
    return best == nullptr ? keys_[r][instance] : best->key;
  }

  /// Of the outermost run before this one.
  std::uint64_t key_before(std::uint32_t r, std::uint32_t instance) const {
    const auto& programs = log_.ranks[r].programs;
    if (programs[instance].parent != kNone) return 0;
    while (instance-- > 0) {
      if (programs[instance].parent == kNone) return keys_[r][instance];
    }
    return 0;
  }

  /// Whether the own ops of the instance are the first of the whole run.
  bool is_beginning(std::uint32_t r, std::uint32_t instance, const WholeRun& run) const {
    const RankLog& part = log_.ranks[r];
    const RankLog& whole = log_.ranks[run.rank];
    std::uint32_t at = whole.programs[run.instance].first_op;
    const std::uint32_t end = std::min(whole.programs[run.instance].end_op, op_count(whole));
    const std::uint32_t part_end = std::min(part.programs[instance].end_op, op_count(part));
    for (std::uint32_t i = part.programs[instance].first_op; i < part_end; ++i) {
      if (part.ops[i].instance != instance) continue;
      while (at < end && whole.ops[at].instance != run.instance) ++at;
      if (at >= end) return false;
      if (identity(whole.ops[at]) != identity(part.ops[i]) && !is_cut_from(part, i, whole.ops[at]))
        return false;
      ++at;
    }
    return true;
  }

  /// A log that was cut inside its last op line: the line is the beginning of the other op's.
  bool is_cut_from(const RankLog& part, std::uint32_t op, const ExecutedOp& whole) const {
    if (op + 1 != part.ops.size()) return false;
    const OpText* cut = log_.text_of(part.ops[op]);
    const OpText* other = log_.text_of(whole);
    if (cut == nullptr || other == nullptr) return false;
    // The cut may lie behind the text, in the location.
    const std::size_t common = std::min(cut->text.size(), other->text.size());
    constexpr std::string_view kLocation = " loc(";
    const std::string_view behind = cut->text.substr(common, kLocation.size());
    return cut->text.substr(0, common) == other->text.substr(0, common) && kLocation.starts_with(behind);
  }

  static std::uint32_t op_count(const RankLog& rank) { return static_cast<std::uint32_t>(rank.ops.size()); }

  const RuntimeLog& log_;
  std::vector<std::vector<std::uint64_t>>& keys_;
  std::unordered_map<std::uint32_t, std::vector<WholeRun>> by_name_;
  std::unordered_map<std::uint64_t, std::size_t> place_;  ///< key -> in by_name_ of its name
  std::map<Follower, std::uint64_t> followers_;           ///< what came last behind a run
  std::uint64_t clock_ = 0;
};

}  // namespace

std::vector<std::vector<std::uint64_t>> graph_keys(const RuntimeLog& log) {
  std::vector<std::vector<std::uint64_t>> keys;
  for (const RankLog& rank : log.ranks) keys.push_back(keys_of(rank));
  TruncatedRuns(log, keys).settle();
  return keys;
}

namespace {

// What the module dumps and the op lines say about program arguments, put together.

/// Stages in the order in which they are asked: the later a stage, the nearer to what runs.
constexpr std::array<Stage, 9> kByTrust = {
    Stage::kTtnn,         Stage::kTtnnRuntime,     Stage::kTtir,
    Stage::kShloCompiler, Stage::kShloFrontend,    Stage::kShloCompilerCleaned,
    Stage::kShlo,         Stage::kShloSetMeshAttr, Stage::kVhlo};

constexpr int kMaxGroupsTried = 64;  // a program is compiled shortly before it runs

std::vector<ModuleGroup> group_modules(const RuntimeLog& log) {
  std::vector<ModuleGroup> groups;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<std::size_t, Stage>>
      open;  // (file, rank) -> group, stage
  for (std::uint32_t m = 0; m < log.modules.size(); ++m) {
    const ModuleDump& module = log.modules[m];
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
  ArgumentDescriber(const RuntimeLog& log, GraphTable& table, MemoryProfile& profile)
      : log_(log), table_(table), profile_(profile) {}

  void describe() {
    profile_.module_groups = group_modules(log_);
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
    return m == kNone ? nullptr : &log_.modules[m];
  }

  std::uint32_t last_line_of(std::uint32_t group) const {
    std::uint32_t line = 0;
    for (const std::uint32_t m : profile_.module_groups[group].by_stage) {
      if (m != kNone) line = std::max(line, log_.modules[m].line);
    }
    return line;
  }

  const ModuleDump& any_module_of(std::uint32_t group) const {
    for (const std::uint32_t m : profile_.module_groups[group].by_stage) {
      if (m != kNone) return log_.modules[m];
    }
    return log_.modules.front();  // not reached: a group has at least one module
  }

  /// Every argument that op lines name must be in the function, with the same number of elements (or its
  /// shard's).
  bool fits(std::uint32_t group, std::uint32_t g) const {
    const std::string_view name = log_.names[table_.graphs[g].name];
    bool has_function = false;
    for (const GraphArgument& argument : table_.arguments[g]) {
      bool found = false;
      const std::size_t position = argument_position(log_.names[argument.ssa]);
      for (const Stage stage : kByTrust) {
        const ModuleDump* module = module_of(group, stage);
        const FunctionInfo* function = module == nullptr ? nullptr : find_function(*module, name);
        const ArgumentInfo* info =
            function == nullptr ? nullptr : find_argument(*function, argument.ssa, position);
        has_function |= function != nullptr;
        if (info == nullptr) continue;
        found = true;
        if (stage <= Stage::kTtir || info->type == kNone) continue;  // earlier stages may reshape arguments
        const TensorType& dumped = log_.types[info->type];
        const TensorType& used = log_.types[argument.written_type];
        if (used.is_tensor && dumped.shape != used.shape && info->local_shape != used.shape) return false;
      }
      if (!found) return false;
    }
    return has_function || table_.arguments[g].empty();
  }

  /// The latest compilation printed before the graph first ran that fits it; dumps in another file have no
  /// order.
  std::uint32_t group_for(std::uint32_t g) const {
    const RankLog& rank = log_.ranks[table_.graphs[g].first_rank];
    const std::uint32_t start_line = rank.programs[table_.graphs[g].first_instance].start_line;
    for (const bool same_rank : {true, false}) {
      int tries = kMaxGroupsTried;
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
    const std::string_view name = log_.names[graph.name];
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
    const TensorType& used = log_.types[argument.type];
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
      if (used_names.count(ssa) != 0 || argument.type == kNone || !log_.types[argument.type].on_device())
        continue;
      GraphArgument unused{ssa, argument.type, argument.type, index, false, true};
      const auto shard = device_types_.find(index);
      const auto local = local_shapes_.find(index);
      if (shard != device_types_.end()) unused.type = shard->second;
      if (shard == device_types_.end() && local != local_shapes_.end())
        unused.type = local_type(log_.types[argument.type], local->second);
      used.push_back(unused);
    }
    std::sort(used.begin() + static_cast<std::ptrdiff_t>(named), used.end(),
              [](const GraphArgument& a, const GraphArgument& b) { return a.argument < b.argument; });
  }

  std::uint32_t add_argument(std::uint32_t g, std::uint32_t ssa) {
    Argument argument;
    argument.graph = g;
    argument.ssa = ssa;
    argument.name = log_.names[ssa];
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
      return std::make_pair(argument_position(log_.names[a]), a) <
             std::make_pair(argument_position(log_.names[b]), b);
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
    if (!info.model_name.empty() && argument.name == log_.names[argument.ssa])
      argument.name = info.model_name;
    argument.kv_cache |= info.kv_cache;
    const auto index = static_cast<std::uint32_t>(&argument - profile_.arguments.data());
    if (info.device_type != kNone) device_types_.emplace(index, info.device_type);
    if (argument.type == kNone && info.type != kNone) set_type(argument, log_.types[info.type], info.type);
    if (info.has_local_shape && info.presharded && argument.shape != info.local_shape &&
        argument.type != kNone) {
      const TensorType local = with_local_shape(log_.types[argument.type], info.local_shape);
      argument.shape = local.shape;
      argument.logical_bytes = local.logical_bytes;
      local_shapes_[index] = info.local_shape;
    }
  }

  void collect_consumers(std::uint32_t g, const ArgumentPlaces& place) {
    const Graph& graph = table_.graphs[g];
    const RankLog& rank = log_.ranks[graph.first_rank];
    const ProgramInstance& program = rank.programs[graph.first_instance];
    for (std::uint32_t i = program.first_op; i < program.end_op; ++i) {
      const OpText* op = log_.text_of(rank.ops[i]);
      if (op == nullptr || op->role != OpRole::kLoadCached || op->callee == kNone) continue;
      if (rank.ops[i].instance != graph.first_instance) continue;
      for (const std::uint32_t operand : log_.ids(op->operands)) {
        const auto found = place.find(operand);
        if (found == place.end()) continue;
        profile_.arguments[found->second].const_eval_graphs.emplace_back(log_.names[op->callee]);
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
      if (name == log_.names[argument.ssa]) {  // without a model name only the same compilation tells
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

  const RuntimeLog& log_;
  GraphTable& table_;
  MemoryProfile& profile_;
  std::unordered_map<std::uint32_t, std::uint32_t>
      device_types_;  ///< by argument, where a mesh_shard shows it
  std::unordered_map<std::uint32_t, std::vector<std::int64_t>>
      local_shapes_;  ///< by argument, where the dump gives them
};

}  // namespace

void describe_arguments(const RuntimeLog& log, GraphTable& table, MemoryProfile& profile) {
  ArgumentDescriber(log, table, profile).describe();
}

}  // namespace ttscope::mem
