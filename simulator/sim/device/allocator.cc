#include "sim/device/allocator.h"

#include "base/result.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttscope::sim {
namespace {

bool in_dram(BufferType type) { return type == BufferType::kDram || type == BufferType::kTrace; }

std::uint64_t aligned_page(const BufferRequest& request, const DeviceSpec& spec) {
  return round_up(request.page_bytes,
                  in_dram(request.type) ? spec.dram_alignment_bytes : spec.l1_alignment_bytes);
}

}  // namespace

BankShare bank_share(const BufferRequest& request, const DeviceSpec& spec) {
  BankShare share;
  const bool sharded = request.layout != BufferLayout::kInterleaved;
  share.banks = sharded ? request.shard_cores : in_dram(request.type) ? spec.dram_banks : spec.l1_banks();
  if (request.page_bytes == 0 || share.banks == 0) return share;
  const std::uint64_t pages = sharded ? request.pages_per_shard * request.shard_cores
                                      : (request.size_bytes + request.page_bytes - 1) / request.page_bytes;
  const std::uint64_t page = aligned_page(request, spec);
  share.bytes_per_bank = (pages + share.banks - 1) / share.banks * page;
  share.total_bytes = pages * page;
  return share;
}

PagePlace page_place(const BufferRequest& request, const DeviceSpec& spec, std::uint64_t index) {
  const std::uint32_t banks = in_dram(request.type) ? spec.dram_banks : spec.l1_banks();
  if (banks == 0) return {};
  return {static_cast<std::uint32_t>(index % banks), index / banks * aligned_page(request, spec)};
}

namespace {

constexpr std::size_t kDram = 0;
constexpr std::size_t kL1 = 1;
constexpr std::size_t kL1Small = 2;
constexpr std::size_t kTrace = 3;

/// Bank counts for which tt-metal can compute a page's bank, beside the powers of two.
constexpr std::array<std::uint32_t, 18> kOddBankCounts{7,  12,  20,  48,  56,  63,  70,  72,  80,
                                                       94, 108, 110, 117, 120, 124, 126, 130, 140};

bool valid_bank_count(std::uint32_t banks) {
  const bool power_of_two = banks != 0 && (banks & (banks - 1)) == 0;
  return power_of_two ||
         std::find(kOddBankCounts.begin(), kOddBankCounts.end(), banks) != kOddBankCounts.end();
}

Error invalid_banks(std::uint32_t banks, BufferType type) {
  return bad_input(
      fmt::format("Invalid number of memory banks {} for {}. Num banks must be power of 2 or one of {}",
                  banks, name_of(type), fmt::join(kOddBankCounts, ", ")));
}

FreeList::Options trace_region(const DeviceSpec& spec) {
  const std::uint64_t bytes = spec.trace_bytes_per_bank();
  return {bytes, spec.dram_bank_bytes - std::min(bytes, spec.dram_bank_bytes), spec.dram_alignment_bytes};
}

FreeList::Options l1_small_region(const DeviceSpec& spec) {
  const std::uint64_t bytes = round_up(spec.l1_small_bytes, spec.dram_alignment_bytes);
  return {bytes, spec.l1_bytes_per_core - std::min(bytes, spec.l1_bytes_per_core), spec.dram_alignment_bytes};
}

Result<void> check_request(const BufferRequest& request, const DeviceSpec& spec) {
  const bool sharded = request.layout != BufferLayout::kInterleaved;
  if (request.type == BufferType::kSystemMemory)
    return failure(bad_input("system memory is not on the device"));
  if (request.page_bytes == 0) return failure(bad_input("a buffer needs a page size above 0"));
  if (request.type == BufferType::kL1Small && !sharded) {
    return failure(bad_input("L1_SMALL only supports sharded allocations, see validate_num_banks"));
  }
  const std::uint32_t cores = request.type == BufferType::kDram ? spec.dram_banks : spec.l1_banks();
  if (sharded && (request.shard_cores == 0 || request.shard_cores > cores)) {
    return failure(bad_input(fmt::format(
        "Expected number of shards {} to be less than or equal to total number of {} {} in compute cores",
        request.shard_cores, request.type == BufferType::kDram ? "DRAM banks" : "L1 banks", cores)));
  }
  return {};
}

}  // namespace

Allocator::Allocator(const DeviceSpec& spec)
    : spec_(spec),
      memories_{
          Memory{FreeList({spec.dram_usable_bytes_per_bank(), spec.dram_base_address(),
                           spec.dram_alignment_bytes}),
                 spec.dram_banks},
          Memory{FreeList({spec.l1_usable_bytes_per_core(), spec.l1_base_address, spec.dram_alignment_bytes}),
                 spec.l1_banks()},
          Memory{FreeList(l1_small_region(spec)), spec.l1_banks()},
          Memory{FreeList(trace_region(spec)), spec.dram_banks}} {}

Result<Allocator> Allocator::create(const DeviceSpec& spec) {
  const auto power_of_two = [](std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; };
  if (!power_of_two(spec.dram_alignment_bytes) || !power_of_two(spec.l1_alignment_bytes)) {
    return failure(bad_input(fmt::format("alignments must be powers of two, found {} (DRAM) and {} (L1)",
                                         spec.dram_alignment_bytes, spec.l1_alignment_bytes)));
  }
  if (!valid_bank_count(spec.dram_banks)) return failure(invalid_banks(spec.dram_banks, BufferType::kDram));
  if (!valid_bank_count(spec.l1_banks())) return failure(invalid_banks(spec.l1_banks(), BufferType::kL1));
  if (spec.chips == 0) return failure(bad_input("a device needs at least one chip"));
  if (spec.dram_usable_bytes_per_bank() == 0) {
    return failure(
        bad_input(fmt::format("a DRAM bank of {} B has no room beside {} B reserved and {} B for traces",
                              spec.dram_bank_bytes, spec.dram_base_address(), spec.trace_bytes_per_bank())));
  }
  if (spec.l1_usable_bytes_per_core() == 0) {
    return failure(bad_input(fmt::format("L1 of {} B has no room beside {} B reserved and {} B of L1_SMALL",
                                         spec.l1_bytes_per_core, spec.l1_base_address, spec.l1_small_bytes)));
  }
  return Allocator(spec);
}

std::size_t Allocator::index(BufferType type) const {
  switch (type) {
    case BufferType::kL1:
      return kL1;
    case BufferType::kL1Small:
      return kL1Small;
    case BufferType::kTrace:
      return spec_.trace_region_bytes == 0 ? kDram : kTrace;
    default:
      return kDram;
  }
}

Result<std::uint64_t> Allocator::allocate(const BufferRequest& request) {
  RETURN_IF_ERROR(check_request(request, spec_));
  const BankShare share = bank_share(request, spec_);
  const bool own_trace_region = request.type == BufferType::kTrace && spec_.trace_region_bytes != 0;
  const bool bottom_up = request.bottom_up.value_or(request.type == BufferType::kDram || own_trace_region);
  Memory& place = memory(request.type);
  const auto address =
      place.blocks.allocate(share.bytes_per_bank, bottom_up ? Direction::kBottomUp : Direction::kTopDown,
                            spec_.best_fit ? fit::Policy::kBestFit : fit::Policy::kFirstFit);
  if (!address) {
    const FreeListStats now = place.blocks.stats();
    return failure(bad_input(fmt::format(
        "Out of Memory: Not enough space to allocate {} B {} buffer across {} banks, where each bank needs "
        "to store {} B, but bank size is {} B (allocated: {} B, free: {} B, largest free block: {} B)",
        share.total_bytes, name_of(request.type), share.banks, share.bytes_per_bank, now.total_bytes,
        now.allocated_bytes, now.free_bytes, now.largest_free_bytes)));
  }
  place.peak_allocated_bytes = std::max(place.peak_allocated_bytes, place.blocks.allocated_bytes());
  note_in_window(place);
  return *address;
}

void Allocator::note_in_window(Memory& place) {
  const std::uint64_t allocated = place.blocks.allocated_bytes();
  const std::uint64_t largest = place.blocks.largest_free_bytes();
  const std::uint64_t free = place.blocks.bank_bytes() - allocated;
  MemoryWindow& window = place.window;
  place.at_window_peak = allocated > window.peak_allocated_bytes_per_bank;
  window.peak_allocated_bytes_per_bank = std::max(window.peak_allocated_bytes_per_bank, allocated);
  window.smallest_largest_free_bytes_per_bank =
      std::min(window.smallest_largest_free_bytes_per_bank, largest);
  if (free > 0) {
    const double fragmentation = 1.0 - static_cast<double>(largest) / static_cast<double>(free);
    window.worst_fragmentation = std::max(window.worst_fragmentation, fragmentation);
  }
}

void Allocator::begin_window() {
  for (Memory& place : memories_) {
    place.window = {};
    place.window.peak_allocated_bytes_per_bank = place.blocks.allocated_bytes();
    place.window.smallest_largest_free_bytes_per_bank = place.blocks.largest_free_bytes();
  }
}

void Allocator::name_window_peak(BufferType type, std::string_view operation, std::string_view module) {
  MemoryWindow& window = memory(type).window;
  window.peak_operation = operation;
  window.peak_module = module;
}

void Allocator::deallocate(BufferType type, std::uint64_t address) { memory(type).blocks.free(address); }

MemoryStats Allocator::stats(BufferType type) const {
  const Memory& place = memory(type);
  const FreeListStats blocks = place.blocks.stats();
  return {place.banks,       blocks.total_bytes,        blocks.allocated_bytes,
          blocks.free_bytes, blocks.largest_free_bytes, blocks.lowest_occupied_address};
}

}  // namespace ttscope::sim
