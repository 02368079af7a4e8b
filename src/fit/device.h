#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/chips.h"
#include "base/result.h"

namespace ttscope::fit {

/// The four memories of a device that an allocator manages, in the order in which the runtime prints them.
enum class Memory : std::uint8_t { kDram, kL1, kL1Small, kTrace };

inline constexpr std::size_t kMemoryCount = 4;
inline constexpr std::array<Memory, kMemoryCount> kMemories = {Memory::kDram, Memory::kL1, Memory::kL1Small,
                                                               Memory::kTrace};

constexpr std::size_t index_of(Memory memory) { return static_cast<std::size_t>(memory); }

/// Name as printed by the runtime: DRAM, L1, L1_SMALL, TRACE.
constexpr std::string_view name_of(Memory memory) {
  constexpr std::array<std::string_view, kMemoryCount> kNames = {"DRAM", "L1", "L1_SMALL", "TRACE"};
  return kNames[index_of(memory)];
}

/// Sizes of banks that runtimes of several ages leave to an allocator, exact: a printed size, which is
/// rounded, is one of these as a rule.
const std::vector<std::int64_t>& common_bank_sizes(Memory memory);

/// One memory of a chip.
struct Region {
  std::uint32_t banks = 0;
  std::int64_t bytes_per_bank = 0;  ///< for buffers: what is reserved is not counted; 0: there is none
};

/// What of a device decides whether a run fits: the memories of one chip, which all chips of it have alike.
struct Device {
  std::string name;         ///< `n150`, `custom`, or how the input describes its own
  std::string arch;         ///< `wormhole`, `blackhole`; empty when unknown
  std::uint32_t chips = 0;  ///< 0: unknown
  std::array<Region, kMemoryCount> regions{};
  /// Of blocks in every memory, and of pages in DRAM.
  std::uint32_t alignment_bytes = kWormhole.dram_alignment_bytes;
  std::uint32_t l1_alignment_bytes = kWormhole.l1_alignment_bytes;  ///< of pages in L1
  bool is_own = false;      ///< the one that the input ran on, or was made for
  bool is_assumed = false;  ///< own: a usual one, because the input does not tell it

  const Region& region(Memory memory) const { return regions[index_of(memory)]; }
};

/// What a setting of the run takes of the memories of any device.
struct Reservations {
  std::int64_t l1_small_bytes_per_bank = kDefaultL1SmallBytes;
  std::int64_t trace_bytes = 0;  ///< of the whole chip, taken off its DRAM banks
};

Device device_of(const Product& product, const Reservations& reserved = {});

/// `n150`, or `custom:DRAM=12x1024MB,L1=64x1.3MB` (also L1_SMALL and TRACE; units of 1024). The error says
/// what is wrong and what would be right.
Result<Device> parse_device(std::string_view text, const Reservations& reserved = {});

}  // namespace ttscope::fit
