#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <ttscope_device/memory_map.h>

namespace ttscope::testing {

/// Five cores of a tile, stepped one instruction a tick in the order in which the chip steps them: slow and
/// plain. RV32I arithmetic, loads and stores of L1 words, branches, jal and the wall clock; everything else
/// does nothing.
class ReferenceTile {
 public:
  static constexpr std::uint32_t kL1Bytes = 0x40000;

  std::vector<std::uint32_t> l1 = std::vector<std::uint32_t>(kL1Bytes / 4, 0);

  void start(const std::array<std::uint32_t, 5>& pcs) {
    for (std::size_t i = 0; i < 5; ++i) cores_[i].pc = pcs[i];
  }
  void clock(std::uint32_t ticks) {
    for (std::uint32_t i = 0; i < ticks; ++i) {
      for (Core& core : cores_) step(core);
      ++now_;
    }
  }

 private:
  struct Core {
    std::array<std::uint32_t, 32> x{};
    std::uint32_t pc = 0;
  };

  static std::uint32_t extended(std::uint32_t value, int width) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value << (32 - width)) >> (32 - width));
  }

  void step(Core& core) {
    const std::uint32_t word = l1[core.pc / 4];
    const std::uint32_t rd = word >> 7 & 31;
    const std::uint32_t a = core.x[word >> 15 & 31];
    const std::uint32_t b = core.x[word >> 20 & 31];
    const std::uint32_t function = word >> 12 & 7;
    const std::uint32_t immediate = extended(word >> 20, 12);
    std::uint32_t result = core.x[rd];
    std::uint32_t next = core.pc + 4;
    switch (word & 0x7F) {
      case 0x37:
        result = word & 0xFFFFF000;
        break;
      case 0x13:
        result = function == 0 ? a + immediate : function == 4 ? a ^ immediate : a & immediate;
        break;
      case 0x33:
        result = function == 0 ? (word >> 30 & 1 ? a - b : word >> 25 & 1 ? a * b : a + b) : a ^ b;
        break;
      case 0x03: {
        const std::uint32_t address = a + immediate;
        result = address == ttscope_device::kClockLow ? static_cast<std::uint32_t>(now_) : l1[address / 4];
        break;
      }
      case 0x23:
        l1[(a + extended((word >> 25) << 5 | rd, 12)) / 4] = b;
        break;
      case 0x63: {
        const std::uint32_t offset = extended(
            (word >> 31) << 12 | (word >> 7 & 1) << 11 | (word >> 25 & 63) << 5 | (word >> 8 & 15) << 1, 13);
        if (function == 0 ? a == b : a != b) next = core.pc + offset;
        break;
      }
      default:
        break;
    }
    const bool writes =
        (word & 0x7F) == 0x37 || (word & 0x7F) == 0x13 || (word & 0x7F) == 0x33 || (word & 0x7F) == 0x03;
    if (writes && rd != 0) core.x[rd] = result;
    core.pc = next;
  }

  std::array<Core, 5> cores_;  // BRISC, TRISC0, TRISC1, TRISC2, NCRISC
  std::uint64_t now_ = 0;
};

}  // namespace ttscope::testing
