#include "mem/analyze/live_tracker.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <vector>

#include "mem/analyze/graphs.h"
#include "mem/analyze/growth.h"
#include "mem/analyze/live_buffers.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {
namespace {

/// What is on the device when an outermost program starts: its arguments, moved there without a line in the
/// log, and what earlier programs left.
class ResidentArguments {
 public:
  ResidentArguments(const GraphTable& graphs, const std::vector<Argument>& arguments,
                    const DeviceFacts& device, BufferPool& pool)
      : graphs_(graphs),
        arguments_(arguments),
        device_(device),
        pool_(pool),
        home_buffers_(graphs.graphs.size()) {}

  struct Start {
    std::optional<PerTensorMemory> measured;  ///< state before the program's first op
    PerTensorMemory unaccounted{};            ///< measured less modeled at the last block before
    bool all_there = false;  ///< where nothing is measured: arguments that no op names are on the device too
  };
  /// Whether the measured state before a graph's outermost program has room for its arguments alone and not
  /// for what is remembered beside them: another process has opened the device, and nothing is left on it.
  bool is_new_process(std::uint32_t graph, const PerTensorMemory& measured,
                      const ConstEvalCache& cache) const;
  /// Binds the arguments and settles what happens to earlier outputs; the measured state decides where it
  /// can.
  void bind(ProgramNames& names, const Start& start);

 private:
  /// Which way of explaining the state before the first op was chosen.
  struct Explanation {
    bool named_there = true;     ///< arguments that no resident buffer serves were moved to the device
    bool unnamed_there = false;  ///< arguments that only the dump lists are on the device
    bool outputs_kept = false;   ///< outputs of earlier programs that nobody takes stay
  };
  /// Bytes per bank of each part that an explanation adds or removes.
  struct Parts {
    PerTensorMemory new_named{};
    PerTensorMemory new_unnamed{};
    PerTensorMemory untaken{};
    PerTensorMemory outputs_of_unnamed{};  ///< outputs that only unnamed arguments would take
  };

  void find_resident(const ProgramNames& names, std::vector<std::uint32_t>& found);
  Parts measure_parts(std::uint32_t graph, const std::vector<std::uint32_t>& found,
                      const std::vector<std::uint32_t>& untaken) const;
  Explanation explain(const Parts& parts, const Start& start) const;
  void bind_one(ProgramNames& names, std::uint32_t position, std::uint32_t buffer);
  void bind_absent(ProgramNames& names, std::uint32_t position);
  std::uint32_t resident_home(std::uint32_t graph, std::uint32_t position);
  void settle_outputs(std::vector<std::uint32_t>& untaken, const Start& start);
  void free_outputs_gone(const PerTensorMemory& measured);

  const GraphTable& graphs_;
  const std::vector<Argument>& arguments_;
  const DeviceFacts& device_;
  BufferPool& pool_;
  std::vector<std::vector<std::uint32_t>> home_buffers_;  ///< [graph][argument]
  std::vector<std::uint32_t> kept_outputs_;
  std::vector<bool> was_output_;  ///< by argument of the program that starts: what it took was an output
};

/// What an op does to buffers: whether its first result lives in the first operand's buffer, and whether it
/// frees that.
struct OpPlan {
  bool shares_operand = false;
  bool frees_operand = false;
};

struct PlanContext {
  PerTensorMemory all_results{};     ///< bytes per bank if every result gets a buffer of its own
  bool has_operand = false;          ///< the first operand has a buffer
  bool operand_is_freeable = false;  ///< no other name and no cache has it
  bool same_memory = false;          ///< first result and first operand are in the same memory
  std::uint8_t operand_memory = 0;
  std::int64_t operand_bytes = 0;
  std::int64_t first_result_bytes = 0;
  std::optional<PerTensorMemory> measured;  ///< change that is the op's alone
};

std::int64_t distance(const PerTensorMemory& a, const PerTensorMemory& b) {
  std::int64_t sum = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
    sum = saturating_add(sum, std::abs(saturating_add(a[m], -b[m])));
  return sum;
}

PerTensorMemory plus(const PerTensorMemory& a, const PerTensorMemory& b, int sign) {
  PerTensorMemory sum{};
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum[m] = saturating_add(a[m], sign * b[m]);
  return sum;
}

/// By how much the room for a tensor may miss its size because figures were rounded; of a small one its half
/// tells rounding from absence.
std::int64_t rounding_of(std::int64_t bytes_per_bank) { return std::min(bytes_per_bank / 2, kRoundingBytes); }

/// Whether the state is that of the parts, and at most so much beside them.
bool is_about(const PerTensorMemory& state, const PerTensorMemory& parts, std::int64_t max_unexplained) {
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
    const std::int64_t beside = saturating_add(state[m], -parts[m]);
    if (beside < -kRoundingBytes || beside > max_unexplained) return false;
  }
  return true;
}

void add_to(PerTensorMemory& sum, std::uint8_t memory, std::int64_t bytes) {
  sum[memory] = saturating_add(sum[memory], bytes);
}

/// An argument is the tensor that the same argument left on the device, an earlier program's output or
/// another resident tensor of its type, or a new one.
void ResidentArguments::bind(ProgramNames& names, const Start& start) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  std::vector<std::uint32_t> found;
  find_resident(names, found);
  std::vector<std::uint32_t> untaken = pool_.untaken_outputs();
  const Explanation how = explain(measure_parts(names.graph, found, untaken), start);
  for (std::uint32_t k = 0; k < arguments.size(); ++k) {
    const bool named = !arguments[k].only_in_dump;
    if (named ? how.named_there || found[k] != kNone : how.unnamed_there) {
      bind_one(names, k, found[k]);
    } else if (named) {
      bind_absent(names, k);
    } else if (found[k] != kNone && was_output_[k]) {
      untaken.push_back(found[k]);
    } else if (found[k] != kNone) {
      pool_.make_resident(found[k], false);
    }
  }
  settle_outputs(untaken, start);
  if (start.measured) free_outputs_gone(*start.measured);
}

/// Outputs that nobody takes are freed, but for those that the measured state has room for, largest first.
void ResidentArguments::settle_outputs(std::vector<std::uint32_t>& untaken, const Start& start) {
  PerTensorMemory room{};
  if (start.measured) {
    room = plus(*start.measured, plus(pool_.accounted(), start.unaccounted, +1), -1);
    for (const std::uint32_t buffer : untaken)
      add_to(room, pool_[buffer].memory, pool_[buffer].bytes_per_bank);
  }
  std::stable_sort(untaken.begin(), untaken.end(), [this](std::uint32_t a, std::uint32_t b) {
    return pool_[a].bytes_per_bank > pool_[b].bytes_per_bank;
  });
  for (const std::uint32_t buffer : untaken) {
    const std::int64_t size = pool_[buffer].bytes_per_bank;
    std::int64_t& left = room[pool_[buffer].memory];
    if (start.measured && size - rounding_of(size) <= left) {
      left -= size;
      pool_.make_resident(buffer, false);
      kept_outputs_.push_back(buffer);
    } else {
      pool_.free(buffer);
    }
  }
}

bool ResidentArguments::is_new_process(std::uint32_t graph, const PerTensorMemory& measured,
                                       const ConstEvalCache& cache) const {
  constexpr std::int64_t kOwnOfDevice = 64 << 10;  // what a device holds before its first program, at most
  constexpr std::int64_t kNoticed = 4 * kRoundingBytes;
  PerTensorMemory named{};
  PerTensorMemory all{};
  for (const GraphArgument& argument : graphs_.arguments[graph]) {
    std::uint8_t memory = 0;
    const std::int64_t bytes = pool_.size_of(argument.type, device_, memory);
    add_to(all, memory, bytes);
    if (!argument.only_in_dump) add_to(named, memory, bytes);
  }
  const auto are_alone = [&](std::int64_t max_unexplained) {
    return is_about(measured, named, max_unexplained) || is_about(measured, all, max_unexplained);
  };
  if (!are_alone(kOwnOfDevice)) return false;
  const std::int64_t cached = cache.bytes_per_bank(pool_);
  if (cached > kNoticed) return are_alone(std::min(kOwnOfDevice, cached / 2));
  bool is_less = false;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
    is_less |= saturating_add(pool_.accounted()[m], -measured[m]) > kNoticed;
  return is_less && are_alone(kRoundingBytes);
}

/// Arguments that op lines name choose first.
void ResidentArguments::find_resident(const ProgramNames& names, std::vector<std::uint32_t>& found) {
  const std::vector<GraphArgument>& arguments = graphs_.arguments[names.graph];
  home_buffers_[names.graph].resize(arguments.size(), kNone);
  found.assign(arguments.size(), kNone);
  was_output_.assign(arguments.size(), false);
  for (const bool unnamed : {false, true}) {
    for (std::uint32_t k = 0; k < arguments.size(); ++k) {
      if (arguments[k].only_in_dump != unnamed) continue;
      found[k] = resident_home(names.graph, k);
      if (found[k] == kNone) found[k] = pool_.find_resident(arguments[k].type);
      if (found[k] == kNone) continue;
      was_output_[k] = pool_.state(found[k]).output;
      pool_.take(found[k]);
    }
  }
}

ResidentArguments::Parts ResidentArguments::measure_parts(std::uint32_t graph,
                                                          const std::vector<std::uint32_t>& found,
                                                          const std::vector<std::uint32_t>& untaken) const {
  Parts parts;
  const std::vector<GraphArgument>& arguments = graphs_.arguments[graph];
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    std::uint8_t memory = 0;
    const std::int64_t bytes = pool_.size_of(arguments[k].type, device_, memory);
    const bool unnamed = arguments[k].only_in_dump;
    if (found[k] == kNone) add_to(unnamed ? parts.new_unnamed : parts.new_named, memory, bytes);
    if (found[k] != kNone && unnamed && was_output_[k]) add_to(parts.outputs_of_unnamed, memory, bytes);
  }
  for (const std::uint32_t buffer : untaken)
    add_to(parts.untaken, pool_[buffer].memory, pool_[buffer].bytes_per_bank);
  return parts;
}

/// As a rule arguments that op lines name are there, others are not, and outputs nobody takes are freed.
/// Another explanation is taken when it comes nearer to the measured state. Without measurement, what
/// is known of the program decides.
ResidentArguments::Explanation ResidentArguments::explain(const Parts& parts, const Start& start) const {
  if (!start.measured) return {true, start.all_there, false};
  const PerTensorMemory base = plus(pool_.accounted(), start.unaccounted, +1);
  Explanation best;
  std::int64_t best_miss = -1;
  for (unsigned choice = 0; choice < 8; ++choice) {  // the rule first: of equal ones it wins
    const Explanation how{(choice & 4) == 0, (choice & 1) != 0, (choice & 2) != 0};
    if (how.unnamed_there && !how.named_there) continue;
    PerTensorMemory state = base;
    if (how.named_there) state = plus(state, parts.new_named, +1);
    if (how.unnamed_there) state = plus(state, parts.new_unnamed, +1);
    if (!how.outputs_kept) state = plus(state, parts.untaken, -1);
    if (!how.outputs_kept && !how.unnamed_there) state = plus(state, parts.outputs_of_unnamed, -1);
    const std::int64_t miss = distance(state, *start.measured);
    const std::int64_t doubt = how.named_there ? 0 : kRoundingBytes;  // op lines outweigh a rounding
    if (best_miss >= 0 && miss + doubt >= best_miss) continue;
    best = how;
    best_miss = miss;
  }
  return best;
}

/// A named argument that the measured state has no room for: its name is known, no buffer is.
void ResidentArguments::bind_absent(ProgramNames& names, std::uint32_t position) {
  const GraphArgument& argument = graphs_.arguments[names.graph][position];
  const bool weight = argument.argument != kNone && arguments_[argument.argument].is_weight();
  names.bind(pool_, argument.ssa, {kNone, argument.written_type, weight ? Flow::kWeight : Flow::kActivation});
}

std::uint32_t ResidentArguments::resident_home(std::uint32_t graph, std::uint32_t position) {
  const std::uint32_t buffer = home_buffers_[graph][position];
  if (buffer == kNone || !pool_.is_live(buffer)) return kNone;
  const BufferState& state = pool_.state(buffer);
  return state.resident && state.home_graph == graph && state.home_argument == position ? buffer : kNone;
}

void ResidentArguments::bind_one(ProgramNames& names, std::uint32_t position, std::uint32_t buffer) {
  const GraphArgument& argument = graphs_.arguments[names.graph][position];
  TensorKind kind = TensorKind::kUnknown;
  Flow flow = Flow::kActivation;
  if (argument.argument != kNone) {
    const Argument& described = arguments_[argument.argument];
    if (described.is_weight()) flow = Flow::kWeight;
    if (described.is_weight()) kind = TensorKind::kWeight;
    if (described.role == ArgumentRole::kInput) kind = TensorKind::kInput;
  }
  const bool is_home = buffer != kNone && buffer == home_buffers_[names.graph][position] &&
                       pool_.state(buffer).home_graph == names.graph &&
                       pool_.state(buffer).home_argument == position;
  buffer = buffer == kNone ? pool_.allocate(argument.type, device_, Buffer{})
           : is_home       ? buffer
                           : pool_.rename(buffer);
  if (buffer != kNone && !is_home) {
    Buffer& edited = pool_.edit(buffer);
    edited.kind = kind;
    edited.name = argument.ssa;
    edited.instance = names.instance;
    edited.argument = argument.argument;
    pool_.state(buffer).home_graph = names.graph;
    pool_.state(buffer).home_argument = position;
  }
  home_buffers_[names.graph][position] = buffer;
  names.bind(pool_, argument.ssa, {buffer, argument.written_type, flow});
}

/// Kept outputs that the measured state leaves no room for are gone; looked at newest first, a few at a time.
void ResidentArguments::free_outputs_gone(const PerTensorMemory& measured) {
  for (int tries = 64; tries > 0 && !kept_outputs_.empty(); --tries) {
    const std::uint32_t buffer = kept_outputs_.back();
    const std::uint8_t m = pool_[buffer].memory;
    const bool still_kept = pool_.is_live(buffer) && pool_.state(buffer).resident;
    const std::int64_t size = pool_[buffer].bytes_per_bank;
    if (still_kept && size - rounding_of(size) > pool_.accounted()[m] - measured[m]) return;
    kept_outputs_.pop_back();
    if (still_kept) pool_.free(buffer);
  }
}

std::pair<std::int64_t, std::int64_t> last_two(const std::vector<std::int64_t>& shape) {
  const std::size_t n = shape.size();
  return {n > 1 ? shape[n - 2] : 1, n > 0 ? shape[n - 1] : 1};
}

/// A reshape keeps the buffer when the stored form is the same: equal shards and rows, and no tile is cut
/// differently.
bool reshape_is_view(const TensorType& from, const TensorType& to) {
  if (from.memref != to.memref || from.layout != to.layout || from.buffer != to.buffer ||
      from.dtype != to.dtype || from.tile_height != to.tile_height) {
    return false;
  }
  const auto [from_rows, from_columns] = last_two(from.shape);
  const auto [to_rows, to_columns] = last_two(to.shape);
  if (from_columns != to_columns) return false;
  return from_rows == to_rows || !from.is_tiled() || (from_rows % 32 == 0 && to_rows % 32 == 0);
}

bool is_view_by_text(const RuntimeLog& log, const OpText& op) {
  const auto inputs = log.ids(op.input_types);
  const auto results = log.ids(op.result_types);
  if (!op.may_be_view || inputs.empty() || results.empty()) return false;
  if (op.identity_mesh_shard) return true;
  const std::string_view name = log.names[op.name];
  if (name == "ttnn.reshape" || name == "ttnn.view")
    return reshape_is_view(log.types[inputs[0]], log.types[results[0]]);
  return inputs[0] == results[0];
}

PerTensorMemory change_of(const OpPlan& plan, const PlanContext& context) {
  PerTensorMemory change = context.all_results;
  if (plan.shares_operand) change[context.operand_memory] -= context.first_result_bytes;
  if (plan.frees_operand && context.operand_is_freeable)
    change[context.operand_memory] -= context.operand_bytes;
  return change;
}

std::int64_t miss_of(const OpPlan& plan, const PlanContext& context) {
  const PerTensorMemory change = change_of(plan, context);
  std::int64_t worst = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
    worst = std::max(worst, std::abs(saturating_add(change[m], -(*context.measured)[m])));
  }
  return worst;
}

/// By the op's text (reshapes that keep the layout are views, `deallocate_activation` frees), unless that
/// contradicts the measured change and another plan agrees with it.
OpPlan choose_plan(const RuntimeLog& log, const OpText& op, const PlanContext& context) {
  OpPlan plan;
  plan.shares_operand = context.has_operand && context.same_memory && is_view_by_text(log, op);
  plan.frees_operand = op.frees_first_operand && context.has_operand && !plan.shares_operand;
  if (!context.measured || !context.has_operand || miss_of(plan, context) <= kRoundingBytes) return plan;
  const std::array<OpPlan, 3> others = {{{true, false}, {false, false}, {false, true}}};
  for (const OpPlan& other : others) {
    if (other.shares_operand && !context.same_memory) continue;
    if (other.frees_operand && !context.operand_is_freeable) continue;
    if (miss_of(other, context) <= kRoundingBytes) return other;
  }
  return plan;
}

// Names are followed by program instance: every open program has its own table, the names of a const-eval
// program are bound to its caller's operands, and what a program leaves stays resident until the log shows
// otherwise.

class LiveTracker {
 public:
  LiveTracker(const RankInput& input, MemoryProfile& profile)
      : log_(input.log),
        rank_(log_.ranks[input.rank]),
        graphs_(input.graphs),
        options_(input.options),
        out_(profile.ranks[input.rank]),
        graph_of_(graphs_.graph_of_instance[input.rank]),
        curve_(rank_),
        pool_(log_, out_),
        cache_(rank_),
        resident_(graphs_, profile.arguments, out_.device, pool_) {}

  ModeledChanges track() {
    prepare();
    std::size_t next_event = 0;
    for (std::uint32_t i = 0; i <= rank_.ops.size(); ++i) {
      for (; next_event < rank_.events.size() && rank_.events[next_event].before_op <= i; ++next_event) {
        run_event(next_event);
      }
      if (i == rank_.ops.size()) break;
      out_.accounted.push_back(pool_.accounted());
      if (options_.live_totals) out_.live_totals.push_back(pool_.totals());
      run_op(i);
    }
    out_.after_last_op = pool_.accounted();
    out_.copied_weights = pool_.links();
    return std::move(changes_);
  }

 private:
  void prepare() {
    changes_.by_op.resize(rank_.ops.size());
    changes_.known.resize(rank_.ops.size(), false);
    changes_.by_event.resize(rank_.events.size());
    out_.accounted.reserve(rank_.ops.size());
    if (options_.live_totals) out_.live_totals.reserve(rank_.ops.size());
    pool_.expect(rank_.ops.size());
    out_.is_weight_op.resize(rank_.ops.size(), false);
    for (const OutOfMemory& failure : rank_.failures) {
      if (has_stopped(failure)) failed_ops_.push_back(failure.last_op);
    }
    std::sort(failed_ops_.begin(), failed_ops_.end());
    calls_program_.resize(rank_.ops.size(), false);
    for (const ProgramInstance& program : rank_.programs) {
      if (program.caller_op != kNone) calls_program_[program.caller_op] = true;
    }
  }

  /// A failure ends its program; where ops of it follow, somebody only tried whether there is room.
  bool has_stopped(const OutOfMemory& failure) const {
    const std::uint32_t op = failure.last_op;
    if (op >= rank_.ops.size()) return false;
    return op + 1 == rank_.ops.size() || rank_.ops[op + 1].instance != rank_.ops[op].instance;
  }

  PerTensorMemory change_since(const PerTensorMemory& before) const {
    PerTensorMemory change{};
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
      change[m] = saturating_add(pool_.accounted()[m], -before[m]);
    return change;
  }

  // -- programs

  void run_event(std::size_t e) {
    const ProgramEvent& event = rank_.events[e];
    const PerTensorMemory before = pool_.accounted();
    if (event.is_start) {
      pool_.set_now(before_op(event.before_op));
      start(event);
    } else {
      pool_.set_now(event.before_op == 0 ? 0 : after_op(event.before_op - 1));
      end(event.instance);
    }
    changes_.by_event[e] = change_since(before);
  }

  void start(const ProgramEvent& event) {
    const ProgramInstance& program = rank_.programs[event.instance];
    if (open_.size() == depth_) open_.emplace_back();
    ProgramNames& names = open_[depth_++];
    const std::uint32_t graph = graph_of_[event.instance];
    names.open(event.instance, graph, graphs_.graphs[graph].const_eval);
    if (program.parent != kNone && depth_ > 1) {
      bind_callers_operands(open_[depth_ - 2], names, program);
    } else {
      // A module names all arguments, and a program that was cut had no time to.
      const bool all_there = program.end_line == 0 || log_.is_from_modules();
      const std::optional<PerTensorMemory> measured = curve_.before(event.before_op);
      if (measured && resident_.is_new_process(graph, *measured, cache_)) start_new_process();
      resident_.bind(names, {measured, unaccounted_, all_there});
    }
  }

  /// One log may hold several processes, as that of a test run does: each finds an empty device.
  void start_new_process() {
    pool_.free_unnamed();
    cache_.forget();
    unaccounted_ = {};
  }

  const OpText* caller_of(const ProgramInstance& program) const {
    return program.caller_op == kNone ? nullptr : log_.text_of(rank_.ops[program.caller_op]);
  }

  void bind_callers_operands(ProgramNames& caller, ProgramNames& callee, const ProgramInstance& program) {
    const OpText* op = caller_of(program);
    if (op == nullptr) return;
    const auto operands = log_.ids(op->operands);
    for (const GraphArgument& argument : graphs_.arguments[callee.graph]) {
      const std::size_t position = argument_position(log_.names[argument.ssa]);
      const Binding* binding = position < operands.size() ? caller.find(operands[position]) : nullptr;
      if (binding != nullptr)
        callee.bind(pool_, argument.ssa, {binding->buffer, argument.written_type, binding->flow});
    }
  }

  void end(std::uint32_t instance) {
    if (depth_ == 0 || open_[depth_ - 1].instance != instance) return;
    const ProgramInstance& program = rank_.programs[instance];
    ProgramNames& ended = open_[depth_ - 1];
    const bool outermost = program.parent == kNone || depth_ == 1;
    if (!outermost) return_results(ended, open_[depth_ - 2], program);
    pool_.set_now(before_op(program.end_op));  // behind the last op, whose end still sees what goes now
    for (const auto& [name, binding] : ended.in_order()) {
      const std::uint32_t buffer = ended.unbind(pool_, name);
      if (buffer == kNone) continue;
      const bool is_argument = log_.names[name].substr(0, 4) == "%arg";
      if (outermost && !is_argument) pool_.state(buffer).output = pool_.state(buffer).home_graph == kNone;
      pool_.release(buffer, outermost && (is_argument || is_left(program, name)));
    }
    --depth_;
  }

  /// Whether a name outlives its program: where the returned values are known, only these do.
  bool is_left(const ProgramInstance& program, std::uint32_t name) const {
    const auto returned = log_.ids(program.returned);
    return returned.empty() || std::find(returned.begin(), returned.end(), name) != returned.end();
  }

  /// Results of a const-eval (or called) program: the newest live names of the right types, in their order.
  void return_results(ProgramNames& ended, ProgramNames& caller, const ProgramInstance& program) {
    const OpText* op = caller_of(program);
    if (op == nullptr) return;
    const auto results = log_.ids(op->results);
    const auto types = log_.ids(op->result_types);
    std::vector<std::pair<std::uint32_t, Binding>> left = ended.in_order();
    std::vector<std::uint32_t> entry(std::min(results.size(), types.size()), kNone);
    const auto returned = log_.ids(program.returned);
    const bool is_trace = op->role == OpRole::kCall && op->callee == kNone && !returned.empty();
    if (is_trace && keep_slots(ended, caller, *op, returned)) return;
    for (std::size_t k = entry.size(); k-- > 0;) {
      const auto hit = std::find_if(left.rbegin(), left.rend(), [&](const auto& e) {
        return returned.size() == entry.size() ? e.first == returned[k] : e.second.type == types[k];
      });
      if (hit != left.rend()) {
        entry[k] = hit->second.buffer;
        left.erase(std::next(hit).base());
      }
      caller.bind(pool_, results[k], {entry[k], types[k], flow_of_operands(caller, *op)});
    }
    if (op->role != OpRole::kLoadCached) return;
    link_copies(caller, *op, entry);
    cache_.store(pool_, cache_.key(program.caller_op, op->callee, open_[0].graph), entry);
  }

  /// What the programs of a trace op return stays on the device as long as the trace. True when the results
  /// of the op are slots that its first program has allocated already.
  bool keep_slots(ProgramNames& ended, ProgramNames& caller, const OpText& op,
                  std::span<const std::uint32_t> returned) {
    for (const std::uint32_t name : returned) {
      const Binding* binding = ended.find(name);
      if (binding != nullptr && binding->buffer != kNone) ++pool_.state(binding->buffer).cache_entries;
    }
    const auto results = log_.ids(op.results);
    const Binding* first = results.empty() ? nullptr : caller.find(results[0]);
    return results.empty() || (first != nullptr && first->buffer != kNone);
  }

  void link_copies(ProgramNames& caller, const OpText& op, const std::vector<std::uint32_t>& entry) {
    constexpr std::size_t kMaxLinks = 1 << 16;  // a real function takes and makes a few tensors
    if (op.operands.count * entry.size() > kMaxLinks) return;
    for (const std::uint32_t operand : log_.ids(op.operands)) {
      const Binding* binding = caller.find(operand);
      if (binding == nullptr || binding->buffer == kNone || binding->flow != Flow::kWeight) continue;
      for (const std::uint32_t copy : entry) {
        if (copy != kNone) pool_.link_copy(binding->buffer, copy);
      }
    }
  }

  // -- ops

  void run_op(std::uint32_t i) {
    const OpText* op = log_.text_of(rank_.ops[i]);
    pool_.set_now(after_op(i));
    const PerTensorMemory before = pool_.accounted();
    if (const auto measured = curve_.before(i)) {
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m)
        unaccounted_[m] = saturating_add((*measured)[m], -before[m]);
    }
    if (op != nullptr && op->role != OpRole::kUnparsed) {
      changes_.known[i] = true;
      if (!std::binary_search(failed_ops_.begin(), failed_ops_.end(), i)) apply(i, *op);
    }
    changes_.by_op[i] = change_since(before);
  }

  void apply(std::uint32_t i, const OpText& op) {
    if (depth_ == 0) {  // a log that begins in the middle: ops outside any program share a table
      if (open_.empty()) open_.emplace_back();
      open_[depth_++].open(kNone, kNone, false);
    }
    ProgramNames& names = open_[depth_ - 1];
    switch (op.role) {
      case OpRole::kDeallocate:
        return deallocate(i, op, names);
      case OpRole::kLoadCached:
        out_.is_weight_op[i] = true;
        if (!calls_program_[i]) load_from_cache(i, op, names);
        return;
      case OpRole::kCall:
        if (!calls_program_[i]) compute(i, op, names);
        return;
      case OpRole::kCompute:
        return compute(i, op, names);
      case OpRole::kGetDevice:
      case OpRole::kUnparsed:
        return;
    }
  }

  Flow flow_of_operands(ProgramNames& names, const OpText& op) {
    Flow flow = Flow::kConstant;
    const auto operands = log_.ids(op.operands);
    const auto types = log_.ids(op.input_types);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k < types.size() && !log_.types[types[k]].is_tensor) continue;
      const Binding* binding = names.find(operands[k]);
      flow = std::max(flow, binding == nullptr ? Flow::kActivation : binding->flow);
    }
    return flow;
  }

  Buffer made_by(std::uint32_t op, std::uint32_t name, const ProgramNames& names, TensorKind kind) const {
    Buffer buffer;
    buffer.name = name;
    buffer.instance = names.instance;
    buffer.producer_op = op;
    buffer.kind = kind;
    return buffer;
  }

  void load_from_cache(std::uint32_t i, const OpText& op, ProgramNames& names) {
    const std::uint64_t key = cache_.key(i, op.callee, open_[0].graph);
    const auto results = log_.ids(op.results);
    const auto types = log_.ids(op.result_types);
    const std::size_t count = std::min(results.size(), types.size());
    if (cache_.find(key) == nullptr) {  // filled before the log begins
      std::vector<std::uint32_t> entry;
      for (std::size_t k = 0; k < count; ++k) {
        entry.push_back(
            pool_.allocate(types[k], out_.device, made_by(i, results[k], names, TensorKind::kConstEval)));
      }
      link_copies(names, op, entry);
      cache_.store(pool_, key, entry);
    }
    const std::vector<std::uint32_t>& entry = *cache_.find(key);
    for (std::size_t k = 0; k < count; ++k) {
      const bool there = k < entry.size() && entry[k] != kNone && pool_.is_live(entry[k]);
      names.bind(pool_, results[k], {there ? entry[k] : kNone, types[k], Flow::kWeight});
    }
  }

  void compute(std::uint32_t i, const OpText& op, ProgramNames& names) {
    const auto results = log_.ids(op.results);
    const auto types = log_.ids(op.result_types);
    const auto operands = log_.ids(op.operands);
    const Flow flow = flow_of_operands(names, op);
    out_.is_weight_op[i] = names.const_eval || flow == Flow::kWeight;
    note_uses(names, operands);
    const Binding* first = operands.empty() ? nullptr : names.find(operands[0]);
    const std::uint32_t source = first == nullptr ? kNone : first->buffer;
    const OpPlan plan = plan_of(i, op, source);
    const TensorKind kind = names.const_eval ? TensorKind::kConstEval : TensorKind::kActivation;
    for (std::size_t k = 0; k < std::min(results.size(), types.size()); ++k) {
      const bool shares = k == 0 && plan.shares_operand;
      const std::uint32_t buffer =
          shares ? source : pool_.allocate(types[k], out_.device, made_by(i, results[k], names, kind));
      names.bind(pool_, results[k], {buffer, types[k], flow});
    }
    if (plan.frees_operand && !operands.empty()) {
      const std::uint32_t buffer = names.unbind(pool_, operands[0]);
      if (buffer != kNone) pool_.release(buffer, false);
    }
  }

  void note_uses(ProgramNames& names, std::span<const std::uint32_t> operands) {
    for (const std::uint32_t operand : operands) {
      const Binding* binding = names.find(operand);
      if (binding != nullptr && binding->buffer != kNone) pool_.note_use(binding->buffer);
    }
  }

  /// What the op does with memory: by its text, unless another way explains the measured change and this one
  /// does not.
  OpPlan plan_of(std::uint32_t i, const OpText& op, std::uint32_t source) {
    const auto types = log_.ids(op.result_types);
    PlanContext context;
    for (std::size_t k = 0; k < types.size(); ++k) {
      std::uint8_t memory = 0;
      const std::int64_t size = pool_.size_of(types[k], out_.device, memory);
      context.all_results[memory] = saturating_add(context.all_results[memory], size);
      if (k > 0 || source == kNone) continue;
      context.has_operand = true;
      context.operand_memory = pool_[source].memory;
      context.operand_bytes = pool_[source].bytes_per_bank;
      context.operand_is_freeable = pool_.state(source).names == 1 && pool_.state(source).cache_entries == 0;
      context.first_result_bytes = size;
      context.same_memory = memory == context.operand_memory && size > 0;
    }
    context.measured = curve_.change_by(i);
    return choose_plan(log_, op, context);
  }

  void deallocate(std::uint32_t i, const OpText& op, ProgramNames& names) {
    const auto measured = curve_.change_by(i);
    for (const std::uint32_t name : log_.ids(op.operands)) {
      const std::uint32_t buffer = names.unbind(pool_, name);
      if (buffer == kNone) continue;
      bool keep = rank_.ops[i].retained;
      const std::int64_t size = pool_[buffer].bytes_per_bank;
      if (measured && size > 2 * kRoundingBytes) {  // the measured change overrules the text
        const std::int64_t change = (*measured)[pool_[buffer].memory];
        if (keep && std::abs(change + size) <= kRoundingBytes) keep = false;
        if (!keep && std::abs(change) <= kRoundingBytes && pool_.state(buffer).cache_entries == 0)
          keep = true;
      }
      if (keep) pool_.state(buffer).output = false;
      pool_.release(buffer, keep);
    }
  }

  const RuntimeLog& log_;
  const RankLog& rank_;
  const GraphTable& graphs_;
  const ProfileOptions& options_;
  RankProfile& out_;
  const std::vector<std::uint32_t>& graph_of_;
  MeasuredCurve curve_;
  BufferPool pool_;
  ConstEvalCache cache_;
  ResidentArguments resident_;
  ModeledChanges changes_;
  std::vector<ProgramNames> open_;  ///< [0, depth_) are open; the rest keep their storage for reuse
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> failed_ops_;
  std::vector<bool> calls_program_;
  PerTensorMemory unaccounted_{};  ///< measured less modeled at the last block
};

}  // namespace

ModeledChanges track_live_buffers(const RankInput& input, MemoryProfile& profile) {
  return LiveTracker(input, profile).track();
}

}  // namespace ttscope::mem
