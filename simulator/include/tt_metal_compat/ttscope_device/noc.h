#pragma once
/// The network on chip as a core sees it: registers of four command buffers and counters of answers.

#include <stdint.h>

#include "ttscope_device/memory_map.h"

namespace ttscope_device {

#if defined(ARCH_WORMHOLE)
constexpr ArchMap kMap = kWormhole;
#elif defined(ARCH_BLACKHOLE)
constexpr ArchMap kMap = kBlackhole;
#else
#error "define ARCH_WORMHOLE or ARCH_BLACKHOLE"
#endif

#if defined(COMPILE_FOR_BRISC)
constexpr uint32_t kThisRisc = kBrisc;
#elif defined(COMPILE_FOR_NCRISC)
constexpr uint32_t kThisRisc = kNcrisc;
#elif defined(COMPILE_FOR_TRISC)
constexpr uint32_t kThisRisc = kTrisc0 + COMPILE_FOR_TRISC;
#elif defined(COMPILE_FOR_IDLE_ERISC)
constexpr uint32_t kThisRisc = kBrisc;
#else
#error "define COMPILE_FOR_BRISC, COMPILE_FOR_NCRISC, COMPILE_FOR_TRISC=0..2 or COMPILE_FOR_IDLE_ERISC"
#endif

inline __attribute__((always_inline)) volatile uint32_t* words_at(uint32_t address) {
  return reinterpret_cast<volatile uint32_t*>(address);
}

enum NocRegister : uint32_t {
  kTargetLow = 0x00,
  kTargetMid = 0x04,
  kTargetHigh = 0x08,
  kReturnLow = 0x0C,
  kReturnMid = 0x10,
  kReturnHigh = 0x14,
  kPacketTag = 0x18,
  kControlBits = 0x1C,
  kLength = 0x20,
  kAtomicAnswers = 0x200,
  kWriteAcks = 0x204,
  kReadAnswers = 0x208,
  kWritesSent = 0x228,
};

constexpr uint32_t kNocAtomic = 1u << 0;
constexpr uint32_t kNocWrite = 1u << 1;
constexpr uint32_t kNocWithAnswer = 1u << 4;
constexpr uint32_t kNocMulticast = 1u << 5;
constexpr uint32_t kNocLinked = 1u << 6;  ///< keeps its way for the next one
constexpr uint32_t kNocStaticChannel = 1u << 7;
constexpr uint32_t kNocPathReserve = 1u << 8;
constexpr uint32_t kNocWithSource = 1u << 17;  ///< of a multicast: the sender is one of the receivers
constexpr uint32_t noc_channel(uint32_t channel) { return kNocStaticChannel | channel << 13; }
/// Increment and return the old value, over all 32 bits.
constexpr uint32_t kAtomicIncrement = 0x107C;

/// Which command buffer serves what.
enum CommandBuffer : uint32_t { kWriteBuffer = 0, kReadBuffer = 1, kAtomicBuffer = 2, kProfilerBuffer = 3 };

inline __attribute__((always_inline)) volatile uint32_t& noc_register(uint32_t noc, uint32_t offset) {
  return *words_at(kNocRegisters[noc] + offset);
}

/// The place of this tile, in coordinates that mean the same on both networks.
inline uint32_t noc_own_coordinate(uint32_t noc) { return noc_register(noc, kMap.noc_translated_id) & 0xFFF; }

inline __attribute__((always_inline)) void noc_set_place(volatile uint32_t* low, uint32_t coordinate,
                                                         uint32_t address) {
  low[0] = address;
#if defined(ARCH_WORMHOLE)
  low[1] = coordinate << 4;
#else
  low[1] = 0;
  low[2] = coordinate;
#endif
}

/// Answers to writes beyond one for each: all receivers of a multicast answer. In private memory, at the same
/// place for firmware and kernels; each RISC uses one network.
inline __attribute__((always_inline)) uint32_t& noc_extra_acks() {
  return *reinterpret_cast<uint32_t*>(kPrivateMemory + kSharedPrivateBytes - 4);
}
/// At boot.
inline void noc_reset_acks(uint32_t noc) {
  noc_extra_acks() = noc_register(noc, kWriteAcks) - noc_register(noc, kWritesSent);
}
inline __attribute__((always_inline)) void noc_wait_for_writes(uint32_t noc) {
  const uint32_t extra = noc_extra_acks();
  while (noc_register(noc, kWriteAcks) - extra != noc_register(noc, kWritesSent)) {
  }
}

/// One command. `target` is where data are read or changed, `back` where they or the answer go.
inline void noc_command(uint32_t noc, uint32_t buffer, uint32_t target_coordinate, uint32_t target_address,
                        uint32_t back_coordinate, uint32_t back_address, uint32_t control, uint32_t length) {
  const uint32_t base = kNocRegisters[noc] + buffer * kMap.noc_command_stride;
  while (*words_at(base + kMap.noc_command) != 0) {
  }
  noc_set_place(words_at(base + kTargetLow), target_coordinate, target_address);
  noc_set_place(words_at(base + kReturnLow), back_coordinate, back_address);
  *words_at(base + kPacketTag) = 0;
  *words_at(base + kControlBits) = control;
  *words_at(base + kLength) = length;
  *words_at(base + kMap.noc_command) = 1;
}

}  // namespace ttscope_device
