// Names are followed by program instance: every open program has its own table, the names of a const-eval
// program are bound to its caller's operands, and what a program leaves stays resident until the log shows
// otherwise.
#include "mem/analyse/live_tracker.h"

#include <algorithm>

#include "mem/analyse/const_eval_cache.h"
#include "mem/analyse/measured_curve.h"
#include "mem/analyse/program_names.h"
#include "mem/analyse/resident_arguments.h"
#include "mem/analyse/view_rules.h"

namespace ttscope::mem {
namespace {

class LiveTracker {
 public:
  LiveTracker(const RankInput& input, MemoryProfile& profile)
      : trace_(input.trace),
        rank_(trace_.ranks[input.rank]),
        graphs_(input.graphs),
        options_(input.options),
        out_(profile.ranks[input.rank]),
        graph_of_(graphs_.graph_of_instance[input.rank]),
        curve_(rank_),
        pool_(trace_, out_),
        cache_(rank_),
        resident_(graphs_, profile.arguments, out_.device, pool_) {}

  ModelledChanges track() {
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
      const bool all_there = program.end_line == 0 || trace_.is_from_modules();
      const std::optional<PerTensorMemory> measured = curve_.before(event.before_op);
      if (measured && resident_.begins_anew(graph, *measured, cache_)) begin_anew();
      resident_.bind(names, {measured, unaccounted_, all_there});
    }
  }

  /// One log may hold several processes, as that of a test run does: each finds an empty device.
  void begin_anew() {
    pool_.free_unnamed();
    cache_.forget();
    unaccounted_ = {};
  }

  const OpText* caller_of(const ProgramInstance& program) const {
    return program.caller_op == kNone ? nullptr : trace_.text_of(rank_.ops[program.caller_op]);
  }

  void bind_callers_operands(ProgramNames& caller, ProgramNames& callee, const ProgramInstance& program) {
    const OpText* op = caller_of(program);
    if (op == nullptr) return;
    const auto operands = trace_.ids(op->operands);
    for (const GraphArgument& argument : graphs_.arguments[callee.graph]) {
      const std::size_t position = argument_position(trace_.names[argument.ssa]);
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
      const bool is_argument = trace_.names[name].substr(0, 4) == "%arg";
      if (outermost && !is_argument) pool_.state(buffer).output = pool_.state(buffer).home_graph == kNone;
      pool_.release(buffer, outermost && (is_argument || is_left(program, name)));
    }
    --depth_;
  }

  /// Whether a name outlives its program: where the returned values are known, only these do.
  bool is_left(const ProgramInstance& program, std::uint32_t name) const {
    const auto returned = trace_.ids(program.returned);
    return returned.empty() || std::find(returned.begin(), returned.end(), name) != returned.end();
  }

  /// Results of a const-eval (or called) program: the newest live names of the right types, in their order.
  void return_results(ProgramNames& ended, ProgramNames& caller, const ProgramInstance& program) {
    const OpText* op = caller_of(program);
    if (op == nullptr) return;
    const auto results = trace_.ids(op->results);
    const auto types = trace_.ids(op->result_types);
    std::vector<std::pair<std::uint32_t, Binding>> left = ended.in_order();
    std::vector<std::uint32_t> entry(std::min(results.size(), types.size()), kNone);
    const auto returned = trace_.ids(program.returned);
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
    const auto results = trace_.ids(op.results);
    const Binding* first = results.empty() ? nullptr : caller.find(results[0]);
    return results.empty() || (first != nullptr && first->buffer != kNone);
  }

  void link_copies(ProgramNames& caller, const OpText& op, const std::vector<std::uint32_t>& entry) {
    constexpr std::size_t kMostLinks = 1 << 16;  // a real function takes and makes a few tensors
    if (op.operands.count * entry.size() > kMostLinks) return;
    for (const std::uint32_t operand : trace_.ids(op.operands)) {
      const Binding* binding = caller.find(operand);
      if (binding == nullptr || binding->buffer == kNone || binding->flow != Flow::kWeight) continue;
      for (const std::uint32_t copy : entry) {
        if (copy != kNone) pool_.link_copy(binding->buffer, copy);
      }
    }
  }

  // -- ops

  void run_op(std::uint32_t i) {
    const OpText* op = trace_.text_of(rank_.ops[i]);
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
    const auto operands = trace_.ids(op.operands);
    const auto types = trace_.ids(op.input_types);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k < types.size() && !trace_.types[types[k]].is_tensor) continue;
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
    const auto results = trace_.ids(op.results);
    const auto types = trace_.ids(op.result_types);
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
    const auto results = trace_.ids(op.results);
    const auto types = trace_.ids(op.result_types);
    const auto operands = trace_.ids(op.operands);
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
    const auto types = trace_.ids(op.result_types);
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
    return choose_plan(trace_, op, context);
  }

  void deallocate(std::uint32_t i, const OpText& op, ProgramNames& names) {
    const auto measured = curve_.change_by(i);
    for (const std::uint32_t name : trace_.ids(op.operands)) {
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

  const RuntimeTrace& trace_;
  const RankTrace& rank_;
  const GraphTable& graphs_;
  const ProfileOptions& options_;
  RankProfile& out_;
  const std::vector<std::uint32_t>& graph_of_;
  MeasuredCurve curve_;
  BufferPool pool_;
  ConstEvalCache cache_;
  ResidentArguments resident_;
  ModelledChanges changes_;
  std::vector<ProgramNames> open_;  ///< [0, depth_) are open; the rest keep their storage for reuse
  std::size_t depth_ = 0;
  std::vector<std::uint32_t> failed_ops_;
  std::vector<bool> calls_program_;
  PerTensorMemory unaccounted_{};  ///< measured less modelled at the last block
};

}  // namespace

ModelledChanges track_live_buffers(const RankInput& input, MemoryProfile& profile) {
  return LiveTracker(input, profile).track();
}

}  // namespace ttscope::mem
