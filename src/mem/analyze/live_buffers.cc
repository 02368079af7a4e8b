#include "mem/analyze/live_buffers.h"

#include <algorithm>

namespace ttscope::mem {

const TensorType& BufferPool::type_at(std::uint32_t type) const {
  return type >= kLocalTypeBase ? profile_.local_types[type - kLocalTypeBase] : log_.types[type];
}

std::int64_t BufferPool::size_of(std::uint32_t type, const DeviceFacts& device, std::uint8_t& memory) const {
  const TensorType& tensor = type_at(type);
  if (tensor.buffer != BufferType::kDram && tensor.buffer != BufferType::kL1) return 0;
  memory = tensor.buffer == BufferType::kDram ? 0 : 1;
  return bytes_per_bank(tensor, device);
}

std::uint32_t BufferPool::allocate(std::uint32_t type_id, const DeviceFacts& device, const Buffer& like) {
  Buffer buffer = like;
  buffer.type = type_id;
  buffer.born = now_;
  buffer.bytes_per_bank = size_of(type_id, device, buffer.memory);
  if (buffer.bytes_per_bank == 0) return kNone;
  const auto id = static_cast<std::uint32_t>(profile_.buffers.size());
  profile_.buffers.push_back(buffer);
  states_.emplace_back();
  const TensorType& type = type_at(type_id);
  accounted_[buffer.memory] = saturating_add(accounted_[buffer.memory], buffer.bytes_per_bank);
  LiveTotals& totals = totals_[buffer.memory];
  totals.logical_bytes = saturating_add(totals.logical_bytes, type.logical_bytes);
  totals.padded_bytes = saturating_add(totals.padded_bytes, type.padded_bytes);
  ++totals.tensors;
  return id;
}

void BufferPool::free(std::uint32_t id) {
  Buffer& buffer = profile_.buffers[id];
  if (buffer.died != kForever) return;
  buffer.died = now_;
  take(id);
  const TensorType& type = type_at(buffer.type);
  accounted_[buffer.memory] = saturating_add(accounted_[buffer.memory], -buffer.bytes_per_bank);
  LiveTotals& totals = totals_[buffer.memory];
  totals.logical_bytes = saturating_add(totals.logical_bytes, -type.logical_bytes);
  totals.padded_bytes = saturating_add(totals.padded_bytes, -type.padded_bytes);
  --totals.tensors;
  if (states_[id].live_sources > 0) add_duplicate(id, -1);
  if (id >= copies_of_.size()) return;
  for (const std::uint32_t copy : copies_of_[id]) {
    if (is_live(copy) && --states_[copy].live_sources == 0) add_duplicate(copy, -1);
  }
  copies_of_[id] = {};
}

void BufferPool::free_unnamed() {
  const auto end = static_cast<std::uint32_t>(states_.size());
  for (std::uint32_t id = first_after_free_unnamed_; id < end; ++id) {
    if (is_live(id) && states_[id].names == 0) free(id);
  }
  first_after_free_unnamed_ = end;
}

std::uint32_t BufferPool::rename(std::uint32_t id) {
  const bool referred_to = states_[id].cache_entries > 0 || states_[id].live_sources > 0 ||
                           (id < copies_of_.size() && !copies_of_[id].empty());
  if (referred_to || profile_.buffers[id].born == now_) return id;
  Buffer next = profile_.buffers[id];
  next.born = now_;
  next.first_used = kForever;
  next.last_used = 0;
  next.renamed_from = id;
  profile_.buffers[id].died = now_;
  profile_.buffers.push_back(next);
  states_.push_back(states_[id]);
  states_[id] = {};
  return static_cast<std::uint32_t>(profile_.buffers.size() - 1);
}

void BufferPool::release(std::uint32_t id, bool keep) {
  const BufferState& state = states_[id];
  if (state.cache_entries > 0 && state.home_graph == kNone) return;
  if (!keep && state.cache_entries == 0) {
    free(id);
  } else if (!state.resident) {
    make_resident(id, state.output);
  }
}

void BufferPool::make_resident(std::uint32_t id, bool output) {
  BufferState& state = states_[id];
  state.resident = true;
  state.output = output;
  const std::uint32_t type = profile_.buffers[id].type;
  std::vector<Queue>& queues = output ? outputs_by_type_ : kept_by_type_;
  if (type < kLocalTypeBase) {
    if (type >= queues.size()) queues.resize(type + 1);
    queues[type].buffers.push_back(id);
  }
  if (output) outputs_.push_back(id);
}

std::uint32_t BufferPool::pop(std::vector<Queue>& queues, std::uint32_t type, bool outputs) {
  if (type >= queues.size()) return kNone;
  Queue& queue = queues[type];
  while (queue.head < queue.buffers.size()) {
    const std::uint32_t id = queue.buffers[queue.head++];
    if (states_[id].resident && states_[id].output == outputs && is_live(id)) return id;
  }
  queue = {};
  return kNone;
}

std::uint32_t BufferPool::find_resident(std::uint32_t type) {
  const std::uint32_t output = pop(outputs_by_type_, type, true);
  return output != kNone ? output : pop(kept_by_type_, type, false);
}

std::vector<std::uint32_t> BufferPool::untaken_outputs() {
  std::vector<std::uint32_t> untaken;
  for (const std::uint32_t id : outputs_) {
    if (states_[id].resident && states_[id].output && is_live(id)) untaken.push_back(id);
  }
  outputs_.clear();
  return untaken;
}

void BufferPool::link_copy(std::uint32_t weight, std::uint32_t copy) {
  if (weight == copy || !is_live(weight) || !is_live(copy)) return;
  if (weight >= copies_of_.size()) copies_of_.resize(weight + 1);
  std::vector<std::uint32_t>& copies = copies_of_[weight];
  if (std::find(copies.begin(), copies.end(), copy) != copies.end()) return;
  copies.push_back(copy);
  links_.push_back({weight, copy});
  if (states_[copy].live_sources++ == 0) add_duplicate(copy, +1);
}

void BufferPool::add_duplicate(std::uint32_t copy, int sign) {
  if (sign < 0) states_[copy].live_sources = 0;
  duplicate_bytes_ += sign * type_of(log_, profile_, profile_.buffers[copy]).padded_bytes;
  profile_.duplicated_weight_bytes_highest =
      std::max(profile_.duplicated_weight_bytes_highest, duplicate_bytes_);
}

void ConstEvalCache::store(BufferPool& pool, std::uint64_t key, const std::vector<std::uint32_t>& entry) {
  for (const std::uint32_t buffer : entry) {
    if (buffer == kNone) continue;
    ++pool.state(buffer).cache_entries;
    if (pool.state(buffer).home_graph == kNone) pool.edit(buffer).kind = TensorKind::kConstEval;
  }
  const std::vector<std::uint32_t> old = std::move(entries_[key]);
  entries_[key] = entry;
  for (const std::uint32_t buffer : old) {
    if (buffer == kNone) continue;
    BufferState& state = pool.state(buffer);
    if (--state.cache_entries == 0 && state.names == 0 && !state.resident) pool.free(buffer);
  }
}

std::int64_t ConstEvalCache::bytes_per_bank(const BufferPool& pool) const {
  std::int64_t sum = 0;
  for (const auto& [key, entry] : entries_) {
    for (const std::uint32_t buffer : entry) {
      if (buffer == kNone || !pool.is_live(buffer) || pool.state(buffer).home_graph != kNone) continue;
      sum = saturating_add(sum, pool[buffer].bytes_per_bank);
    }
  }
  return sum;
}

void ProgramNames::open(std::uint32_t new_instance, std::uint32_t new_graph, bool is_const_eval) {
  instance = new_instance;
  graph = new_graph;
  const_eval = is_const_eval;
  names_.clear();
  next_order_ = 0;
}

void ProgramNames::bind(BufferPool& pool, std::uint32_t name, Binding binding) {
  if (binding.buffer != kNone) ++pool.state(binding.buffer).names;
  binding.order = next_order_++;
  Binding& place = names_.at(name);
  const std::uint32_t old = place.buffer;  // bound twice only in damaged logs
  place = binding;
  if (old != kNone && --pool.state(old).names == 0) pool.release(old, false);
}

std::uint32_t ProgramNames::unbind(BufferPool& pool, std::uint32_t name) {
  Binding* const binding = names_.find(name);
  if (binding == nullptr) return kNone;
  const std::uint32_t buffer = binding->buffer;
  *binding = {};
  if (buffer == kNone || --pool.state(buffer).names > 0) return kNone;
  return buffer;
}

std::vector<std::pair<std::uint32_t, Binding>> ProgramNames::in_order() {
  std::vector<std::pair<std::uint32_t, Binding>> all;
  names_.for_each([&](std::uint32_t name, const Binding& binding) { all.emplace_back(name, binding); });
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.second.order < b.second.order; });
  return all;
}

}  // namespace ttscope::mem
