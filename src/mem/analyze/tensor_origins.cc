#include "mem/analyze/tensor_origins.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "mem/analyze/graphs.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {
namespace {

template <typename Visit>
void for_each_result(const RuntimeLog& log, const RankLog& rank, const Visit& visit) {
  for (std::uint32_t op = 0; op < rank.ops.size(); ++op) {
    const OpText* text = log.text_of(rank.ops[op]);
    if (text == nullptr || text->role == OpRole::kDeallocate) continue;
    for (const std::uint32_t name : log.ids(text->results)) {
      if (name < log.names.size()) visit(name, op);
    }
  }
}

}  // namespace

OriginFinder::OriginFinder(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank)
    : log_(log),
      profile_(profile),
      rank_number_(rank),
      rank_(log.ranks[rank]),
      first_maker_(log.names.size() + 1) {
  for_each_result(log_, rank_, [&](std::uint32_t name, std::uint32_t) { ++first_maker_[name + 1]; });
  for (std::size_t name = 1; name < first_maker_.size(); ++name) first_maker_[name] += first_maker_[name - 1];
  makers_.resize(first_maker_.back());
  std::vector<std::uint32_t> next(first_maker_.begin(), first_maker_.end() - 1);
  for_each_result(log_, rank_, [&](std::uint32_t name, std::uint32_t op) { makers_[next[name]++] = op; });
}

std::uint32_t OriginFinder::find(std::uint32_t name, std::uint32_t op) const {
  constexpr int kMaxSteps = 1000;  // chains of one tensor are short; a log may be anything
  for (int step = 0; step < kMaxSteps && name != kNone; ++step) {
    if (const std::uint32_t maker = maker_of(name, op); maker != kNone) {
      op = maker;
      name = only_tensor_of(op);
      continue;
    }
    const std::uint32_t instance = op < rank_.ops.size() ? rank_.ops[op].instance : kNone;
    if (instance >= rank_.programs.size()) return kNone;
    const ProgramInstance& program = rank_.programs[instance];
    if (program.parent == kNone) return described(name, instance);
    name = passed_as(name, program.caller_op);
    op = program.caller_op;
  }
  return kNone;
}

/// Devices are operands too, and no tensors.
std::uint32_t OriginFinder::only_tensor_of(std::uint32_t op) const {
  const OpText* text = op < rank_.ops.size() ? log_.text_of(rank_.ops[op]) : nullptr;
  if (text == nullptr) return kNone;
  const auto names = log_.ids(text->operands);
  const auto types = log_.ids(text->input_types);
  std::uint32_t only = kNone;
  for (std::size_t i = 0; i < std::min(names.size(), types.size()); ++i) {
    if (types[i] >= log_.types.size() || !log_.types[types[i]].is_tensor) continue;
    if (only != kNone) return kNone;
    only = names[i];
  }
  return only;
}

/// The op before `op` of the same program that made the tensor; kNone for an argument.
std::uint32_t OriginFinder::maker_of(std::uint32_t name, std::uint32_t op) const {
  if (name >= log_.names.size() || op >= rank_.ops.size()) return kNone;
  const std::uint32_t instance = rank_.ops[op].instance;
  const std::uint32_t first = instance < rank_.programs.size() ? rank_.programs[instance].first_op : op;
  const auto begin = makers_.begin() + first_maker_[name];
  auto maker = std::lower_bound(begin, makers_.begin() + first_maker_[name + 1], op);
  while (maker != begin && *--maker >= first) {
    if (rank_.ops[*maker].instance == instance) return *maker;
  }
  return kNone;
}

/// `%arg2` of a called program is the third operand of the call.
std::uint32_t OriginFinder::passed_as(std::uint32_t name, std::uint32_t call) const {
  const OpText* text = call < rank_.ops.size() ? log_.text_of(rank_.ops[call]) : nullptr;
  const std::size_t position = argument_position(log_.names[name]);
  return text == nullptr || position >= text->operands.count ? kNone : log_.ids(text->operands)[position];
}

std::uint32_t OriginFinder::described(std::uint32_t name, std::uint32_t instance) const {
  const std::vector<ProgramSummary>& programs = profile_.ranks[rank_number_].programs;
  if (instance >= programs.size()) return kNone;
  for (std::uint32_t a = 0; a < profile_.arguments.size(); ++a) {
    const Argument& argument = profile_.arguments[a];
    if (argument.ssa == name && argument.graph == programs[instance].graph) return a;
  }
  return kNone;
}

namespace {

/// How much more the message says is allocated than the block before its op; below 0: not told.
std::int64_t gained_in_op(const RankLog& ops, const OutOfMemory& failure) {
  if (failure.allocated_bytes < 0 || failure.last_op >= ops.ops.size()) return -1;
  const std::uint32_t block = ops.ops[failure.last_op].block;
  if (block >= ops.blocks.size() || !ops.blocks[block].has(failure.memory)) return -1;
  const std::int64_t before = bytes_of(ops.blocks[block].allocated[index_of(failure.memory)]);
  const std::int64_t gained = failure.allocated_bytes - before;
  return is_rounding(gained) ? 0 : gained;
}

/// The number of tensors that together take `bytes` of a bank, nearest first; none where none comes near.
std::optional<std::size_t> count_for_bytes(const std::vector<TensorType>& types, const DeviceFacts& device,
                                           std::int64_t bytes) {
  std::optional<std::size_t> found;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t sum = 0;
  for (std::size_t count = 0; count <= types.size(); ++count) {
    const std::int64_t miss = std::abs(saturating_add(sum, -bytes));
    if (is_rounding(miss) && miss < least) {
      least = miss;
      found = count;
    }
    if (count < types.size()) sum = saturating_add(sum, bytes_per_bank(types[count], device));
  }
  return found;
}

}  // namespace

TensorKind kind_of_request(const RankProfile& profile, const OutOfMemory& failure) {
  const bool const_eval =
      failure.instance < profile.programs.size() && profile.programs[failure.instance].const_eval;
  return const_eval ? TensorKind::kConstEval : TensorKind::kActivation;
}

bool matches_requested_bytes(const TensorType& tensor, const RankProfile& profile,
                             const OutOfMemory& failure) {
  const bool in_memory = (tensor.buffer == BufferType::kDram && failure.memory == Memory::kDram) ||
                         (tensor.buffer == BufferType::kL1 && failure.memory == Memory::kL1);
  if (!in_memory || failure.per_bank_bytes <= 0) return false;
  const std::int64_t alignment = profile.device.dram_alignment_bytes;
  const std::int64_t asked = (failure.per_bank_bytes + alignment - 1) / alignment * alignment;
  return bytes_per_bank(tensor, profile.device) == asked;
}

Buffer asked_buffer(const RuntimeLog& log, const RankLog& ops, const RankProfile& profile,
                    const OutOfMemory& failure) {
  Buffer buffer;
  buffer.kind = kind_of_request(profile, failure);
  buffer.bytes_per_bank = failure.per_bank_bytes;
  const OpText* op = failure.last_op < ops.ops.size() ? log.text_of(ops.ops[failure.last_op]) : nullptr;
  if (op == nullptr || op->role != OpRole::kCompute) return buffer;
  for (const std::uint32_t type : log.ids(op->result_types)) {
    if (!matches_requested_bytes(log.types[type], profile, failure)) continue;
    buffer.type = type;
    buffer.memory = static_cast<std::uint8_t>(index_of(failure.memory));
    break;
  }
  return buffer;
}

FailingResults failing_results(const RuntimeLog& log, const RankLog& ops, const DeviceFacts& device,
                               const OutOfMemory& failure) {
  FailingResults results;
  const OpText* op = failure.last_op < ops.ops.size() ? log.text_of(ops.ops[failure.last_op]) : nullptr;
  if (op == nullptr) return results;
  const auto ids = log.ids(op->result_types);
  for (std::uint32_t place = 0; place < ids.size(); ++place) {
    const TensorType& type = log.types[ids[place]];
    const bool in_dram = type.buffer == BufferType::kDram;
    if (!type.on_device() || in_dram != (failure.memory == Memory::kDram)) continue;
    results.places.push_back(place);
    results.types.push_back(type);
  }
  if (const std::int64_t gained = gained_in_op(ops, failure); gained >= 0)
    results.got = count_for_bytes(results.types, device, gained);
  return results;
}

void claim_failing_results(const FailingResults& results, const DeviceFacts& device, LiveSet& live) {
  std::optional<std::size_t> count = results.got;
  if (!count && live.unaccounted_bytes_per_bank > 0)
    count = count_for_bytes(results.types, device, live.unaccounted_bytes_per_bank);
  std::int64_t own_bytes = 0;
  for (std::size_t i = 0; i < count.value_or(0); ++i)
    own_bytes = saturating_add(own_bytes, bytes_per_bank(results.types[i], device));
  live.failing_results = static_cast<std::uint32_t>(count.value_or(0));
  live.failing_result_bytes_per_bank = own_bytes;
  live.accounted_bytes_per_bank = saturating_add(live.accounted_bytes_per_bank, own_bytes);
  std::int64_t& kind = live.kind_bytes_per_bank[static_cast<std::size_t>(TensorKind::kActivation)];
  kind = saturating_add(kind, own_bytes);
  live.unaccounted_bytes_per_bank -= own_bytes;
}

namespace {

bool is_embedding(const RuntimeLog& log, const OpText& op) {
  return op.name < log.names.size() && log.names[op.name].starts_with("ttnn.embedding");
}

/// The first op of each text of an embedding.
std::vector<std::uint32_t> embeddings_of(const RuntimeLog& log, const RankLog& rank) {
  std::unordered_set<std::uint32_t> texts;
  for (std::uint32_t id = 0; id < log.op_texts.size(); ++id) {
    if (is_embedding(log, log.op_texts[id])) texts.insert(id);
  }
  std::vector<std::uint32_t> ops;
  for (std::uint32_t i = 0; i < rank.ops.size() && !texts.empty(); ++i) {
    if (texts.erase(rank.ops[i].text) != 0) ops.push_back(i);
  }
  return ops;
}

}  // namespace

EmbeddingTables::EmbeddingTables(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank) {
  constexpr std::size_t kTable = 1;  // ttnn.embedding(indices, table)
  const std::vector<std::uint32_t> embeddings = embeddings_of(log, log.ranks[rank]);
  if (embeddings.empty()) return;
  const OriginFinder origins(log, profile, rank);
  for (const std::uint32_t op : embeddings) {
    const OpText& text = *log.text_of(log.ranks[rank].ops[op]);
    if (text.operands.count <= kTable || text.input_types.count <= kTable) continue;
    const std::uint32_t origin = origins.find(log.ids(text.operands)[kTable], op);
    types_.insert(log.ids(text.input_types)[kTable]);
    if (origin == kNone) continue;
    const auto first = [&](std::uint32_t a) {
      return profile.arguments[a].same_as == kNone ? a : profile.arguments[a].same_as;
    };
    for (std::uint32_t a = 0; a < profile.arguments.size(); ++a) {
      if (first(a) == first(origin)) arguments_.insert(a);
    }
  }
}

bool EmbeddingTables::has(const Buffer& buffer) const {
  if (buffer.argument != kNone) return arguments_.count(buffer.argument) != 0;
  return types_.count(buffer.type) != 0;
}

namespace {

std::uint64_t key_of(std::uint32_t graph, std::uint32_t name) { return std::uint64_t{graph} << 32 | name; }

void add_all(std::vector<std::uint32_t>& to, const std::vector<std::uint32_t>& from) {
  for (const std::uint32_t id : from) {
    if (std::find(to.begin(), to.end(), id) == to.end()) to.push_back(id);
  }
}

}  // namespace

std::uint32_t argument_number(std::string_view name) {
  constexpr std::string_view kPrefix = "%arg";
  if (!name.starts_with(kPrefix)) return kNone;
  std::uint32_t position = kNone;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, position);
  return error == std::errc() && stop == end ? position : kNone;
}

WeightFlow::WeightFlow(const RuntimeLog& log, const MemoryProfile& profile)
    : log_(log), profile_(profile), positions_(log.names.size()) {
  for (std::uint32_t id = 0; id < log.names.size(); ++id) positions_[id] = argument_number(log.names[id]);
  for (std::uint32_t i = 0; i < profile.arguments.size(); ++i) {
    const Argument& argument = profile.arguments[i];
    if (argument.is_weight()) arguments_.emplace(key_of(argument.graph, argument.ssa), i);
  }
}

void WeightFlow::use_rank(std::uint32_t rank) {
  rank_ = rank;
  instance_ = kNone;
  in_const_eval_ = false;
  scopes_.clear();
}

bool WeightFlow::inside_const_eval(std::uint32_t instance) const {
  const auto& summaries = profile_.ranks[rank_].programs;
  for (; instance < summaries.size(); instance = log_.ranks[rank_].programs[instance].parent) {
    if (summaries[instance].const_eval) return true;
  }
  return false;
}

bool WeightFlow::is_ancestor(std::uint32_t ancestor, std::uint32_t instance) const {
  const auto& programs = log_.ranks[rank_].programs;
  while (instance < programs.size() && instance != ancestor) instance = programs[instance].parent;
  return instance == ancestor;
}

void WeightFlow::add_argument(Weights& to, std::uint32_t instance, std::uint32_t name) const {
  const auto& summaries = profile_.ranks[rank_].programs;
  if (positions_[name] == kNone || instance >= summaries.size()) return;
  const auto found = arguments_.find(key_of(summaries[instance].graph, name));
  if (found != arguments_.end()) add_all(to, {found->second});
}

const WeightFlow::Weights* WeightFlow::find(const Scope& scope, std::uint32_t name) const {
  if (positions_[name] < scope.arguments.size()) return &scope.arguments[positions_[name]];
  const auto found = scope.values.find(name);
  return found == scope.values.end() ? nullptr : &found->second;
}

/// Opens the scope of a const-eval program: its arguments are the operands of the op that called it.
void WeightFlow::enter(std::uint32_t instance) {
  instance_ = instance;
  while (!scopes_.empty() && !is_ancestor(scopes_.back().instance, instance)) scopes_.pop_back();
  in_const_eval_ = inside_const_eval(instance);
  if (!in_const_eval_ || (!scopes_.empty() && scopes_.back().instance == instance)) return;
  Scope scope;
  scope.instance = instance;
  const RankLog& rank = log_.ranks[rank_];
  const std::uint32_t caller = rank.programs[instance].caller_op;
  const OpText* text = caller < rank.ops.size() ? log_.text_of(rank.ops[caller]) : nullptr;
  if (text != nullptr) {
    for (const std::uint32_t operand : log_.ids(text->operands)) {
      Weights& weights = scope.arguments.emplace_back();
      if (scopes_.empty()) {
        add_argument(weights, rank.ops[caller].instance, operand);
      } else if (const Weights* known = find(scopes_.back(), operand)) {
        weights = *known;
      }
    }
  }
  scopes_.push_back(std::move(scope));
}

std::span<const std::uint32_t> WeightFlow::weights_of(std::uint32_t op) {
  const ExecutedOp& record = log_.ranks[rank_].ops[op];
  weights_.clear();
  if (record.instance != instance_) enter(record.instance);
  const OpText* text = log_.text_of(record);
  if (text == nullptr) return weights_;
  for (const std::uint32_t operand : log_.ids(text->operands)) {
    if (!in_const_eval_) {
      add_argument(weights_, record.instance, operand);
    } else if (const Weights* known = find(scopes_.back(), operand)) {
      add_all(weights_, *known);
    }
  }
  if (!in_const_eval_ || weights_.empty()) return weights_;
  for (const std::uint32_t result : log_.ids(text->results)) scopes_.back().values[result] = weights_;
  return weights_;
}

}  // namespace ttscope::mem
