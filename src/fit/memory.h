#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

}  // namespace ttscope::fit
