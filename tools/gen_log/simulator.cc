#include "simulator.h"

#include <algorithm>
#include <stdexcept>

#include "session_text.h"

namespace ttscope::gen_log {

namespace {

using Source = RankLog::Source;

constexpr int kNoBuffer = -1;
constexpr int kAllocationFailed = -2;
constexpr std::int64_t kMicrosecondsPerOp = 180;

std::string_view kind_of(const Argument& argument) {
  return argument.kind == Argument::Kind::kInput ? "input" : "weight";
}

std::uint64_t mixed(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15U;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

}  // namespace

Simulator::Simulator(const Workload& workload, const Device& device, const RunPlan& plan, Sinks sinks)
    : workload_(workload),
      device_(device),
      plan_(plan),
      log_(sinks.log),
      truth_(sinks.truth),
      output_(sinks.output),
      arguments_(workload.main.arguments.size(), kNoBuffer),
      cache_(workload.const_evals.size()) {
  memories_.emplace_back(plan.dram_bytes_per_bank, device.alignment, FreeList::Direction::kBottomUp);
  memories_.emplace_back(plan.l1_bytes_per_bank, device.alignment, FreeList::Direction::kTopDown);
}

States Simulator::states() const { return {memories_[0].state(), memories_[1].state()}; }

std::string Simulator::name_of(ValueId value) const {
  std::string name;
  append_value_name(name, {*frames_.back().program, repetition()}, value);
  return name;
}

std::string Simulator::hash_of(const std::string& function) const {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t state = plan_.seed;
  for (const char c : function) state = mixed(state ^ static_cast<unsigned char>(c));
  std::string text;
  while (text.size() < 64) {
    state = mixed(state);
    for (int shift = 0; shift < 64; shift += 4) text += kDigits[(state >> shift) & 15U];
  }
  return text;
}

bool Simulator::more_runs() const {
  if (run_ + 1 < plan_.runs) return true;
  return output_ != nullptr && output_->bytes() < plan_.target_bytes;
}

bool Simulator::step() {
  if (finished_) return false;
  if (frames_.empty()) {
    if (run_ >= 0 && (plan_.keep_live || !more_runs())) {
      print_session_end(log_);
      finished_ = true;
    } else {
      begin_run();
    }
    return true;
  }
  Frame& current = frame();
  if (current.next_op < current.program->ops.size()) {
    execute(current.program->ops[current.next_op++]);
  } else if (plan_.keep_live && frames_.size() == 1 && more_runs()) {
    current.next_op = current.program->body_begin;
    ++run_;
    if (plan_.print.distinct_locations) suffix_ = "_r" + std::to_string(run_ + 1);
  } else {
    end_program();
  }
  return true;
}

void Simulator::begin_run() {
  ++run_;
  if (plan_.print.distinct_locations && run_ > 0) suffix_ = "_r" + std::to_string(run_ + 1);
  print_run_start(log_, run_, plan_.print.ops);
  own_growth_ = {};
  drop_previous_run();
  Frame main;
  main.program = &workload_.main;
  begin_program(std::move(main));
}

void Simulator::drop_previous_run() {
  if (!plan_.keep_outputs) {
    for (const int slot : outputs_) release(slot);
  }
  outputs_.clear();
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!workload_.main.arguments[i].new_each_run || arguments_[i] == kNoBuffer) continue;
    release(arguments_[i]);
    arguments_[i] = kNoBuffer;
  }
}

/// Weights stay where the first run put them; inputs are new.
void Simulator::upload_arguments(Frame& main) {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& argument = main.program->arguments[i];
    if (run_ == 0 || argument.new_each_run) {
      LiveTensor description{
          "%arg" + std::to_string(i), argument.model_name, main.id, kind_of(argument), 0, nullptr};
      arguments_[i] = allocate(argument.type, std::move(description));
      if (arguments_[i] == kAllocationFailed) {
        throw std::runtime_error("the weights do not fit the device: use fewer layers or a smaller --hidden");
      }
      if (arguments_[i] >= 0) buffers_[static_cast<std::size_t>(arguments_[i])].pinned = true;
    }
    main.bound[argument.value] = arguments_[i];
  }
}

void Simulator::begin_program(Frame next) {
  const bool outermost = frames_.empty();
  next.id = program_count_++;
  next.bound.resize(next.program->values.size(), kNoBuffer);
  if (truth_ != nullptr) {
    truth_->begin_program({next.id, next.program->name, outermost ? -1 : frame().id, run_, 0});
  }
  if (outermost) {
    upload_arguments(next);
    if (truth_ != nullptr) truth_->boundary("program start", next.id, own_growth_);
    const States now = states();
    if (plan_.print.program_level) log_.memory_block("before submit", now[0], now[1]);
  }
  if (plan_.print.ops) {
    log_.line(Source::kRuntimeDebug, "Starting execution of program: " + next.program->name);
    log_.mark(Truth::mark_of_program(next.id));
  }
  frames_.push_back(std::move(next));
}

void Simulator::end_program() {
  const Frame ended = std::move(frames_.back());
  frames_.pop_back();
  if (plan_.print.ops)
    log_.line(Source::kRuntimeDebug, "Finished execution of program: " + ended.program->name);
  if (frames_.empty()) {
    end_main(ended);
  } else {
    end_const_eval(ended);
  }
}

void Simulator::end_const_eval(const Frame& ended) {
  if (plan_.print.ops) log_.line(Source::kAlwaysDebug, "executed sub-func: " + ended.program->name);
  Frame& parent = frame();
  const Op& op = parent.program->ops[parent.next_op - 1];
  std::vector<int>& entry = cache_[op.callee_index];
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    const int slot = ended.bound[ended.program->returns[i]];
    entry.push_back(slot);
    if (slot >= 0) buffers_[static_cast<std::size_t>(slot)].pinned = true;
    parent.bound[op.results[i]] = slot;
  }
  if (truth_ != nullptr) truth_->finish_op(ended.loading_op, {}, states());
}

void Simulator::end_main(const Frame& ended) {
  for (const ValueId value : ended.program->returns) {
    const int slot = ended.bound[value];
    if (slot >= 0 && !buffers_[static_cast<std::size_t>(slot)].pinned) outputs_.push_back(slot);
  }
  own_growth_ = {};
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    const int slot = static_cast<int>(i);
    const bool left_over = buffers_[i].id >= 0 && buffers_[i].instance == ended.id && !buffers_[i].pinned;
    if (left_over && std::find(outputs_.begin(), outputs_.end(), slot) == outputs_.end()) release(slot);
  }
  if (truth_ != nullptr) truth_->boundary("program end", ended.id, own_growth_);
  const States now = states();
  if (plan_.print.program_level) log_.memory_block("after submit", now[0], now[1]);
  print_run_end(log_, ended.program->values[ended.program->returns.front()].type->spec.shape);
}

void Simulator::execute(const Op& op) {
  const std::int64_t index = op_count_++;
  const States before = states();
  own_growth_ = {};
  log_.advance_clock(kMicrosecondsPerOp);
  print_op(op, index, before);
  if (truth_ != nullptr) record_op(op, index, before);
  apply(op, index);
}

void Simulator::print_op(const Op& op, std::int64_t index, const States& before) {
  if (plan_.print.ops) {
    log_.begin_line(Source::kRuntimeDebug);
    log_.buffer() += "Executing operation: ";
    append_op_text(log_.buffer(), {*frame().program, repetition(), suffix_}, op);
    log_.end_line();
    log_.mark(Truth::mark_of_op(index));
  }
  if (plan_.print.memory) {
    constexpr std::size_t kLinesAfterHeader = 4;
    log_.memory_block(op.moment, before[0], before[1]);
    if (!plan_.print.ops) log_.mark(Truth::mark_of_op(index), kLinesAfterHeader);
  }
}

void Simulator::record_op(const Op& op, std::int64_t index, const States& before) {
  OpRecord record;
  record.index = index;
  record.instance = frame().id;
  record.op = op.name;
  record.loc = op.location_text;
  if (op.location_cut != std::string::npos) record.loc.insert(op.location_cut, suffix_);
  record.before = before;
  record.view = op.effect == Effect::kView;
  for (const ValueId value : op.results) {
    record.results.emplace_back(name_of(value), frame().program->values[value].type);
  }
  truth_->begin_op(std::move(record));
}

void Simulator::apply(const Op& op, std::int64_t index) {
  Frame& current = frame();
  switch (op.effect) {
    case Effect::kNone:
      break;
    case Effect::kLoadCached:
      load_cached(op, index);
      return;
    case Effect::kDeallocate:
      deallocate(op);
      break;
    case Effect::kView: {
      const int slot = current.bound[op.operands.front()];
      current.bound[op.results.front()] = slot;
      if (slot >= 0) ++buffers_[static_cast<std::size_t>(slot)].references;
      break;
    }
    case Effect::kAllocate:
      if (frames_.size() == 1) last_computing_op_ = index;
      if (plan_.failure && index == plan_.fail_at_op) return fail_without_allocation(op, index);
      for (const ValueId value : op.results) {
        LiveTensor description{"", "",     current.id, frames_.size() > 1 ? "const_eval" : "activation",
                               0,  nullptr};
        if (truth_ != nullptr) description.name = name_of(value);
        const int slot = allocate(current.program->values[value].type, std::move(description));
        if (slot == kAllocationFailed) {
          fail(op, index, value);
          return;
        }
        current.bound[value] = slot;
      }
      break;
  }
  if (truth_ != nullptr) truth_->finish_op(index, own_growth_, states());
}

void Simulator::load_cached(const Op& op, std::int64_t index) {
  const Program& function = workload_.const_evals[op.callee_index];
  const std::vector<int>& entry = cache_[op.callee_index];
  const bool hit = !entry.empty();
  if (plan_.print.ops) {
    log_.line(Source::kAlwaysDebug,
              "Running LoadCachedOp for function " + op.callee + " with hash: " + hash_of(op.callee));
    log_.line(Source::kAlwaysDebug,
              (hit ? "Cache hit for function: " : "Cache miss or invalid cache for function: ") + op.callee);
  }
  if (hit) {
    for (std::size_t i = 0; i < entry.size(); ++i) frame().bound[op.results[i]] = entry[i];
    if (truth_ != nullptr) truth_->finish_op(index, own_growth_, states());
    return;
  }
  Frame nested;
  nested.program = &function;
  nested.loading_op = index;
  nested.bound.resize(function.values.size(), kNoBuffer);
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    nested.bound[function.arguments[i].value] = frame().bound[op.operands[i]];
  }
  begin_program(std::move(nested));
}

void Simulator::deallocate(const Op& op) {
  int& bound = frame().bound[op.operands.front()];
  const int slot = bound;
  bound = kNoBuffer;
  if (op.retained) {
    if (plan_.print.ops) {
      log_.line(Source::kAlwaysDebug,
                "Tensor is retained thus not deallocating. To deallocate, set retain to false first");
    }
    return;
  }
  if (slot < 0) return;
  Buffer& buffer = buffers_[static_cast<std::size_t>(slot)];
  if (--buffer.references == 0 && !buffer.pinned) release(slot);
}

int Simulator::allocate(const TensorType* type, LiveTensor description) {
  const std::optional<Memory> memory = type->memory();
  if (!memory) return kNoBuffer;
  FreeList& list = memories_[index_of(*memory)];
  const std::int64_t bytes = list.rounded(type->bytes_per_bank(device_));
  const std::optional<std::int64_t> address = list.allocate(bytes);
  if (!address) return kAllocationFailed;
  note_raise(*memory, *memory == Memory::kDram ? *address + bytes : list.size_bytes() - *address, bytes);

  int slot = static_cast<int>(buffers_.size());
  if (free_slots_.empty()) {
    buffers_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  Buffer& buffer = buffers_[static_cast<std::size_t>(slot)];
  buffer = {type, *memory, *address, bytes, allocation_count_++, description.instance, 1, false};
  own_growth_[index_of(*memory)] += bytes;
  if (truth_ != nullptr) {
    description.bytes_per_bank = bytes;
    description.type = type;
    truth_->allocated(*memory, buffer.id, std::move(description));
  }
  return slot;
}

void Simulator::release(int slot) {
  Buffer& buffer = buffers_[static_cast<std::size_t>(slot)];
  memories_[index_of(buffer.memory)].release(buffer.address, buffer.bytes);
  own_growth_[index_of(buffer.memory)] -= buffer.bytes;
  if (truth_ != nullptr) truth_->released(buffer.memory, buffer.id);
  buffer.id = -1;
  free_slots_.push_back(slot);
}

}  // namespace ttscope::gen_log
