// Names are followed by program instance: a frame holds the names of one open program, the names of a const-eval program
// are bound to its caller's operands, and what a program leaves stays resident until the log shows otherwise.
#include "analysis/memory/live_tracker.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "analysis/memory/measured_curve.h"
#include "analysis/memory/view_rules.h"
#include "base/flat_map.h"

namespace ttscope::analysis {
namespace {

/// What a value depends on, weakest first: nothing but constants, weights, a program input.
enum class Flow : std::uint8_t { kConstant, kWeight, kActivation };

struct Binding {
  std::uint32_t buffer = kNoId;  ///< kNoId: a host tensor, or not known
  std::uint32_t type = kNoId;
  std::uint32_t order = 0;       ///< of binding, within the frame
  Flow flow = Flow::kActivation;
};

struct Frame {
  std::uint32_t instance = kNoId;
  std::uint32_t graph = kNoId;
  std::uint32_t next_order = 0;
  bool const_eval = false;
  FlatMap<Binding> names;
};

/// Two printed figures differ by up to two roundings from the true change.
constexpr std::int64_t kTolerance = 2 * kLogResolutionBytes;

std::int64_t distance(const PerTensorMemory& a, const PerTensorMemory& b) {
  std::int64_t sum = 0;
  for (std::size_t m = 0; m < kTensorMemoryCount; ++m) sum = saturating_add(sum, std::abs(saturating_add(a[m], -b[m])));
  return sum;
}

class LiveTracker {
 public:
  LiveTracker(const RuntimeTrace& trace, std::uint32_t rank, const GraphTable& graphs, const ProfileOptions& options,
              MemoryProfile& profile)
      : trace_(trace), rank_(trace.ranks[rank]), graphs_(graphs), options_(options), profile_(profile),
        out_(profile.ranks[rank]), graph_of_(graphs.graph_of_instance[rank]), curve_(rank_), pool_(trace, out_) {}

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
    out_.duplicated_weights = pool_.links();  // all of them; the peak's are picked once it is known
    return std::move(changes_);
  }

 private:
  void prepare() {
    changes_.by_op.resize(rank_.ops.size());
    changes_.known.resize(rank_.ops.size(), false);
    changes_.by_event.resize(rank_.events.size());
    out_.accounted.reserve(rank_.ops.size());
    out_.is_weight_op.resize(rank_.ops.size(), false);
    home_buffers_.resize(graphs_.graphs.size());
    for (const auto& [op, key] : rank_.cache_keys) cache_key_of_[op] = key;
    for (const OutOfMemory& failure : rank_.failures) {
      if (failure.last_op != kNoId) failed_ops_.push_back(failure.last_op);
    }
    called_.resize(rank_.ops.size(), false);
    for (const ProgramInstance& program : rank_.programs) {
      if (program.caller_op != kNoId) called_[program.caller_op] = true;
    }
  }

  // -- buffers and names

  std::int64_t size_of(std::uint32_t type, std::uint8_t& memory) const {
    const TensorType& tensor = trace_.types[type];
    if (tensor.buffer != BufferType::kDram && tensor.buffer != BufferType::kL1) return 0;
    memory = tensor.buffer == BufferType::kDram ? 0 : 1;
    return bytes_per_bank(tensor, out_.device);
  }

  std::uint32_t allocate(std::uint32_t type, const Buffer& what) {
    Buffer buffer = what;
    buffer.type = type;
    buffer.bytes_per_bank = size_of(type, buffer.memory);
    return buffer.bytes_per_bank == 0 ? kNoId : pool_.allocate(buffer);
  }

  Frame* frame() { return depth_ == 0 ? nullptr : &frames_[depth_ - 1]; }

  void bind(Frame& frame, std::uint32_t name, std::uint32_t buffer, std::uint32_t type, Flow flow) {
    drop(frame, name);
    if (buffer != kNoId) ++pool_.state(buffer).names;
    frame.names.set(name, {buffer, type, frame.next_order++, flow});
  }

  /// Takes a name away; returns its buffer when no other name has it.
  std::uint32_t unbind(Frame& frame, std::uint32_t name) {
    const Binding* binding = frame.names.find(name);
    if (binding == nullptr) return kNoId;
    const std::uint32_t buffer = binding->buffer;
    frame.names.erase(name);
    if (buffer == kNoId || --pool_.state(buffer).names > 0) return kNoId;
    return buffer;
  }

  /// A name that is bound again loses what it had (a damaged log; SSA names are bound once).
  void drop(Frame& frame, std::uint32_t name) {
    const std::uint32_t buffer = unbind(frame, name);
    if (buffer != kNoId) release(buffer, now_, false);
  }

  /// The buffer has no name any more: freed, or kept for the cache or a later program.
  void release(std::uint32_t buffer, Moment when, bool keep) {
    BufferState& state = pool_.state(buffer);
    if (state.cache_entries > 0 && state.home_graph == kNoId) return;
    if (keep || state.cache_entries > 0) {
      if (!state.resident) pool_.make_resident(buffer, state.output);
    } else {
      pool_.free(buffer, when);
    }
  }

  // -- programs

  void run_event(std::size_t e) {
    const ProgramEvent& event = rank_.events[e];
    const PerTensorMemory before = pool_.accounted();
    const ProgramInstance& program = rank_.programs[event.instance];
    if (event.is_start) {
      now_ = before_op(event.before_op);
      start(event, program);
    } else {
      now_ = event.before_op == 0 ? 0 : after_op(event.before_op - 1);
      end(event.instance, program);
    }
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
      changes_.by_event[e][m] = saturating_add(pool_.accounted()[m], -before[m]);
    }
  }

  void start(const ProgramEvent& event, const ProgramInstance& program) {
    if (frames_.size() == depth_) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.names.clear();
    frame.instance = event.instance;
    frame.graph = graph_of_[event.instance];
    frame.next_order = 0;
    frame.const_eval = graphs_.graphs[frame.graph].const_eval;
    if (program.parent != kNoId && depth_ > 1) {
      bind_callers_operands(frames_[depth_ - 2], frame, program);
    } else {
      bind_arguments(frame, event.before_op);
    }
  }

  void bind_callers_operands(Frame& caller, Frame& callee, const ProgramInstance& program) {
    const OpText* op = program.caller_op == kNoId ? nullptr : trace_.text_of(rank_.ops[program.caller_op]);
    if (op == nullptr) return;
    const auto operands = trace_.ids(op->operands);
    for (const GraphArgument& argument : graphs_.arguments[callee.graph]) {
      const std::size_t position = position_of(argument.ssa);
      if (position >= operands.size()) continue;
      const Binding* binding = caller.names.find(operands[position]);
      if (binding == nullptr) continue;
      const Binding copy = *binding;
      bind(callee, argument.ssa, copy.buffer, argument.written_type, copy.flow);
    }
  }

  std::size_t position_of(std::uint32_t ssa) const {
    std::size_t number = 0;
    for (const char c : trace_.names[ssa].substr(4)) {
      if (c < '0' || c > '9' || number > 0xffffff) return 0xffffffff;
      number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    return number;
  }

  /// Arguments of an outermost program are on the device before its first op: the tensor that the same argument left
  /// there, an earlier program's output or another resident tensor of the same type, or a new one.
  void bind_arguments(Frame& frame, std::uint32_t first_op) {
    const std::vector<GraphArgument>& arguments = graphs_.arguments[frame.graph];
    std::vector<std::uint32_t>& homes = home_buffers_[frame.graph];
    homes.resize(arguments.size(), kNoId);
    std::vector<std::uint32_t> found(arguments.size(), kNoId);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      found[k] = take_home(homes[k], frame.graph, static_cast<std::uint32_t>(k));
      if (found[k] == kNoId && arguments[k].type != kNoId) found[k] = pool_.find_resident(arguments[k].type);
      if (found[k] != kNoId) pool_.take(found[k]);
    }
    const std::vector<std::uint32_t> untaken = pool_.untaken_outputs();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
      bind_argument(frame, static_cast<std::uint32_t>(k), found[k]);
      homes[k] = last_bound_;
    }
    settle_outputs(untaken, first_op);
  }

  std::uint32_t take_home(std::uint32_t buffer, std::uint32_t graph, std::uint32_t argument) {
    if (buffer == kNoId || !pool_.is_live(buffer)) return kNoId;
    const BufferState& state = pool_.state(buffer);
    return state.resident && state.home_graph == graph && state.home_argument == argument ? buffer : kNoId;
  }

  void bind_argument(Frame& frame, std::uint32_t k, std::uint32_t buffer) {
    const GraphArgument& argument = graphs_.arguments[frame.graph][k];
    TensorKind kind = TensorKind::kUnknown;
    Flow flow = Flow::kActivation;
    if (argument.argument != kNoId) {
      const Argument& described = profile_.arguments[argument.argument];
      if (described.is_weight()) kind = TensorKind::kWeight;
      if (described.role == ArgumentRole::kInput) kind = TensorKind::kInput;
      if (described.is_weight()) flow = Flow::kWeight;
    }
    if (buffer == kNoId && argument.type != kNoId) {
      Buffer fresh;
      fresh.born = now_;
      buffer = allocate(argument.type, fresh);
    }
    if (buffer != kNoId) {
      Buffer& edited = pool_.edit(buffer);
      edited.kind = kind;
      edited.name = argument.ssa;
      edited.instance = frame.instance;
      edited.argument = argument.argument;
      pool_.state(buffer).home_graph = frame.graph;
      pool_.state(buffer).home_argument = k;
    }
    last_bound_ = buffer;
    bind(frame, argument.ssa, buffer, argument.written_type, flow);
  }

  /// Outputs of earlier programs that this one does not take are freed, as a rule; the measured state says when not.
  void settle_outputs(const std::vector<std::uint32_t>& untaken, std::uint32_t first_op) {
    PerTensorMemory freed{};
    for (const std::uint32_t buffer : untaken) {
      freed[pool_[buffer].memory] = saturating_add(freed[pool_[buffer].memory], pool_[buffer].bytes_per_bank);
    }
    bool keep = false;
    const auto measured = curve_.before(first_op);
    if (measured && unaccounted_known_) {
      PerTensorMemory kept_state{};
      PerTensorMemory freed_state{};
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
        kept_state[m] = saturating_add(pool_.accounted()[m], unaccounted_[m]);
        freed_state[m] = saturating_add(kept_state[m], -freed[m]);
      }
      keep = distance(kept_state, *measured) < distance(freed_state, *measured);
    }
    for (const std::uint32_t buffer : untaken) {
      if (keep) {
        pool_.make_resident(buffer, false);
        kept_outputs_.push_back(buffer);
      } else {
        pool_.free(buffer, now_);
      }
    }
    if (measured) free_outputs_gone(*measured);
  }

  /// Kept outputs that the measured state leaves no room for are gone; looked at newest first, a few at a time.
  void free_outputs_gone(const PerTensorMemory& measured) {
    for (int tries = 64; tries > 0 && !kept_outputs_.empty(); --tries) {
      const std::uint32_t buffer = kept_outputs_.back();
      const std::uint8_t m = pool_[buffer].memory;
      const std::int64_t excess = pool_.accounted()[m] - measured[m];
      const bool still_kept = pool_.is_live(buffer) && pool_.state(buffer).resident;
      if (still_kept && pool_[buffer].bytes_per_bank > excess + kTolerance) return;
      kept_outputs_.pop_back();
      if (still_kept) pool_.free(buffer, now_);
    }
  }

  void end(std::uint32_t instance, const ProgramInstance& program) {
    if (depth_ == 0 || frames_[depth_ - 1].instance != instance) return;
    Frame& ended = frames_[depth_ - 1];
    if (program.parent != kNoId && depth_ > 1) {
      return_results(ended, frames_[depth_ - 2], program);
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> names;  // (order, name): hash order must not show
    ended.names.for_each([&](std::uint32_t name, const Binding& binding) { names.emplace_back(binding.order, name); });
    std::sort(names.begin(), names.end());
    const bool outermost = program.parent == kNoId || depth_ == 1;
    for (const auto& [order, name] : names) {
      const bool is_argument = trace_.names[name].substr(0, 4) == "%arg";
      const std::uint32_t buffer = unbind(ended, name);
      if (buffer == kNoId) continue;
      if (outermost && !is_argument) pool_.state(buffer).output = pool_.state(buffer).home_graph == kNoId;
      release(buffer, now_, outermost);
    }
    --depth_;
  }

  /// Results of a const-eval (or called) program: the newest live names of the right types, in their order.
  void return_results(Frame& ended, Frame& caller, const ProgramInstance& program) {
    const OpText* op = program.caller_op == kNoId ? nullptr : trace_.text_of(rank_.ops[program.caller_op]);
    if (op == nullptr) return;
    const auto results = trace_.ids(op->results);
    const auto types = trace_.ids(op->result_types);
    std::vector<std::pair<std::uint32_t, Binding>> left;
    ended.names.for_each([&](std::uint32_t, const Binding& binding) { left.emplace_back(binding.order, binding); });
    std::sort(left.begin(), left.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::uint32_t> entry;
    for (std::size_t k = std::min(results.size(), types.size()); k-- > 0;) {
      std::uint32_t buffer = kNoId;
      for (std::size_t at = left.size(); at-- > 0;) {
        if (left[at].second.type != types[k]) continue;
        buffer = left[at].second.buffer;
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      bind(caller, results[k], buffer, types[k], flow_of_operands(caller, *op));
      entry.push_back(buffer);
    }
    std::reverse(entry.begin(), entry.end());
    if (op->role != OpRole::kLoadCached) return;
    link_copies(caller, *op, entry);
    store_in_cache(cache_key(program.caller_op, *op), entry);
  }

  void link_copies(Frame& caller, const OpText& op, const std::vector<std::uint32_t>& entry) {
    for (const std::uint32_t operand : trace_.ids(op.operands)) {
      const Binding* binding = caller.names.find(operand);
      if (binding == nullptr || binding->buffer == kNoId || binding->flow != Flow::kWeight) continue;
      for (const std::uint32_t copy : entry) {
        if (copy != kNoId) pool_.link_copy(binding->buffer, copy);
      }
    }
  }

  // -- const-eval cache

  /// The hash when the runtime prints it, else the function's name within the outermost graph.
  std::uint64_t cache_key(std::uint32_t op_index, const OpText& op) {
    const auto found = cache_key_of_.find(op_index);
    if (found != cache_key_of_.end()) return found->second;
    return (std::uint64_t{frames_[0].graph} + 1) << 32 | op.callee;
  }

  void store_in_cache(std::uint64_t key, const std::vector<std::uint32_t>& entry) {
    for (const std::uint32_t buffer : entry) {
      if (buffer == kNoId) continue;
      ++pool_.state(buffer).cache_entries;
      if (pool_.state(buffer).home_graph == kNoId) pool_.edit(buffer).kind = TensorKind::kConstEval;
    }
    std::vector<std::uint32_t> old = std::move(cache_[key]);
    cache_[key] = entry;
    for (const std::uint32_t buffer : old) {
      if (buffer == kNoId) continue;
      BufferState& state = pool_.state(buffer);
      if (--state.cache_entries == 0 && state.names == 0 && !state.resident) pool_.free(buffer, now_);
    }
  }

  // -- ops

  void run_op(std::uint32_t i) {
    const OpText* op = trace_.text_of(rank_.ops[i]);
    now_ = after_op(i);
    const PerTensorMemory before = pool_.accounted();
    if (const auto measured = curve_.before(i)) {
      for (std::size_t m = 0; m < kTensorMemoryCount; ++m) unaccounted_[m] = (*measured)[m] - before[m];
      unaccounted_known_ = true;
    }
    const bool failed = std::binary_search(failed_ops_.begin(), failed_ops_.end(), i);
    if (op != nullptr && op->role != OpRole::kUnparsed) {
      changes_.known[i] = true;
      if (!failed) apply(i, *op);
    }
    for (std::size_t m = 0; m < kTensorMemoryCount; ++m) {
      changes_.by_op[i][m] = saturating_add(pool_.accounted()[m], -before[m]);
    }
  }

  void apply(std::uint32_t i, const OpText& op) {
    if (depth_ == 0) open_unnamed_frame();
    Frame& here = *frame();
    switch (op.role) {
      case OpRole::kDeallocate:
        return deallocate(i, op, here);
      case OpRole::kLoadCached:
        out_.is_weight_op[i] = true;
        if (!called_[i]) load_from_cache(i, op, here);
        return;
      case OpRole::kGetDevice:
      case OpRole::kUnparsed:
        return;
      case OpRole::kCall:
        if (!called_[i]) compute(i, op, here);
        return;
      case OpRole::kCompute:
        return compute(i, op, here);
    }
  }

  /// Ops outside any program (a log that begins in the middle) share a frame of their own.
  void open_unnamed_frame() {
    if (frames_.empty()) frames_.emplace_back();
    frames_[0].names.clear();
    frames_[0].instance = kNoId;
    frames_[0].graph = kNoId;
    depth_ = 1;
  }

  Flow flow_of_operands(Frame& here, const OpText& op) {
    Flow flow = Flow::kConstant;
    const auto operands = trace_.ids(op.operands);
    const auto types = trace_.ids(op.input_types);
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k < types.size() && !trace_.types[types[k]].is_tensor) continue;
      const Binding* binding = here.names.find(operands[k]);
      flow = std::max(flow, binding == nullptr ? Flow::kActivation : binding->flow);
    }
    return flow;
  }

  void load_from_cache(std::uint32_t i, const OpText& op, Frame& here) {
    const std::uint64_t key = cache_key(i, op);
    const auto results = trace_.ids(op.results);
    const auto types = trace_.ids(op.result_types);
    const auto found = cache_.find(key);
    if (found == cache_.end()) {  // filled before the log begins, or a hit of an entry that was never seen
      std::vector<std::uint32_t> entry;
      for (std::size_t k = 0; k < std::min(results.size(), types.size()); ++k) {
        entry.push_back(allocate(types[k], made_by(i, results[k], here, TensorKind::kConstEval)));
      }
      link_copies(here, op, entry);
      store_in_cache(key, entry);
    }
    const std::vector<std::uint32_t>& entry = cache_[key];
    for (std::size_t k = 0; k < std::min(results.size(), types.size()); ++k) {
      const std::uint32_t buffer = k < entry.size() && entry[k] != kNoId && pool_.is_live(entry[k]) ? entry[k] : kNoId;
      bind(here, results[k], buffer, types[k], Flow::kWeight);
    }
  }

  Buffer made_by(std::uint32_t op, std::uint32_t name, const Frame& here, TensorKind kind) const {
    Buffer buffer;
    buffer.name = name;
    buffer.instance = here.instance;
    buffer.producer_op = op;
    buffer.born = after_op(op);
    buffer.kind = kind;
    return buffer;
  }

  void compute(std::uint32_t i, const OpText& op, Frame& here) {
    const auto results = trace_.ids(op.results);
    const auto types = trace_.ids(op.result_types);
    const auto operands = trace_.ids(op.operands);
    const Flow flow = flow_of_operands(here, op);
    out_.is_weight_op[i] = here.const_eval || flow == Flow::kWeight;
    const Binding* first = operands.empty() ? nullptr : here.names.find(operands[0]);
    const std::uint32_t source = first == nullptr ? kNoId : first->buffer;
    OpPlan plan = plan_of(i, op, source);
    for (std::size_t k = 0; k < std::min(results.size(), types.size()); ++k) {
      const bool shares = k == 0 && plan.shares_operand;
      const TensorKind kind = here.const_eval ? TensorKind::kConstEval : TensorKind::kActivation;
      const std::uint32_t buffer = shares ? source : allocate(types[k], made_by(i, results[k], here, kind));
      bind(here, results[k], buffer, types[k], flow);
    }
    if (plan.frees_operand && !operands.empty()) {
      const std::uint32_t buffer = unbind(here, operands[0]);
      if (buffer != kNoId) release(buffer, now_, false);
    }
  }

  /// What the op does with memory: by its text, unless another way explains the measured change and this one does not.
  OpPlan plan_of(std::uint32_t i, const OpText& op, std::uint32_t source) {
    const auto types = trace_.ids(op.result_types);
    PerTensorMemory grown{};
    for (const std::uint32_t type : types) {
      std::uint8_t memory = 0;
      const std::int64_t size = size_of(type, memory);
      grown[memory] = saturating_add(grown[memory], size);
    }
    PlanContext context;
    context.all_results = grown;
    if (source != kNoId && !types.empty()) {
      context.has_operand = true;
      context.operand_memory = pool_[source].memory;
      context.operand_bytes = pool_[source].bytes_per_bank;
      context.operand_is_freeable = pool_.state(source).names == 1 && pool_.state(source).cache_entries == 0;
      std::uint8_t memory = 0;
      context.first_result_bytes = size_of(types[0], memory);
      context.same_memory = memory == context.operand_memory && context.first_result_bytes > 0;
    }
    context.measured = curve_.change_by(i);
    return choose_plan(trace_, op, context);
  }

  void deallocate(std::uint32_t i, const OpText& op, Frame& here) {
    const auto measured = curve_.change_by(i);
    for (const std::uint32_t name : trace_.ids(op.operands)) {
      const std::uint32_t buffer = unbind(here, name);
      if (buffer == kNoId) continue;
      bool keep = rank_.ops[i].retained;
      const std::int64_t size = pool_[buffer].bytes_per_bank;
      if (measured && size > 2 * kTolerance) {  // the measured change overrules the text
        const std::int64_t change = (*measured)[pool_[buffer].memory];
        if (keep && std::abs(change + size) <= kTolerance) keep = false;
        if (!keep && std::abs(change) <= kTolerance && pool_.state(buffer).cache_entries == 0) keep = true;
      }
      if (keep) pool_.state(buffer).output = false;
      release(buffer, now_, keep);
    }
  }

  const RuntimeTrace& trace_;
  const RankTrace& rank_;
  const GraphTable& graphs_;
  const ProfileOptions& options_;
  MemoryProfile& profile_;
  RankProfile& out_;
  const std::vector<std::uint32_t>& graph_of_;
  MeasuredCurve curve_;
  BufferPool pool_;
  ModelledChanges changes_;
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
  Moment now_ = 0;
  std::uint32_t last_bound_ = kNoId;
  std::vector<std::vector<std::uint32_t>> home_buffers_;  ///< [graph][argument]
  std::vector<std::uint32_t> kept_outputs_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> cache_;
  std::unordered_map<std::uint32_t, std::uint32_t> cache_key_of_;
  std::vector<std::uint32_t> failed_ops_;
  std::vector<bool> called_;
  PerTensorMemory unaccounted_{};
  bool unaccounted_known_ = false;
};

}  // namespace

ModelledChanges track_live_buffers(const RuntimeTrace& trace, std::uint32_t rank, const GraphTable& graphs,
                                   const ProfileOptions& options, MemoryProfile& profile) {
  return LiveTracker(trace, rank, graphs, options, profile).track();
}

}  // namespace ttscope::analysis
