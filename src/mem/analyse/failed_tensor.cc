#include "mem/analyse/failed_tensor.h"

#include <cstdlib>
#include <limits>

namespace ttscope::mem {
namespace {

/// How much more the message says is allocated than the block before its op; below 0: not told.
std::int64_t gained_in_op(const RankTrace& ops, const OutOfMemory& failure) {
  if (failure.allocated_bytes < 0 || failure.last_op >= ops.ops.size()) return -1;
  const std::uint32_t block = ops.ops[failure.last_op].block;
  if (block >= ops.blocks.size() || !ops.blocks[block].has(failure.memory)) return -1;
  const std::int64_t before = bytes_of(ops.blocks[block].allocated[index_of(failure.memory)]);
  const std::int64_t gained = failure.allocated_bytes - before;
  return is_rounding(gained) ? 0 : gained;
}

/// The number of tensors that together take `bytes` of a bank, nearest first; none where none comes near.
std::optional<std::size_t> count_that_takes(const std::vector<TensorType>& types, const DeviceFacts& device,
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

bool takes_asked_room(const TensorType& tensor, const RankProfile& profile, const OutOfMemory& failure) {
  const bool in_memory = (tensor.buffer == BufferType::kDram && failure.memory == Memory::kDram) ||
                         (tensor.buffer == BufferType::kL1 && failure.memory == Memory::kL1);
  if (!in_memory || failure.per_bank_bytes <= 0) return false;
  const std::int64_t alignment = profile.device.dram_alignment_bytes;
  const std::int64_t asked = (failure.per_bank_bytes + alignment - 1) / alignment * alignment;
  return bytes_per_bank(tensor, profile.device) == asked;
}

Buffer asked_buffer(const RuntimeTrace& trace, const RankTrace& ops, const RankProfile& profile,
                    const OutOfMemory& failure) {
  Buffer buffer;
  buffer.kind = kind_of_request(profile, failure);
  buffer.bytes_per_bank = failure.per_bank_bytes;
  const OpText* op = failure.last_op < ops.ops.size() ? trace.text_of(ops.ops[failure.last_op]) : nullptr;
  if (op == nullptr || op->role != OpRole::kCompute) return buffer;
  for (const std::uint32_t type : trace.ids(op->result_types)) {
    if (!takes_asked_room(trace.types[type], profile, failure)) continue;
    buffer.type = type;
    buffer.memory = static_cast<std::uint8_t>(index_of(failure.memory));
    break;
  }
  return buffer;
}

FailingResults failing_results(const RuntimeTrace& trace, const RankTrace& ops, const DeviceFacts& device,
                               const OutOfMemory& failure) {
  FailingResults results;
  const OpText* op = failure.last_op < ops.ops.size() ? trace.text_of(ops.ops[failure.last_op]) : nullptr;
  if (op == nullptr) return results;
  const auto ids = trace.ids(op->result_types);
  for (std::uint32_t place = 0; place < ids.size(); ++place) {
    const TensorType& type = trace.types[ids[place]];
    const bool in_dram = type.buffer == BufferType::kDram;
    if (!type.on_device() || in_dram != (failure.memory == Memory::kDram)) continue;
    results.places.push_back(place);
    results.types.push_back(type);
  }
  if (const std::int64_t gained = gained_in_op(ops, failure); gained >= 0)
    results.got = count_that_takes(results.types, device, gained);
  return results;
}

void claim_failing_results(const FailingResults& results, const DeviceFacts& device, LiveSet& live) {
  std::optional<std::size_t> count = results.got;
  if (!count && live.unaccounted_bytes_per_bank > 0)
    count = count_that_takes(results.types, device, live.unaccounted_bytes_per_bank);
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

}  // namespace ttscope::mem
