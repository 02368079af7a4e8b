#include "mem/analyse/failure.h"

#include <algorithm>
#include <array>

#include "mem/model/tensor_type.h"

namespace ttscope::mem {
namespace {

FailureCause cause_of(const FailedBank& bank) {
  const std::int64_t needed = bank.needed_bytes;
  if (bank.size_bytes == 0) return FailureCause::kRegionAbsent;
  if (needed < 0) return FailureCause::kUnknown;
  if (bank.size_bytes > 0 && needed > bank.size_bytes) return FailureCause::kNeverFits;
  // The largest free block alone, of a damaged message, does not tell how much is free in all.
  if (bank.free_bytes < 0) return FailureCause::kUnknown;
  if (needed > bank.free_bytes) return FailureCause::kExhausted;
  if (bank.largest_free_bytes >= 0 && needed > bank.largest_free_bytes) return FailureCause::kFragmented;
  // A message that is cut behind the free bytes: it failed though they are enough.
  const bool cut = bank.largest_free_bytes < 0 && bank.from_message;
  return cut ? FailureCause::kFragmented : FailureCause::kUnknown;
}

/// Banks of the whole device. A sharded buffer names no more banks than it has shards, and no device has
/// fewer than 64 cores with L1.
std::int64_t banks_of_device(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure) {
  constexpr std::int64_t kFewestCores = 64;
  std::int64_t banks = failure.banks;
  if (!rank.blocks.empty()) {
    banks = std::max<std::int64_t>(
        banks, trace.geometries[rank.blocks.back().geometry].banks[index_of(failure.memory)]);
  }
  const bool in_cores = failure.memory == Memory::kL1 || failure.memory == Memory::kL1Small;
  return in_cores ? std::max(banks, kFewestCores) : banks;
}

FailureVerdict verdict_of_allocation(const FailedBank& bank, const OutOfMemory& failure,
                                     std::int64_t device_banks) {
  switch (bank.cause) {
    case FailureCause::kRegionAbsent:
      return FailureVerdict::kRegionMissing;
    case FailureCause::kNeverFits: {
      if (failure.memory == Memory::kL1Small || failure.memory == Memory::kTrace)
        return FailureVerdict::kRegionMissing;
      const bool knows_device = device_banks > 0 && failure.requested_bytes >= 0;
      return knows_device && failure.requested_bytes > saturating_multiply(device_banks, bank.size_bytes)
                 ? FailureVerdict::kLargerThanDevice
                 : FailureVerdict::kLargerThanBank;
    }
    case FailureCause::kExhausted:
      return FailureVerdict::kExhausted;
    case FailureCause::kFragmented:
      return FailureVerdict::kFragmented;
    case FailureCause::kUnknown:
      break;
  }
  return FailureVerdict::kUndecided;
}

FailureVerdict verdict_of_kind(FailureKind kind) {
  switch (kind) {
    case FailureKind::kBuffersBeyondL1:
      return FailureVerdict::kBuffersExceedL1;
    case FailureKind::kBuffersClash:
      return FailureVerdict::kBuffersClash;
    case FailureKind::kProgramSize:
      return FailureVerdict::kProgramTooLarge;
    case FailureKind::kTraceRegion:
    case FailureKind::kTraceOverlap:
      return FailureVerdict::kRegionMissing;
    case FailureKind::kHostMemory:
      return FailureVerdict::kHostMemory;
    case FailureKind::kAddressBelowLimit:
    case FailureKind::kAllocation:
      break;
  }
  return FailureVerdict::kUndecided;
}

std::int64_t even_share(const OutOfMemory& failure) {
  if (failure.per_bank_bytes >= 0) return failure.per_bank_bytes;
  if (failure.requested_bytes < 0 || failure.banks <= 0) return -1;
  return failure.requested_bytes / failure.banks + (failure.requested_bytes % failure.banks == 0 ? 0 : 1);
}

/// Older messages do not tell the state of the bank; the block before the failing op does.
void take_state_of_block(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure,
                         FailedBank& bank) {
  if (failure.last_op >= rank.ops.size() || rank.ops[failure.last_op].block >= rank.blocks.size()) return;
  const MemoryBlock& block = rank.blocks[rank.ops[failure.last_op].block];
  const std::size_t memory = index_of(failure.memory);
  if (bank.size_bytes < 0) bank.size_bytes = bytes_of(trace.geometries[block.geometry].total[memory]);
  bank.allocated_bytes = bytes_of(block.allocated[memory]);
  bank.free_bytes = bytes_of(block.free[memory]);
  bank.largest_free_bytes = bytes_of(block.largest_free[memory]);
  bank.from_message = false;
  bank.block_line = block.line;
}

}  // namespace

std::string_view name_of(FailureCause cause) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "never_fits", "exhausted", "fragmented",
                                                      "region_absent"};
  return kNames[static_cast<std::size_t>(cause)];
}

std::string_view name_of(FailureVerdict verdict) {
  constexpr std::array<std::string_view, 11> kNames = {
      "larger_than_device", "larger_than_bank", "exhausted",     "fragmented",
      "undecided",          "region_missing",   "cb_exceeds_l1", "cb_clash",
      "program_too_large",  "host_memory",      "crashed"};
  return kNames[static_cast<std::size_t>(verdict)];
}

FailedBank examine_failure(const RuntimeTrace& trace, const RankTrace& rank, const OutOfMemory& failure) {
  FailedBank bank;
  bank.verdict = verdict_of_kind(failure.kind);
  bank.reached_bytes = failure.reached_bytes;
  bank.limit_bytes = failure.limit_bytes;
  if (bank.verdict == FailureVerdict::kRegionMissing) bank.cause = FailureCause::kRegionAbsent;
  if (failure.kind != FailureKind::kAllocation) return bank;
  bank.size_bytes = failure.bank_size_bytes;
  bank.allocated_bytes = failure.allocated_bytes;
  bank.free_bytes = failure.free_bytes;
  bank.largest_free_bytes = failure.largest_free_bytes;
  bank.needed_bytes = even_share(failure);
  if (bank.size_bytes < 0 && bank.allocated_bytes >= 0 && bank.free_bytes >= 0)
    bank.size_bytes = saturating_add(bank.allocated_bytes, bank.free_bytes);
  if (bank.free_bytes < 0) take_state_of_block(trace, rank, failure, bank);
  bank.cause = cause_of(bank);
  bank.verdict = verdict_of_allocation(bank, failure, banks_of_device(trace, rank, failure));
  return bank;
}

std::uint64_t fingerprint_of(const OutOfMemory& failure) {
  std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a: the same on every machine and in every version
  const auto mix = [&hash](std::int64_t value) {
    for (int shift = 0; shift < 64; shift += 8) {
      hash ^= static_cast<std::uint64_t>(value) >> shift & 0xff;
      hash *= 0x100000001b3ull;
    }
  };
  mix(static_cast<std::int64_t>(failure.kind));
  mix(static_cast<std::int64_t>(failure.memory));
  for (const std::int64_t figure : {failure.requested_bytes, failure.banks, failure.per_bank_bytes,
                                    failure.reached_bytes, failure.limit_bytes}) {
    mix(figure);
  }
  return hash;
}

}  // namespace ttscope::mem
