#include "mem/read/recorded_run_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <tuple>

#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMaxRanks = 4096;  ///< more than any machine has; a page has columns for each
constexpr std::uint8_t kMaxNested = 64;  ///< real programs nest three or four deep
constexpr std::size_t kGeometriesCompared = 16;
constexpr std::int64_t kMaxOps = 0x7ffffff0;  ///< moments count twice as many

std::uint32_t clamped(std::int64_t value) {
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::uint32_t>::max() - 1));
}

/// An op of which the log had memory lines only: the name is that of the lines' header.
bool is_type_alone(const OperationRecord& record) {
  return record.inputs.empty() && record.result.empty() && record.results.empty() &&
         record.attributes.empty() && !record.has_types && record.op.find('.') == std::string_view::npos;
}

bool is_used(const RecordedTotals& totals) { return totals.tensors > 0; }

}  // namespace

void RecordedRunBuilder::add_operation(const OperationRecord& record) {
  RuntimeLog& log = run_.log;
  if (is_type_alone(record)) {
    operations_.push_back({kNone, record.is_weight_op});
    return;
  }
  text_.clear();
  append_op_text(text_, record);
  const std::uint32_t id = log.op_bodies.intern(text_);
  if (id == log.op_texts.size()) log.op_texts.push_back(parse_op(log.op_bodies[id], tables_));
  operations_.push_back({id, record.is_weight_op});
}

std::uint32_t RecordedRunBuilder::rank_of(const MemoryRecord& record) {
  const auto [found, is_new] =
      ranks_.emplace(std::pair(record.file, record.rank), static_cast<std::uint32_t>(ranks_.size()));
  if (is_new) {
    RankLog& rank = run_.log.ranks.emplace_back();
    rank.number = static_cast<int>(std::clamp<std::int64_t>(record.rank, 0, std::numeric_limits<int>::max()));
    run_.ops.emplace_back();
    open_.emplace_back();
  }
  return found->second;
}

/// A location is kept as it stands in a log, so that it is shown as there; that of a call is its callee.
std::uint32_t RecordedRunBuilder::location_of(const MemoryRecord& record, std::uint32_t text) {
  if (record.loc.empty()) return kNone;
  const std::uint32_t callee = text == kNone ? kNone : run_.log.op_texts[text].callee;
  const bool is_callee =
      callee != kNone && record.loc.starts_with('@') && record.loc.substr(1) == run_.log.names[callee];
  if (is_callee) return kNone;
  text_.clear();
  text_ += '"';
  text_.append(record.loc);
  text_ += '"';
  return run_.log.locs.intern(text_);
}

std::string RecordedRunBuilder::add_memory(const MemoryRecord& record) {
  const std::size_t number = memory_count_++;
  if (!record.has_op) return fmt::format("record {} has no mlir_op", number);
  if (record.index >= 0 && record.index != static_cast<std::int64_t>(number))
    return fmt::format("record {} has index {}, expected {}", number, record.index, number);
  if (run_.has_operations && number >= operations_.size())
    return fmt::format("has more operations than the {} of the operations file: not of one run",
                       operations_.size());
  const std::uint32_t r = rank_of(record);
  if (ranks_.size() > kMaxRanks) return fmt::format("more than {} ranks", kMaxRanks);
  RankLog& rank = run_.log.ranks[r];
  if (static_cast<std::int64_t>(rank.ops.size()) >= kMaxOps) return "too many operations";
  const auto op_index = static_cast<std::uint32_t>(rank.ops.size());
  ExecutedOp& op = rank.ops.emplace_back();
  if (run_.has_operations) op.text = operations_[number].text;
  const std::uint32_t name = op.text == kNone ? kNone : run_.log.op_texts[op.text].name;
  if (name != kNone && !record.op.empty() && run_.log.names[name] != record.op) {
    return fmt::format("record {} is {}, in the operations file it is {}: not of one run", number, record.op,
                       run_.log.names[name]);
  }
  // Without an op text the name is all there is to show.
  const std::string_view type = name != kNone && !record.op_type.empty() ? record.op_type : record.op;
  if (!type.empty() || op.text == kNone) op.op_type = tables_.name(type.empty() ? "unknown" : type);
  op.line = clamped(record.line);
  op.loc = location_of(record, op.text);
  run_.has_lines |= op.line > 0;
  RecordedOp& facts = run_.ops[r].emplace_back(record.op_facts);
  facts.is_weight_op |= run_.has_operations && operations_[number].is_weight_op;
  facts.live_before = record.is_own ? record.totals : open_[r].last_totals;
  open_[r].last_totals = record.totals;
  run_.has_totals |= record.has_totals && std::any_of(record.totals.begin(), record.totals.end(), is_used);
  place_in_program(record, r, op_index);
  add_state(record, r, op_index);
  return {};
}

void RecordedRunBuilder::place_in_program(const MemoryRecord& record, std::uint32_t r, std::uint32_t op) {
  RankLog& rank = run_.log.ranks[r];
  OpenRank& open = open_[r];
  std::uint32_t instance = kNone;
  if (record.has_program_field) {
    run_.has_programs |= !record.program.empty();
    if (record.program.empty() || record.instance < 0) return;
    const auto [found, is_new] = open.instances.emplace(record.instance, kNone);
    if (is_new) found->second = new_instance(record.program, r, op);
    instance = found->second;
  } else if (!record.const_eval_graph.empty()) {
    const std::uint32_t last = op == 0 ? kNone : rank.ops[op - 1].instance;
    const bool is_followed =
        last != kNone && run_.log.names[rank.programs[last].name] == record.const_eval_graph;
    instance = is_followed ? last : new_instance(record.const_eval_graph, r, op);
  }
  rank.ops[op].instance = instance;
  if (instance != kNone && record.cache_miss && rank.programs[instance].caller_op != kNone)
    rank.ops[rank.programs[instance].caller_op].cache_miss = true;
  for (; instance != kNone; instance = rank.programs[instance].parent)
    rank.programs[instance].end_op = op + 1;
}

/// A program that starts right behind the op that calls it is nested in that op's program.
std::uint32_t RecordedRunBuilder::new_instance(std::string_view name, std::uint32_t r, std::uint32_t op) {
  RankLog& rank = run_.log.ranks[r];
  ProgramInstance program;
  program.name = tables_.name(name);
  program.first_op = op;
  program.end_op = op + 1;
  std::uint8_t depth = 0;
  if (op > 0) {
    const OpText* caller = run_.log.text_of(rank.ops[op - 1]);
    const std::uint32_t parent = rank.ops[op - 1].instance;
    const std::uint8_t outer = parent == kNone ? 0 : open_[r].depths[parent];
    if (caller != nullptr && caller->callee == program.name && outer < kMaxNested) {
      program.caller_op = op - 1;
      program.parent = parent;
      depth = static_cast<std::uint8_t>(outer + 1);
    }
  }
  rank.programs.push_back(program);
  open_[r].depths.push_back(depth);
  return static_cast<std::uint32_t>(rank.programs.size() - 1);
}

std::uint32_t RecordedRunBuilder::geometry_of(const RecordedState& state) {
  std::vector<Geometry>& known = run_.log.geometries;
  const auto first = known.size() > kGeometriesCompared ? known.end() - kGeometriesCompared : known.begin();
  const auto found = std::find(first, known.end(), state.geometry);
  if (found != known.end()) return static_cast<std::uint32_t>(found - known.begin());
  known.push_back(state.geometry);
  return static_cast<std::uint32_t>(known.size() - 1);
}

void RecordedRunBuilder::push_block(const RecordedState& state, std::uint32_t r, std::uint32_t before_op,
                                    MemoryBlock::Moment moment) {
  auto& blocks = run_.log.ranks[r].blocks;
  MemoryBlock block;
  if (!blocks.empty()) block = blocks.back();  // memories that are not recorded repeat
  block.before_op = before_op;
  block.moment = moment;
  block.present = state.present;
  RecordedState whole = state;
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if ((state.present >> m & 1) != 0) {
      block.allocated[m] = state.allocated[m];
      block.free[m] = state.free[m];
      block.largest_free[m] = state.largest_free[m];
    }
    if (whole.geometry.banks[m] == 0 && !blocks.empty()) {
      const Geometry& last = run_.log.geometries[blocks.back().geometry];
      whole.geometry.banks[m] = last.banks[m];
      whole.geometry.total[m] = last.total[m];
    }
  }
  block.geometry = geometry_of(whole);
  blocks.push_back(block);
}

/// Modeled states stand before the first memory line of a log; once there are true ones they only disturb.
void RecordedRunBuilder::forget_modeled(std::uint32_t r) {
  RankLog& rank = run_.log.ranks[r];
  open_[r].only_modeled = false;
  if (rank.blocks.empty()) return;
  rank.blocks.clear();
  for (ExecutedOp& op : rank.ops) op.block = kNone;
}

void RecordedRunBuilder::add_state(const MemoryRecord& record, std::uint32_t r, std::uint32_t op) {
  RankLog& rank = run_.log.ranks[r];
  const bool modeled = record.source == MemoryRecord::Source::kModeled;
  if (record.before.present == 0 || record.source == MemoryRecord::Source::kRepeated) return;
  if (modeled && !open_[r].only_modeled) return;
  if (!modeled && open_[r].only_modeled) forget_modeled(r);
  any_logged_ |= !modeled;
  if (!rank.blocks.empty() && rank.blocks.back().moment == MemoryBlock::Moment::kAfterSubmit) {
    const MemoryBlock& after = rank.blocks.back();
    const bool same = after.allocated == record.before.allocated && after.free == record.before.free &&
                      after.largest_free == record.before.largest_free;
    if (same) rank.blocks.pop_back();  // the state before this op says it all
  }
  push_block(record.before, r, op, MemoryBlock::Moment::kBeforeOp);
  rank.ops[op].block = static_cast<std::uint32_t>(rank.blocks.size() - 1);
  // What a call leaves is seen after the program it called, which comes later.
  const OpRole role = run_.log.role_of(rank.ops[op]);
  const bool is_call = role == OpRole::kLoadCached || role == OpRole::kCall;
  if (!(record.after_measured || modeled) || record.after.present == 0 || is_call) return;
  RecordedState after = record.after;
  after.geometry = record.before.geometry;
  push_block(after, r, op + 1, MemoryBlock::Moment::kAfterSubmit);
}

/// Where programs start and end, as a reader of logs would have noted it.
void RecordedRunBuilder::list_events(RankLog& rank) {
  for (std::uint32_t p = 0; p < rank.programs.size(); ++p) {
    rank.events.push_back({rank.programs[p].first_op, p, true});
    rank.events.push_back({rank.programs[p].end_op, p, false});
  }
  const auto order = [](const ProgramEvent& event) {
    // At one place ends come first, inner programs before outer ones; then starts, outer ones first.
    return std::tuple(event.before_op, event.is_start,
                      event.is_start ? event.instance : kNone - event.instance);
  };
  std::sort(rank.events.begin(), rank.events.end(),
            [&](const ProgramEvent& a, const ProgramEvent& b) { return order(a) < order(b); });
}

RecordedRun RecordedRunBuilder::finish() {
  for (RankLog& rank : run_.log.ranks) list_events(rank);
  run_.modeled_memory = !any_logged_;
  run_.has_arguments = !run_.arguments.empty();
  run_.has_modules = !run_.log.modules.empty();
  return std::move(run_);
}

namespace {

// How RecordedRunBuilder (mem/read/ttmem_files/run_builder.h) puts an op line together again.

void append_list(std::string& to, const std::vector<std::string_view>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) to.append(i == 0 ? "" : ", ").append(items[i]);
}

/// The Python tool cuts `[%arg1, %arg2]` at its comma and leaves the brackets on.
std::string_view without_brackets(std::string_view text) {
  while (!text.empty() && text.front() == '[') text.remove_prefix(1);
  while (!text.empty() && text.back() == ']') text.remove_suffix(1);
  return text;
}

/// `%3:2` for `%3#0` and `%3#1`; any other names one by one.
void append_results(std::string& to, const std::vector<std::string_view>& results) {
  const std::string_view base = results.front().substr(0, results.front().find('#'));
  bool is_group = results.size() > 1;
  for (std::size_t i = 0; i < results.size() && is_group; ++i) {
    is_group = results[i].starts_with(base) &&
               results[i].substr(base.size()) == std::string("#").append(std::to_string(i));
  }
  if (!is_group) return append_list(to, results);
  to.append(base).append(":").append(std::to_string(results.size()));
}

void append_call(std::string& to, const OperationRecord& record) {
  std::vector<std::string_view> operands;
  for (std::size_t i = 1; i < record.inputs.size(); ++i) {
    const std::string_view operand = without_brackets(record.inputs[i]);
    if (!operand.empty()) operands.push_back(operand);
  }
  const bool is_cached = record.op.find("load_cached") != std::string_view::npos;
  to.append(record.op).append(is_cached ? "(" : " ").append(record.inputs.front());
  to.append(is_cached ? ", [" : "(");
  append_list(to, operands);
  to.append(is_cached ? "])" : ")");
}

}  // namespace

void append_op_text(std::string& to, const OperationRecord& record) {
  if (!record.results.empty()) {
    append_results(to, record.results);
    to += " = ";
  } else if (!record.result.empty()) {
    to.append(record.result).append(" = ");
  }
  if (!record.inputs.empty() && record.inputs.front().starts_with('@')) {
    append_call(to, record);
  } else {
    to.append("\"").append(record.op).append("\"(");
    append_list(to, record.inputs);
    to += ')';
  }
  if (!record.attributes.empty()) to.append(" <{").append(record.attributes).append("}>");
  if (!record.discardable.empty()) to.append(" {").append(record.discardable).append("}");
  if (!record.has_types) return;
  to.append(" : (").append(record.input_types).append(") -> ");
  to.append(record.output_type.empty() ? "()" : record.output_type);
}

}  // namespace ttscope::mem
