#pragma once
/// The life of a launch: slots, end indices, sending to DRAM. Included by kernel_profiler.hpp.

namespace kernel_profiler {

TTSCOPE_INLINE void reset_buffer() {
  state().next = words_at(kFirstOptional);
  state().room = static_cast<int>(kBufferEnd - kFirstOptional);
  for (int i = 0; i < 2; ++i) state().sums[i] = state().sum_ids[i] = 0;
}

/// What a launch begins with. The ids are cleared in the first launch after the host has reset the control
/// words.
inline void begin_launch() {
  reset_buffer();
  if (!kOwner) return;
  control()[kProfilerDone] = 0;
  const bool first = control()[kRunCounter] == 0;
  for (uint32_t risc = 0; risc < kBuffers; ++risc) {
    volatile uint32_t* words = words_at(buffer_address(risc));
    if (first) {
      words[kIdHigh] = words[kIdHighLow] = words[kHostId] = 0;
      words[kIdLow] = kTraceOnly ? 0 : id_word(0, 0, state().trace_count);
    }
    for (uint32_t i = kZoneStartSlot[0]; i < kGuaranteedWords; ++i) words[i] = kMarkerValid;
  }
  if (!first) return;
  const uint32_t place = noc_own_coordinate(0);
  control()[kNocX] = place & 63;
  control()[kNocY] = place >> 6;
}

TTSCOPE_INLINE uint32_t words_used() { return (next_address() - kBufferStart) / 4; }

inline void append_pair(uint32_t high, uint32_t low) {
  volatile uint32_t* at = state().next;
  at[0] = high;
  at[1] = low;
  state().next = at + 2;
}

/// Transfers take whole groups of four words.
inline void pad() {
  while (words_used() % 4 != 0 && take(kMarkerBytes)) append_pair(kMarkerValid, 0);
}

/// Keeps the trace counter.
inline void stamp(uint32_t risc) {
  volatile uint32_t& word = words_at(buffer_address(risc))[kIdLow];
  word = (word & 0xFFFFu << 13) | id_word(risc, control()[kFlatId], 0);
}

/// Which control word holds the DRAM address of a RISC.
constexpr uint32_t address_word([[maybe_unused]] uint32_t risc) {
#if defined(DEVICE_DEBUG_DUMP)
  return kDumpAddress + risc < kControlWords ? kDumpAddress + risc : static_cast<uint32_t>(kDramAddress);
#else
  return kDramAddress;
#endif
}

constexpr uint32_t kPushNoc = kThisRisc == kNcrisc ? 1 : 0;

/// Sends the first words of a buffer; `flush` waits until they have arrived.
inline void send(uint32_t risc, uint32_t words) {
  const volatile BankTable& banks = *reinterpret_cast<const volatile BankTable*>(kMap.mailbox + kBanks);
  const uint32_t flat = control()[kFlatId];
  const uint32_t per_bank = control()[kCoresPerBank];
  const uint32_t bank = flat / per_bank;
  const uint32_t region = (flat - bank * per_bank) * kRiscCount + risc;
  const uint32_t address = banks.dram_offset[bank] + control()[address_word(risc)] +
                           region * PROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC + 4 * control()[kHostEnd + risc];
  noc_command(kPushNoc, kProfilerBuffer, noc_own_coordinate(kPushNoc), buffer_address(risc),
              banks.dram_coordinate[kPushNoc][bank], address, kNocWrite | kNocWithAnswer | noc_channel(1),
              4 * words);
}

inline void flush() { noc_wait_for_writes(kPushNoc); }

constexpr uint32_t kRegionWords = PROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC / 4;

#if defined(DEVICE_DEBUG_DUMP)
/// The region is full: waits for the other one.
inline void wait_for_region(uint32_t risc) {
  flush();
  volatile uint32_t& word = control()[address_word(risc)];
  word = kStalled;
  while (word == kStalled) {
  }
  control()[kHostEnd + risc] = 0;
}
#endif

/// Sends `words` of a RISC, or only the slots where all does not fit, or nothing; what was left out is
/// flagged.
inline void send_or_drop(uint32_t risc, uint32_t words, bool slots_alone) {
  volatile uint32_t& sent = control()[kHostEnd + risc];
  if (control()[address_word(risc)] == 0) return;  // nothing is sent, so the index stays
#if defined(DEVICE_DEBUG_DUMP)
  if (sent + words > kRegionWords) wait_for_region(risc);
#endif
  if (sent + words > kRegionWords) {
    control()[kDropped] = control()[kDropped] | 1u << risc;
    if (!slots_alone || sent + kGuaranteedWords > kRegionWords) return;
    words = kGuaranteedWords;
  }
  send(risc, words);
  sent = sent + words;
}

inline void push_all() {
  for (uint32_t risc = 0; risc < kBuffers; ++risc) {
    stamp(risc);
    const uint32_t words = control()[kDeviceEnd + risc];
    if (words != 0) send_or_drop(risc, words, true);
  }
  flush();
  control()[kRunCounter] = control()[kRunCounter] + 1;
  control()[kProfilerDone] = 1;
}

/// Sends this RISC's buffer in the middle of a kernel and begins it anew; open zones keep their room.
inline __attribute__((noinline)) void quick_push() {
  if (!kHasNoc || control()[address_word(kBuffer)] == 0 || (control()[kDropped] >> kBuffer & 1) != 0) return;
  for (uint32_t buffer = 0; buffer < 4; ++buffer) {
    if (noc_register(kPushNoc, buffer * kMap.noc_command_stride + kControlBits) & kNocLinked) return;
  }
  TTSCOPE_ID_AS(kId, "PROFILER-NOC-QUICK-PUSH");
  const uint32_t before = next_address();
  const bool fits = before + kZoneBytes <= kBufferEnd;
  if (fits) append(marker_word(kZoneStart, kId));
  stamp(kBuffer);
  if (fits) append(marker_word(kZoneEnd, kId));
  while (words_used() % 4 != 0) append_pair(kMarkerValid, 0);
  const uint32_t used = words_used();
  volatile uint32_t& sent = control()[kHostEnd + kBuffer];
#if defined(DEVICE_DEBUG_DUMP)
  if (sent + used > kRegionWords - 4) wait_for_region(kBuffer);
#endif
  if (sent + used <= kRegionWords - 4) {
    send(kBuffer, used);
    flush();
    sent = sent + used;
  } else {
    control()[kDropped] = control()[kDropped] | 1u << kBuffer;
  }
  state().room += static_cast<int>(before - kFirstOptional);
  state().next = words_at(kFirstOptional);
}

TTSCOPE_INLINE bool accumulating() { return kAccumulate && control()[kDispatchCore] == 0; }

/// A time that is written later.
struct Moment {
  uint32_t high;
  uint32_t low;
};
inline Moment now() {
  uint32_t words[2];
  put_marker(words, 0);
  return {words[0], words[1]};
}
inline void put_zone(uint32_t index, uint32_t id, Moment start, Moment end) {
  volatile uint32_t* words = words_at(kBufferStart);
  words[kZoneStartSlot[index]] = marker_word(kZoneStart, id) | start.high;
  words[kZoneStartSlot[index] + 1] = start.low;
  words[kZoneEndSlot[index]] = marker_word(kZoneEnd, id) | end.high;
  words[kZoneEndSlot[index] + 1] = end.low;
}

/// Accumulate: once any buffer of the core is nearly full all are sent; an end index of zero begins a buffer
/// anew. How long that took stands in the slots, which nothing else uses in this mode.
inline void flush_accumulated() {
  bool full = false;
  for (uint32_t risc = 0; risc < kBuffers; ++risc) full |= control()[kDeviceEnd + risc] >= kBufferWords - 8;
  if (full) {
    TTSCOPE_ID_AS(kFlushId, "PROFILER-NOC-FLUSH");
    TTSCOPE_ID_AS(kPushId, "PROFILER-DRAM-PUSH");
    const Moment start = now();
    for (uint32_t risc = 0; risc < kBuffers; ++risc) {
      stamp(risc);
      const uint32_t words = control()[kDeviceEnd + risc];
      if (words != 0) send_or_drop(risc, words, false);
      control()[kDeviceEnd + risc] = 0;
    }
    const Moment flush_start = now();
    flush();
    const Moment flush_end = now();
    put_zone(1, kFlushId, flush_start, flush_end);
    put_zone(0, kPushId, start, now());
    control()[kRunCounter] = control()[kRunCounter] + 1;
  }
  control()[kProfilerDone] = 1;
}

inline void append_sums() {
  for (int i = 0; i < 2; ++i) {
    if (state().sums[i] != 0 && take(kMarkerBytes)) {
      append_pair(marker_word(kZoneTotal, state().sum_ids[i]), state().sums[i]);
    }
  }
}

/// The end of a launch on this RISC: publishes its words; the owner then sends those of all. A subordinate
/// does this before it says that it is done, so that the owner finds everything published.
inline void end_launch() {
  if (accumulating()) {
    pad();
    control()[kDeviceEnd + kBuffer] = words_used();
    if (kOwner) flush_accumulated();
    return;
  }
  if (control()[kProfilerDone] == 1) return;
  if ((PROFILE_KERNEL & kProfileSum) != 0) append_sums();
  pad();
  control()[kDeviceEnd + kBuffer] = words_used();
  if (kOwner && !kTraceOnly) push_all();
}

/// The zone of the firmware (0) and of the kernel in it (1).
template <uint32_t kId, uint32_t kIndex>
class GuaranteedScope {
 public:
  inline GuaranteedScope() {
    if (accumulating()) {
      if (kIndex == 0) begin_accumulating();
      open_ = take(kZoneBytes);
      if (open_) append(marker_word(kZoneStart, kId));
    } else if (kTraceOnly) {
      constexpr uint32_t kAwaited = kIndex == 0 ? kReplayFirmwareStart : kReplayKernelStart;
      if (control()[kTraceReplay] != kAwaited || (kIndex == 0 && !kHasNoc)) return;
      put_marker(words_at(kBufferStart) + kZoneStartSlot[kIndex], marker_word(kZoneStart, kId));
      control()[kTraceReplay] = kAwaited >> 1;
    } else {
      if (kIndex == 0) begin_launch();
      put_marker(words_at(kBufferStart) + kZoneStartSlot[kIndex], marker_word(kZoneStart, kId));
    }
  }
  inline ~GuaranteedScope() {
    if (accumulating()) {
      if (open_) append(marker_word(kZoneEnd, kId));
    } else if (!kTraceOnly || control()[kTraceReplay] == kReplayAllEnds) {
      put_marker(words_at(kBufferStart) + kZoneEndSlot[kIndex], marker_word(kZoneEnd, kId));
      if (kTraceOnly && kIndex == 0 && kOwner) words_at(kBufferStart)[kIdHigh] = 0;
    }
    if (kIndex == 0) end_launch();
  }
  GuaranteedScope(const GuaranteedScope&) = delete;
  GuaranteedScope& operator=(const GuaranteedScope&) = delete;

 private:
  static void begin_accumulating() {
    if (state().next == nullptr) {
      begin_launch();
    } else if (control()[kDeviceEnd + kBuffer] == 0) {
      reset_buffer();
    }
  }

  bool open_ = false;
};

/// At boot.
inline void boot() {
  state().trace_count = 0;
  state().next = nullptr;
  if (kTraceOnly) begin_launch();
}

/// The host says that a trace begins again.
inline void replay_trace() {
  if (kTraceOnly && state().trace_count != 0) quick_push();
  state().trace_count = (state().trace_count + 1) & 0xFFFF;
  for (uint32_t risc = 0; risc < kBuffers; ++risc) {
    volatile uint32_t* words = words_at(buffer_address(risc));
    if (kTraceOnly) {
      words[kHostId] = state().trace_count;
    } else {
      words[kIdLow] = (words[kIdLow] & 0x1FFF) | id_word(0, 0, state().trace_count);
    }
  }
  if (!kTraceOnly) return;
  words_at(kBufferStart)[kIdHigh] = kMarkerValid;
  control()[kTraceReplay] = kReplayFirmwareStart;
}

/// Sends what is there when a record of `bytes` would not leave the head-room, then takes its place.
inline bool take_or_push(uint32_t bytes) {
  if (take(bytes, kHeadroomBytes)) return true;
  quick_push();
  return take(bytes, kHeadroomBytes);
}

inline void record_data16(uint32_t id, uint64_t first, uint64_t second) {
  if (!take_or_push(3 * kMarkerBytes)) return;
  append(marker_word(kTimestampedData16, id));
  put_payload(first);
  put_payload(second);
}

inline void record_perf_counter(uint32_t type, uint32_t value, uint32_t reference) {
  record_data16(kPerfCounterId, static_cast<uint64_t>(reference) << 32 | value, type & 0xFF);
}

}  // namespace kernel_profiler
