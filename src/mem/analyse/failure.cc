#include "mem/analyse/failure.h"

#include <array>

namespace ttscope::mem {
namespace {

FailureCause cause_of(std::int64_t needed_bytes, const FailedBank& bank) {
  if (bank.size_bytes == 0) return FailureCause::kRegionAbsent;
  if (needed_bytes < 0) return FailureCause::kUnknown;
  if (bank.size_bytes > 0 && needed_bytes > bank.size_bytes) return FailureCause::kNeverFits;
  if (bank.free_bytes >= 0 && needed_bytes > bank.free_bytes) return FailureCause::kExhausted;
  if (bank.largest_free_bytes >= 0 && needed_bytes > bank.largest_free_bytes)
    return FailureCause::kFragmented;
  return FailureCause::kUnknown;
}

}  // namespace

std::string_view name_of(FailureCause cause) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "never_fits", "exhausted", "fragmented",
                                                      "region_absent"};
  return kNames[static_cast<std::size_t>(cause)];
}

FailedBank examine_failure(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure) {
  FailedBank bank{
      failure.bank_size_bytes, failure.allocated_bytes, failure.free_bytes, failure.largest_free_bytes, true,
      FailureCause::kUnknown};
  const bool has_block =
      failure.last_op < rank.ops.size() && rank.ops[failure.last_op].block < rank.blocks.size();
  if (bank.free_bytes < 0 && has_block) {
    const MemoryBlock& block = rank.blocks[rank.ops[failure.last_op].block];
    const std::size_t memory = index_of(failure.memory);
    if (bank.size_bytes < 0) bank.size_bytes = bytes_of(trace.geometries[block.geometry].total[memory]);
    bank.allocated_bytes = bytes_of(block.allocated[memory]);
    bank.free_bytes = bytes_of(block.free[memory]);
    bank.largest_free_bytes = bytes_of(block.largest_free[memory]);
    bank.from_message = false;
  }
  bank.cause = cause_of(failure.per_bank_bytes, bank);
  return bank;
}

}  // namespace ttscope::mem
