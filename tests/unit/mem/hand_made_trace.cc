#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {

HandMadeLog::HandMadeLog() {
  log.files = {"hand.log"};
  log.file_lines = {1000};
  log.geometries.push_back({{12, 64, 64, 12}, {1000000, 1000, 62, 0}});
  log.ranks.resize(1);
  profile.ranks.resize(1);
  rank_profile().measured = true;
  rank_profile().has_op_lines = true;
  rank_profile().device.capacity_bytes_per_bank = {bytes_of(1000000), bytes_of(1000), bytes_of(62), 0};
}

std::uint32_t HandMadeLog::add_type(std::vector<std::int64_t> shape, BufferType buffer) {
  TensorType type;
  if (buffer != BufferType::kNone) {
    type.is_tensor = true;
    type.has_layout = true;
    type.shape = std::move(shape);
    type.dtype = type.tensor_dtype = "bf16";
    const std::int64_t rows = type.shape.size() < 2 ? 1 : type.shape[type.shape.size() - 2];
    const std::int64_t columns = type.shape.empty() ? 1 : type.shape.back();
    type.memref = {(rows + 31) / 32, (columns + 31) / 32};
    type.grid = {1, 1};
    type.tile_height = type.tile_width = 32;
    type.buffer = buffer;
    type.layout = MemoryLayout::kInterleaved;
    compute_sizes(type);
  }
  log.types.push_back(std::move(type));
  return static_cast<std::uint32_t>(log.types.size() - 1);
}

IdRange HandMadeLog::add_names(const std::vector<std::string_view>& names) {
  std::vector<std::uint32_t> ids;
  for (const std::string_view name : names) ids.push_back(log.names.intern(name));
  return add_ids(ids);
}

IdRange HandMadeLog::add_ids(const std::vector<std::uint32_t>& ids) {
  const IdRange range{static_cast<std::uint32_t>(log.id_lists.size()),
                      static_cast<std::uint32_t>(ids.size())};
  log.id_lists.insert(log.id_lists.end(), ids.begin(), ids.end());
  return range;
}

std::uint32_t HandMadeLog::add_block(MilliMib dram, std::uint32_t before_op) {
  MemoryBlock block;
  block.before_op = before_op;
  block.line = next_line_;
  block.present = 0xf;
  block.allocated = {dram, 0, 0, 0};
  block.free = {1000000 - dram, 1000, 62, 0};
  block.largest_free = {(1000000 - dram) / 2, 1000, 62, 0};
  for (std::size_t m = 0; m < kMemoryCount; ++m) block.view_line[m] = ++next_line_;
  rank().blocks.push_back(block);
  return static_cast<std::uint32_t>(rank().blocks.size() - 1);
}

std::uint32_t HandMadeLog::add_op(const Op& op) {
  OpText text;
  text.name = log.names.intern(op.name);
  if (!op.callee.empty()) text.callee = log.names.intern(op.callee);
  text.results = add_names(op.results);
  text.operands = add_names(op.operands);
  text.input_types = add_ids(op.input_types);
  text.result_types = add_ids(op.result_types);
  text.role = op.role;
  log.op_texts.push_back(text);
  const auto index = static_cast<std::uint32_t>(rank().ops.size());
  ExecutedOp record;
  record.text = static_cast<std::uint32_t>(log.op_texts.size() - 1);
  if (!op.loc.empty()) record.loc = log.locs.intern(op.loc);
  record.line = ++next_line_;
  record.instance = op.instance;
  record.op_type = log.names.intern("TestOp");
  if (op.has_block) record.block = add_block(op.dram, index);
  rank().ops.push_back(record);
  RankProfile& profiled = rank_profile();
  ++profiled.executed_ops;
  if (is_counted(log, record)) ++profiled.counted_ops;
  profiled.effects.emplace_back();
  profiled.effects.back().confidence = {Confidence::kMeasured, Confidence::kMeasured};
  profiled.accounted.emplace_back();
  profiled.live_totals.emplace_back();
  profiled.is_weight_op.push_back(false);
  for (std::uint32_t id = op.instance; id < rank().programs.size(); id = rank().programs[id].parent) {
    rank().programs[id].end_op = index + 1;
  }
  return index;
}

std::uint32_t HandMadeLog::add_program(std::string_view name, std::uint32_t parent, std::uint32_t caller_op) {
  ProgramInstance program;
  program.name = log.names.intern(name);
  program.parent = parent;
  program.caller_op = caller_op;
  program.first_op = program.end_op = static_cast<std::uint32_t>(rank().ops.size());
  program.start_line = ++next_line_;
  rank().programs.push_back(program);
  Graph graph;
  graph.name = program.name;
  graph.const_eval = name.find("const_eval") != std::string_view::npos;
  profile.graphs.push_back(graph);
  ProgramSummary summary;
  summary.graph = static_cast<std::uint32_t>(profile.graphs.size() - 1);
  summary.const_eval = graph.const_eval;
  rank_profile().programs.push_back(summary);
  return static_cast<std::uint32_t>(rank().programs.size() - 1);
}

void HandMadeLog::set_growth(std::uint32_t op, std::int64_t dram_bytes) {
  rank_profile().effects[op].own_growth[0] = dram_bytes;
}

void HandMadeLog::add_change(std::uint32_t before_op, BoundaryChange::Cause cause, std::int64_t dram_bytes) {
  rank_profile().changes.push_back({cause, before_op, 0, {dram_bytes, 0}});
}

void HandMadeLog::add_weight(std::string_view ssa, std::string_view name, std::vector<std::int64_t> shape) {
  Argument argument;
  argument.graph = 0;
  argument.ssa = log.names.intern(ssa);
  argument.name = name;
  argument.role = ArgumentRole::kParameter;
  argument.shape = std::move(shape);
  argument.dtype = "bf16";
  argument.logical_bytes = 2;
  for (const std::int64_t dim : argument.shape) argument.logical_bytes *= dim;
  profile.arguments.push_back(argument);
}

}  // namespace ttscope::mem
