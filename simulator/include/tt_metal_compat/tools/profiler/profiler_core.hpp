#pragma once
/// State and markers of the profiler on one RISC. Included by kernel_profiler.hpp.

#include <stdint.h>

#include "ttscope_device/noc.h"
#include "ttscope_device/profiler_layout.h"

namespace kernel_profiler {

using namespace ttscope_device;

#define TTSCOPE_INLINE inline __attribute__((always_inline))

constexpr bool kTraceOnly = (PROFILE_KERNEL & kProfileTraceOnly) != 0;
constexpr bool kAccumulate = (PROFILE_KERNEL & kProfileAccumulate) != 0;
#if defined(DISPATCH_KERNEL)
constexpr bool kDispatch = true;
#else
constexpr bool kDispatch = false;
#endif

#if defined(COMPILE_FOR_IDLE_ERISC)
constexpr uint32_t kControl = kMap.eth_profiler;
constexpr uint32_t kBuffers = 1;
#else
constexpr uint32_t kControl = kMap.profiler;
constexpr uint32_t kBuffers = kRiscCount;
#endif
/// The RISC that does the bookkeeping of the core and sends all buffers.
constexpr bool kOwner = kThisRisc == kBrisc;
constexpr bool kHasNoc = kThisRisc == kBrisc || kThisRisc == kNcrisc;
/// Trace-only: all RISCs of a core share the first buffer.
constexpr uint32_t kBuffer = kTraceOnly ? 0 : kThisRisc;

constexpr uint32_t kMarkerBytes = 8;
constexpr uint32_t kZoneBytes = 2 * kMarkerBytes;
constexpr uint32_t kDataBytes = 2 * kMarkerBytes;
/// What dispatch kernels and NoC events leave free, so that a push finds room for its own zone.
constexpr uint32_t kHeadroomBytes = 16 * 4;
constexpr uint32_t kMetaHeadroomBytes = 4 * 4;
/// Room that a linked series of transfers should find.
constexpr int kLinkedRoomBytes = 2 * kBufferWords;

TTSCOPE_INLINE volatile uint32_t* control() { return words_at(kControl); }
constexpr uint32_t buffer_address(uint32_t risc) {
  return kControl + 4 * (kControlWords + risc * kBufferWords);
}
constexpr uint32_t kBufferStart = buffer_address(kBuffer);
constexpr uint32_t kBufferEnd = kBufferStart + 4 * kBufferWords;
constexpr uint32_t kFirstOptional = kBufferStart + 4 * kGuaranteedWords;

/// In the private memory of the core, at the same place for firmware and kernels. Its types differ from those
/// of the words, so that the compiler keeps it in registers across stores of markers.
struct State {
  volatile uint32_t* next;  ///< where the next optional marker goes; null before the first launch
  int room;  ///< bytes left, without the ends of open zones: a zone takes the room of both its markers when
             ///< it starts
  unsigned sums[2];
  unsigned sum_ids[2];
  unsigned trace_count;
};
static_assert(sizeof(State) <= kSharedPrivateBytes / 2, "firmware and kernels share only so much");

TTSCOPE_INLINE State& state() { return *reinterpret_cast<State*>(kPrivateMemory); }
TTSCOPE_INLINE uint32_t next_address() { return reinterpret_cast<uint32_t>(state().next); }

/// The high word is read again: when the low one wraps between two reads, both are read anew.
TTSCOPE_INLINE void put_marker(volatile uint32_t* at, uint32_t word) {
  uint32_t high = 0;
  uint32_t low = 0;
  do {
    high = *words_at(kClockHigh);
    low = *words_at(kClockLow);
  } while (__builtin_expect(high != *words_at(kClockHigh), 0));
  at[0] = word | (high & 0xFFF);
  at[1] = low;
}

TTSCOPE_INLINE void append(uint32_t word) {
  volatile uint32_t* at = state().next;
  put_marker(at, word);
  state().next = at + 2;
}

/// Takes the room, if it is there and leaves `spare` bytes.
TTSCOPE_INLINE bool take(uint32_t bytes, uint32_t spare = 0) {
  const int left = state().room - static_cast<int>(bytes);
  if (left < static_cast<int>(spare)) return false;
  state().room = left;
  return true;
}

void quick_push();

/// Writes a zone's two ends; what has no room for both is left out whole.
template <uint32_t kId>
class ZoneScope {
 public:
  TTSCOPE_INLINE ZoneScope() : open_(take(kZoneBytes, kDispatch ? kHeadroomBytes : 0)) {
    if (open_) append(marker_word(kZoneStart, kId));
  }
  TTSCOPE_INLINE ~ZoneScope() {
    if (!open_) return;
    append(marker_word(kZoneEnd, kId));
    if (kDispatch && kHasNoc && next_address() >= kBufferEnd - kHeadroomBytes) quick_push();
  }
  ZoneScope(const ZoneScope&) = delete;
  ZoneScope& operator=(const ZoneScope&) = delete;

 private:
  const bool open_;
};

template <uint32_t kId>
class KernelMainScope {
 public:
  TTSCOPE_INLINE KernelMainScope() {
    open_ = take(kZoneBytes);
    if (!open_ && kHasNoc) {
      quick_push();
      open_ = take(kZoneBytes);
    }
    if (open_) append(marker_word(kZoneStart, kId));
  }
  TTSCOPE_INLINE ~KernelMainScope() {
    if (open_) append(marker_word(kZoneEnd, kId));
  }
  KernelMainScope(const KernelMainScope&) = delete;
  KernelMainScope& operator=(const KernelMainScope&) = delete;

 private:
  bool open_;
};

/// Adds up the time of its scopes. Only the low word is needed: the sum has 32 bits.
template <uint32_t kId, uint32_t kIndex>
class SumScope {
 public:
  TTSCOPE_INLINE SumScope() : start_(*words_at(kClockLow)) {}
  TTSCOPE_INLINE ~SumScope() {
    state().sums[kIndex] += *words_at(kClockLow) - start_;
    state().sum_ids[kIndex] = kId;
  }
  SumScope(const SumScope&) = delete;
  SumScope& operator=(const SumScope&) = delete;

 private:
  const uint32_t start_;
};

TTSCOPE_INLINE void put_payload(uint64_t data) {
  volatile uint32_t* at = state().next;
  at[0] = static_cast<uint32_t>(data >> 32);
  at[1] = static_cast<uint32_t>(data);
  state().next = at + 2;
}

TTSCOPE_INLINE void record_data(uint32_t id, uint64_t data) {
  if (!take(kDataBytes, kDispatch ? kMetaHeadroomBytes : 0)) return;
  append(marker_word(kTimestampedData, id));
  put_payload(data);
}

TTSCOPE_INLINE void record_event(uint32_t id) {
  if (take(kMarkerBytes, kDispatch ? kHeadroomBytes : 0)) append(marker_word(kTimestampedEvent, id));
}

TTSCOPE_INLINE void validate(bool condition) { control()[kProfilerDone] = condition ? 0 : 1; }

TTSCOPE_INLINE void set_counter(uint32_t value) {
  if (kTraceOnly) return;
  for (uint32_t risc = 0; risc < kBuffers; ++risc) words_at(buffer_address(risc))[kHostId] = value;
}

}  // namespace kernel_profiler
