#include "mem/read/runtime_log/rank_builder.h"

#include <algorithm>

#include "base/text_search.h"
#include "mem/read/runtime_log/crash.h"

namespace ttscope::mem {

void RankBuilder::expect_bytes(std::uint64_t log_bytes) {
  const std::size_t ops = expected_ops(log_bytes);
  rank_.ops.reserve(ops);
  rank_.blocks.reserve(ops);
}

void RankBuilder::add_op(std::uint32_t text, std::uint32_t loc, std::uint32_t line) {
  check_last_block();
  ExecutedOp op;
  op.text = text;
  op.loc = loc;
  op.line = line;
  op.instance = open_programs_.empty() ? kNone : open_programs_.back();
  if (pending_ops_.size() == kMostPending) pending_ops_.pop_front();
  pending_ops_.push_back(op_count());
  rank_.ops.push_back(op);
  running_op_ = op_count() - 1;
  program_ended_since_op_ = false;
}

std::uint32_t RankBuilder::add_op_without_line(std::string_view op_type, std::uint32_t line) {
  ExecutedOp op;
  op.line = line;
  op.op_type = tables_.name(op_type);
  op.instance = open_programs_.empty() ? kNone : open_programs_.back();
  rank_.ops.push_back(op);
  program_ended_since_op_ = false;
  return running_op_ = op_count() - 1;
}

/// The op whose state a header announces. The newest op without a block is the rule; an older one of the
/// right type when lines were displaced; an op of its own when no op line fits (lost, or op lines are not
/// logged).
std::uint32_t RankBuilder::owner_of_block(const ScannedBlock& block, std::uint32_t line) {
  std::uint32_t owner = kNone;
  TypeFit best = TypeFit::kNo;
  for (auto it = pending_ops_.rbegin(); it != pending_ops_.rend() && best != TypeFit::kYes; ++it) {
    const TypeFit fit =
        block.op_type.empty() ? TypeFit::kYes : fit_of(trace_.name_of(rank_.ops[*it]), block.op_type);
    if (fit > best) {
      best = fit;
      owner = *it;
    }
  }
  if (owner != kNone) {
    if (owner + 1 != op_count()) trace_.problems.add(LogProblem::kBlockDisplaced, place(line));
    pending_ops_.erase(std::find(pending_ops_.begin(), pending_ops_.end(), owner));
    return make_room_for_block(owner);
  }
  if (block.op_type.empty()) return kNone;
  trace_.problems.add(LogProblem::kBlockWithoutOp, place(line));
  return add_op_without_line(block.op_type, line);
}

/// Several op lines may come before their blocks. The blocks come in the order of the ops: when the ops
/// behind `owner` have blocks already, each of those is the op's before it, and the new one is the last op's.
std::uint32_t RankBuilder::make_room_for_block(std::uint32_t owner) {
  const std::uint32_t last = op_count() - 1;
  for (std::uint32_t i = owner; i < last; ++i) {
    const ExecutedOp& next = rank_.ops[i + 1];
    const bool fits = next.block != kNone && next.op_type != kNone &&
                      fit_of(trace_.name_of(rank_.ops[i]), trace_.names[next.op_type]) != TypeFit::kNo;
    if (!fits) return owner;
  }
  for (std::uint32_t i = owner; i < last; ++i) {
    rank_.ops[i].block = rank_.ops[i + 1].block;
    rank_.ops[i].op_type = rank_.ops[i + 1].op_type;
    rank_.blocks[rank_.ops[i].block].before_op = i;
  }
  return last;
}

/// Views without a header continue the open block, up to the first that it has already: a chunk may begin
/// inside a block. They are taken out of `block`; true when none is left.
bool RankBuilder::merge_into_last_block(ScannedBlock& block, std::uint32_t first_line) {
  MemoryBlock& last = rank_.blocks.back();
  std::uint32_t end = kNone;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if ((block.present & last.present) >> m & 1) end = std::min(end, block.view_line[m]);
  }
  ScannedBlock head = block;
  block.line = end;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    ScannedBlock& other = block.view_line[m] < end ? block : head;
    other.present = static_cast<std::uint8_t>(other.present & ~(1u << m));
  }
  copy_views(head, first_line, last);
  return block.present == 0;
}

void RankBuilder::add_block(const ScannedBlock& block, std::uint32_t first_line) {
  if (block.has_header || !block_open_) return store_block(block, first_line);
  ScannedBlock rest = block;
  if (!merge_into_last_block(rest, first_line)) store_block(rest, first_line);
}

void RankBuilder::store_block(const ScannedBlock& block, std::uint32_t first_line) {
  check_last_block();
  const std::uint32_t line = first_line + block.line;
  MemoryBlock stored;
  stored.geometry = kNone;
  stored.line = line;
  stored.moment = block.moment;
  stored.before_op = op_count();
  if (block.moment == MemoryBlock::Moment::kBeforeOp) {
    const std::uint32_t owner = owner_of_block(block, line);
    if (owner != kNone) {
      ExecutedOp& op = rank_.ops[owner];
      op.block = static_cast<std::uint32_t>(rank_.blocks.size());
      if (!block.op_type.empty()) op.op_type = tables_.name(block.op_type);
      stored.before_op = owner;
    }
  }
  if (!rank_.blocks.empty()) {  // views that are not printed repeat what is known
    const MemoryBlock& last = rank_.blocks.back();
    stored.geometry = last.geometry;
    stored.allocated = last.allocated;
    stored.free = last.free;
    stored.largest_free = last.largest_free;
  }
  copy_views(block, first_line, stored);
  rank_.blocks.push_back(stored);
  block_open_ = true;
}

void RankBuilder::copy_views(const ScannedBlock& from, std::uint32_t first_line, MemoryBlock& to) {
  for (const Memory memory : kMemories) {
    const std::size_t m = index_of(memory);
    if ((from.present >> m & 1) == 0) continue;
    to.allocated[m] = from.allocated[m];
    to.free[m] = from.free[m];
    to.largest_free[m] = from.largest_free[m];
    to.view_line[m] = first_line + from.view_line[m];
    const std::int64_t sum = std::int64_t{from.allocated[m]} + from.free[m];
    if (std::abs(sum - std::int64_t{from.total[m]}) > 2) {
      trace_.problems.add(LogProblem::kViewInconsistent, place(to.view_line[m]));
    }
  }
  to.geometry = geometry_of(from, to);
  to.present = static_cast<std::uint8_t>(to.present | from.present);
}

std::uint32_t RankBuilder::geometry_of(const ScannedBlock& block, const MemoryBlock& to) {
  Geometry geometry;
  if (to.geometry < trace_.geometries.size()) geometry = trace_.geometries[to.geometry];
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if ((block.present >> m & 1) == 0) continue;
    geometry.banks[m] = block.banks[m];
    geometry.total[m] = block.total[m];
  }
  // A log has one or two geometries; the newest is nearly always the one.
  for (std::size_t i = trace_.geometries.size(); i-- > 0;) {
    if (trace_.geometries[i] == geometry) return static_cast<std::uint32_t>(i);
    if (trace_.geometries.size() - i > 16) break;
  }
  trace_.geometries.push_back(geometry);
  return static_cast<std::uint32_t>(trace_.geometries.size() - 1);
}

/// Called when a block can get no more views.
void RankBuilder::check_last_block() {
  if (!block_open_) return;
  block_open_ = false;
  const MemoryBlock& block = rank_.blocks.back();
  if (block.present != 0xf) trace_.problems.add(LogProblem::kBlockIncomplete, place(block.line));
}

/// A program runs inside another when its name says so, or when the op before it calls programs. Anything
/// else that starts while programs are open means that those were left by a crash.
bool RankBuilder::is_nested_start(std::string_view name) const {
  if (open_programs_.empty()) return false;
  if (name.find("_const_eval_") != std::string_view::npos) return true;
  const ProgramInstance& top = rank_.programs[open_programs_.back()];
  if (op_count() > top.first_op && !program_ended_since_op_) {
    const OpRole role = trace_.role_of(rank_.ops.back());
    if (role == OpRole::kCall) return true;
    if (role == OpRole::kLoadCached) return is_callee(name, rank_.ops.back());
    if (role != OpRole::kUnparsed) return false;
  }
  return name.find("trace_") != std::string_view::npos;
}

/// A load_cached op runs the function that it names and no other.
bool RankBuilder::is_callee(std::string_view name, const ExecutedOp& op) const {
  const OpText* text = trace_.text_of(op);
  return text == nullptr || text->callee == kNone || trace_.names[text->callee] == name;
}

void RankBuilder::close_programs_down_to(std::size_t depth) {
  while (open_programs_.size() > depth) {
    ProgramInstance& program = rank_.programs[open_programs_.back()];
    program.end_op = op_count();
    rank_.events.push_back({op_count(), open_programs_.back(), false});
    trace_.problems.add(LogProblem::kProgramLeftOpen, place(program.start_line));
    open_programs_.pop_back();
  }
}

void RankBuilder::start_program(std::string_view name, std::uint32_t line) {
  check_last_block();
  if (!is_nested_start(name)) close_programs_down_to(0);
  if (open_programs_.size() >= kMostNested) {
    trace_.problems.add(LogProblem::kProgramsTooDeep, place(line));
    close_programs_down_to(0);
  }
  ProgramInstance program;
  program.name = tables_.name(name);
  program.parent = open_programs_.empty() ? kNone : open_programs_.back();
  if (program.parent != kNone && !rank_.ops.empty() && rank_.ops.back().instance == program.parent) {
    program.caller_op = op_count() - 1;
  }
  if (program.parent == kNone) running_op_ = kNone;
  program.first_op = op_count();
  program.end_op = op_count();
  program.start_line = line;
  open_programs_.push_back(static_cast<std::uint32_t>(rank_.programs.size()));
  rank_.events.push_back({op_count(), open_programs_.back(), true});
  rank_.programs.push_back(program);
}

void RankBuilder::end_program(std::string_view name, std::uint32_t line) {
  check_last_block();
  const std::uint32_t id = tables_.name(name);
  std::size_t depth = open_programs_.size();
  while (depth > 0 && rank_.programs[open_programs_[depth - 1]].name != id) --depth;
  if (depth == 0) {
    trace_.problems.add(LogProblem::kProgramEndUnmatched, place(line));
    return;
  }
  close_programs_down_to(depth);
  ProgramInstance& program = rank_.programs[open_programs_.back()];
  program.end_op = op_count();
  program.end_line = line;
  running_op_ = program.caller_op;  // which goes on behind it; kNone for an outermost program
  rank_.events.push_back({op_count(), open_programs_.back(), false});
  open_programs_.pop_back();
  program_ended_since_op_ = true;
}

/// Also printed when a buffer is destroyed outside any program; then no deallocate is the last op.
void RankBuilder::mark_retained() {
  ExecutedOp* op = last_op();
  if (op != nullptr && !program_ended_since_op_ && trace_.role_of(*op) == OpRole::kDeallocate)
    op->retained = true;
}

void RankBuilder::mark_cache(bool hit) {
  ExecutedOp* op = last_op();
  if (op == nullptr || trace_.role_of(*op) != OpRole::kLoadCached) return;
  (hit ? op->cache_hit : op->cache_miss) = true;
}

void RankBuilder::set_cache_key(std::string_view hash) {
  ExecutedOp* op = last_op();
  if (op == nullptr || trace_.role_of(*op) != OpRole::kLoadCached) return;
  rank_.cache_keys.emplace_back(op_count() - 1, tables_.name(hash));
}

void RankBuilder::place_failure(OutOfMemory& failure) const {
  failure.last_op = running_op_;
  failure.before_op = op_count();
  failure.instance = open_programs_.empty() ? kNone : open_programs_.back();
}

void RankBuilder::place_by_line(OutOfMemory& failure) const {
  const auto next = std::upper_bound(rank_.ops.begin(), rank_.ops.end(), failure.line,
                                     [](std::uint32_t line, const ExecutedOp& op) { return line < op.line; });
  failure.before_op = static_cast<std::uint32_t>(next - rank_.ops.begin());
  failure.last_op = failure.before_op == 0 ? kNone : failure.before_op - 1;
  failure.instance = failure.last_op == kNone ? kNone : rank_.ops[failure.last_op].instance;
  while (failure.instance != kNone) {
    const ProgramInstance& program = rank_.programs[failure.instance];
    if (program.end_line == 0 || program.end_line > failure.line) break;
    failure.last_op = kNone;  // it had ended
    failure.instance = program.parent;
  }
}

void RankBuilder::adopt_failures(RankBuilder& stray) {
  std::vector<OutOfMemory> prints = failures_.take_prints();
  for (OutOfMemory& print : stray.failures_.take_prints()) {
    place_by_line(print);
    prints.push_back(std::move(print));
  }
  std::stable_sort(prints.begin(), prints.end(),
                   [](const OutOfMemory& a, const OutOfMemory& b) { return a.line < b.line; });
  for (const OutOfMemory& print : prints) failures_.add(print);
}

void RankBuilder::add_crash(std::string_view text, std::uint32_t line) {
  if (rank_.crashes.size() == kMostCrashes) rank_.crashes.pop_back();
  const std::uint32_t started = rank_.ops.empty() ? kNone : op_count() - 1;
  rank_.crashes.push_back(
      {crash_told_by(text).value_or(CrashKind::kAborted), line, started, crash_text(text)});
}

void RankBuilder::complete_crash(std::string_view text, std::uint32_t line) {
  if (!rank_.crashes.empty() && rank_.crashes.back().line == line)
    rank_.crashes.back().text = crash_text(text);
}

bool RankBuilder::is_below(const OutOfMemory& message, std::uint32_t line) const {
  constexpr std::uint32_t kLongestBacktrace = 200;
  if (line - message.line > kLongestBacktrace || message.before_op != op_count()) return false;
  for (auto crash = rank_.crashes.rbegin(); crash != rank_.crashes.rend() && crash->line > message.line;
       ++crash) {
    const bool is_other = crash->kind == CrashKind::kFatal || crash->kind == CrashKind::kThrow ||
                          crash->kind == CrashKind::kAssert;
    // The exception of a message may be told behind it: `TT_FATAL @ .../allocator/bank_manager.cpp:439`.
    const bool is_of_allocator =
        contains(crash->text, "bank_manager.cpp") || contains(crash->text, "program.cpp");
    if (is_other && !is_of_allocator) return false;
  }
  return true;
}

RankTrace RankBuilder::finish() {
  check_last_block();
  close_programs_down_to(0);
  failures_.hand_over(rank_);
  if (!rank_.blocks.empty()) {
    for (const ExecutedOp& op : rank_.ops) {
      if (op.block == kNone) trace_.problems.add(LogProblem::kBlockMissing, place(op.line));
    }
  }
  return std::move(rank_);
}

}  // namespace ttscope::mem
