#pragma once
/// Records of NoC transfers, as 64-bit payloads of timestamped data. Active with PROFILE_NOC_EVENTS or
/// DEVICE_DEBUG_DUMP on the RISCs that move data; otherwise nothing is left of it.

#include <stdint.h>

#include "tools/profiler/kernel_profiler.hpp"

namespace noc_event_profiler {

enum class NocEventType : uint8_t {
  kRead = 1,
  kReadBarrierStart = 6,
  kReadBarrierEnd = 7,
  kWrite = 11,
  kWriteMulticast = 15,
  kWriteBarrierStart = 20,
  kWriteBarrierEnd = 21,
  kAtomicBarrier = 26,
  kSemaphoreInc = 27,
  kSemaphoreWait = 28,
  kSemaphoreSet = 29,
};

/// Bytes from the lowest: type, destination x and y, multicast end x and y, network (1 or 2) and virtual
/// channel as nibbles, size in chunks of 32 bytes (at most 255), posted.
constexpr uint64_t event_payload(NocEventType type, uint32_t x, uint32_t y, uint32_t noc, int channel,
                                 uint32_t bytes, bool posted) {
  const uint32_t chunks = (bytes + 31) / 32;
  const uint32_t low = static_cast<uint32_t>(type) | (x & 0xFF) << 8 | (y & 0xFF) << 16;
  const uint32_t high = (noc + 1) << 8 | (static_cast<uint32_t>(channel) & 0xF) << 12 |
                        (chunks < 255 ? chunks : 255) << 16 | (posted ? 1u : 0u) << 24;
  return static_cast<uint64_t>(high) << 32 | low;
}

#if TTSCOPE_PROFILING && (defined(PROFILE_NOC_EVENTS) || defined(DEVICE_DEBUG_DUMP))
constexpr bool kEnabled = kernel_profiler::kHasNoc;

inline void record(uint32_t id, uint64_t payload) {
  if (!kernel_profiler::take_or_push(kernel_profiler::kDataBytes)) return;
  kernel_profiler::append(ttscope_device::marker_word(ttscope_device::kTimestampedData, id));
  kernel_profiler::put_payload(payload);
}
#else
constexpr bool kEnabled = false;
#endif

/// A transfer; `coordinate` is what the command is given.
inline __attribute__((always_inline)) void record_transfer(
    [[maybe_unused]] NocEventType type, [[maybe_unused]] uint32_t coordinate, [[maybe_unused]] uint32_t noc,
    [[maybe_unused]] int channel, [[maybe_unused]] uint32_t bytes, [[maybe_unused]] uint32_t to,
    [[maybe_unused]] uint32_t from, [[maybe_unused]] uint32_t counter) {
#if TTSCOPE_PROFILING && defined(DEVICE_DEBUG_DUMP)
  if (!kEnabled) return;
  const auto place = [](uint32_t address) {
    return static_cast<uint64_t>((address >> 4 & 0x3FFFFF) | (address & 15) << 22);
  };
  kernel_profiler::record_data16(
      ttscope_device::kNocDebugId,
      event_payload(type, coordinate & 63, coordinate >> 6 & 63, noc, channel, bytes, false),
      place(to) | place(from) << 26 | static_cast<uint64_t>(counter & 0xFFF) << 52);
#elif TTSCOPE_PROFILING && defined(PROFILE_NOC_EVENTS)
  if (kEnabled)
    record(ttscope_device::kNocTraceId,
           event_payload(type, coordinate & 63, coordinate >> 6 & 63, noc, channel, bytes, false));
#endif
}

/// A multicast; `corners` is what the command is given. A linked series must not be interrupted by a push:
/// what is there is sent before it begins.
inline __attribute__((always_inline)) void record_multicast([[maybe_unused]] uint32_t corners,
                                                            [[maybe_unused]] uint32_t noc,
                                                            [[maybe_unused]] uint32_t bytes,
                                                            [[maybe_unused]] bool linked) {
#if TTSCOPE_PROFILING && (defined(PROFILE_NOC_EVENTS) || defined(DEVICE_DEBUG_DUMP))
  if (!kEnabled) return;
  if (linked && kernel_profiler::state().room < kernel_profiler::kLinkedRoomBytes)
    kernel_profiler::quick_push();
  const uint64_t other =
      static_cast<uint64_t>(corners & 0x3F) << 24 | static_cast<uint64_t>(corners >> 6 & 0x3F) << 32;
#if defined(DEVICE_DEBUG_DUMP)
  constexpr uint32_t kId = ttscope_device::kNocDebugId;
#else
  constexpr uint32_t kId = ttscope_device::kNocTraceId;
#endif
  record(kId, event_payload(NocEventType::kWriteMulticast, corners >> 12 & 63, corners >> 18 & 63, noc, 4,
                            bytes, false) |
                  other);
#endif
}

/// Barriers and semaphores are recorded in a debug dump only.
inline __attribute__((always_inline)) void record_sync([[maybe_unused]] NocEventType type) {
#if TTSCOPE_PROFILING && defined(DEVICE_DEBUG_DUMP)
  if (kEnabled) record(ttscope_device::kNocDebugId, static_cast<uint64_t>(type));
#endif
}

}  // namespace noc_event_profiler
