#include "mem/analyse/failed_tensor.h"

namespace ttscope::mem {

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

}  // namespace ttscope::mem
