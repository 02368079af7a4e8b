#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "mem/model/memory_kind.h"

namespace ttscope::mem {

/// Where the facts about the device come from, strongest first. Given: by the user, who named the product.
enum class FactSource : std::uint8_t { kMemoryLines, kSystemDescription, kFailureMessage, kGiven, kAssumed };

/// What is needed of a device to turn a tensor layout into bytes per bank.
struct DeviceFacts {
  std::string arch;  ///< "wormhole", "blackhole", or empty when unknown
  std::array<std::uint32_t, kMemoryCount> banks{12, 64, 64, 12};
  std::array<std::int64_t, kMemoryCount> capacity_bytes_per_bank{0, 0, 0, 0};  ///< 0 = unknown or absent
  std::uint32_t dram_alignment_bytes = 32;  ///< page and block alignment in DRAM
  std::uint32_t l1_alignment_bytes = 16;    ///< page alignment in L1
  std::uint32_t chips = 0;                  ///< of the mesh, all figures are of one of them; 0: unknown
  std::string mesh;                         ///< `1x2`; empty when unknown
  FactSource source = FactSource::kAssumed;
  std::string contradicts{};  ///< the product that the user named, where the log tells of another; else empty
  bool has_message_sizes = false;  ///< sizes of banks are those of messages of failures where these tell them
};

/// Alignment and architecture follow from the banks: 12 of DRAM are Wormhole; 7 or 8 are Blackhole where they
/// are large or where its L1 is: a Grayskull has 8 of 1 GiB and less than 1 MiB of L1 in a core.
void infer_architecture(DeviceFacts& facts);

}  // namespace ttscope::mem
