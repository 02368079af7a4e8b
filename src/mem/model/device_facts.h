#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mem/model/memory_kind.h"

namespace ttscope::mem {

/// Where the facts about the device come from, strongest first.
enum class FactSource : std::uint8_t { kMemoryLines, kSystemDescription, kAssumed };

/// What is needed of a device to turn a tensor layout into bytes per bank.
struct DeviceFacts {
  std::string arch;  ///< "wormhole", "blackhole", or empty when unknown
  std::array<std::uint32_t, kMemoryCount> banks{12, 64, 64, 12};
  std::array<std::int64_t, kMemoryCount> capacity_bytes_per_bank{0, 0, 0, 0};  ///< 0 = unknown or absent
  std::uint32_t dram_alignment_bytes = 32;  ///< page and block alignment in DRAM
  std::uint32_t l1_alignment_bytes = 16;    ///< page alignment in L1
  FactSource source = FactSource::kAssumed;
};

/// Alignment and architecture follow from the bank count: 12 is Wormhole, 7 or 8 large banks are Blackhole.
void infer_architecture(DeviceFacts& facts);

}  // namespace ttscope::mem
