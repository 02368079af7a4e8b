#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fit/device.h"

namespace ttscope::mem {

using fit::index_of;
using fit::kMemories;
using fit::kMemoryCount;
using fit::Memory;
using fit::name_of;

/// The memories that hold tensors; only these have a live set.
inline constexpr std::size_t kTensorMemoryCount = 2;
inline constexpr std::array<Memory, kTensorMemoryCount> kTensorMemories = {Memory::kDram, Memory::kL1};

/// A figure for each tensor memory, in bytes per bank.
using PerTensorMemory = std::array<std::int64_t, kTensorMemoryCount>;

/// Memory lines print MiB with three decimals; we keep that integer and convert late.
using MilliMib = std::uint32_t;

constexpr std::int64_t bytes_of(MilliMib value) {
  return (static_cast<std::int64_t>(value) * 1048576 + 500) / 1000;
}

/// The difference of two printed figures; equal differences give equal bytes.
constexpr std::int64_t bytes_between(MilliMib from, MilliMib to) {
  return to >= from ? bytes_of(to - from) : -bytes_of(from - to);
}

/// Resolution of a printed figure: 0.001 MiB, rounded up to whole bytes.
inline constexpr std::int64_t kLogResolutionBytes = 1049;

/// Whether a difference of measured bytes per bank is no more than the log's rounding.
constexpr bool is_rounding(std::int64_t difference_bytes) {
  return -kLogResolutionBytes <= difference_bytes && difference_bytes <= kLogResolutionBytes;
}

/// What two changes may differ by and still be the same one: each is the difference of two printed figures.
inline constexpr std::int64_t kRoundingBytes = 2 * kLogResolutionBytes;

/// Where the facts about the device come from, strongest first. Given: by the user, who named the product.
enum class FactSource : std::uint8_t { kMemoryLines, kSystemDescription, kFailureMessage, kGiven, kAssumed };

/// What is needed of a device to turn a tensor layout into bytes per bank.
struct DeviceFacts {
  std::string arch;  ///< "wormhole", "blackhole", or empty when unknown
  std::array<std::uint32_t, kMemoryCount> banks{kWormhole.dram_banks, kWormhole.worker_cores(),
                                                kWormhole.worker_cores(), kWormhole.dram_banks};
  std::array<std::int64_t, kMemoryCount> capacity_bytes_per_bank{0, 0, 0, 0};  ///< 0 = unknown or absent
  std::uint32_t dram_alignment_bytes = kWormhole.dram_alignment_bytes;  ///< page and block alignment in DRAM
  std::uint32_t l1_alignment_bytes = kWormhole.l1_alignment_bytes;      ///< page alignment in L1
  std::uint32_t chips = 0;  ///< of the mesh, all figures are of one of them; 0: unknown
  std::string mesh;         ///< `1x2`; empty when unknown
  FactSource source = FactSource::kAssumed;
  std::string contradicts{};  ///< the product that the user named, where the log tells of another; else empty
  bool has_message_sizes = false;  ///< sizes of banks are those of messages of failures where these tell them
};

/// Alignment and architecture follow from the banks: 12 of DRAM are Wormhole; 7 or 8 are Blackhole where they
/// are large or where its L1 is: a Grayskull has 8 of 1 GiB and less than 1 MiB of L1 in a core.
void infer_architecture(DeviceFacts& facts);

/// Fills in what is not known; what the log tells stays.
void supply_facts(DeviceFacts& facts, const Product& device);

}  // namespace ttscope::mem
