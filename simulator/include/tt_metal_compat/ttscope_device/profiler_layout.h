#pragma once
/// The words of the device profiler: control words, buffers, markers. Those of tt-metal, for device code and
/// readers.

#include <stdint.h>

namespace ttscope_device {

constexpr uint32_t kControlWords = 64;
constexpr uint32_t kBufferWords = 512;
constexpr uint32_t kGuaranteedWords = 12;  ///< ids and the four slots; optional markers come after them

/// Indices of control words.
enum Control : uint32_t {
  kHostEnd = 0,     ///< + RISC: words that are in DRAM
  kDeviceEnd = 24,  ///< + RISC: words that are in L1
  kFwResetHigh = 48,
  kFwResetLow = 49,  ///< the mailbox of clock synchronisation
  kDramAddress = 50,
  kRunCounter = 51,
  kNocX = 52,
  kNocY = 53,
  kFlatId = 54,
  kCoresPerBank = 55,
  kDropped = 56,
  kProfilerDone = 57,
  kTraceReplay = 58,
  kDispatchCore = 59,
  kDumpAddress = 60,  ///< + RISC, of the first four; TRISC2's would be the first word of BRISC's buffer
};

/// Words of a buffer.
enum BufferWord : uint32_t { kIdHigh = 0, kIdHighLow = 1, kIdLow = 2, kHostId = 3 };

/// Slots of the guaranteed zones.
constexpr uint32_t kZoneStartSlot[2] = {4, 8};
constexpr uint32_t kZoneEndSlot[2] = {6, 10};

enum PacketType : uint32_t {
  kZoneStart = 0,
  kZoneEnd = 1,
  kZoneTotal = 2,
  kTimestampedData = 3,
  kTimestampedEvent = 4,
  kTimestampedData16 = 5,
};

constexpr uint32_t kMarkerValid = 0x80000000;
constexpr uint32_t kNocTraceId = 12345;
constexpr uint32_t kNocDebugId = 23456;
constexpr uint32_t kPerfCounterId = 9090;

/// The first word of a marker, without the twelve high bits of its time.
constexpr uint32_t marker_word(uint32_t type, uint32_t id) {
  return kMarkerValid | type << 28 | (id & 0xFFFF) << 12;
}

/// ID_LH: the RISC, the core and the trace counter.
constexpr uint32_t id_word(uint32_t risc, uint32_t flat_id, uint32_t trace) {
  return (trace & 0xFFFF) << 13 | (flat_id & 0xFF) << 5 | (risc & 0x1F);
}

/// States of a trace replay, in the order in which a replay passes them.
constexpr uint32_t kReplayFirmwareStart = 1u << 31;
constexpr uint32_t kReplayKernelStart = 1u << 30;
constexpr uint32_t kReplayAllEnds = 1u << 29;

/// In a debug dump: the RISC waits until the host gives it the other buffer.
constexpr uint32_t kStalled = 0xFFFFFFFF;

/// 16-bit id of a zone: FNV-1a over `name,file,line,KERNEL_PROFILER`, its halves joined by exclusive or.
constexpr uint32_t zone_id(const char* key) {
  uint32_t hash = 2166136261u;
  for (; *key != 0; ++key) hash = (hash ^ static_cast<uint8_t>(*key)) * 16777619u;
  return (hash >> 16 ^ hash) & 0xFFFF;
}

/// Bits of PROFILE_KERNEL.
constexpr uint32_t kProfileOn = 1;
constexpr uint32_t kProfileDispatch = 2;
constexpr uint32_t kProfileTraceOnly = 4;
constexpr uint32_t kProfileSum = 8;
constexpr uint32_t kProfileAccumulate = 16;

}  // namespace ttscope_device
