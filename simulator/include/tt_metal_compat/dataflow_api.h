#pragma once
/// What kernels call to move data: arguments, circular buffers, semaphores, transfers and barriers. The part
/// of tt-metal's API that kernels of this repository need, with its names and meaning. Each RISC uses one
/// network: BRISC the first, NCRISC the second.

#include <stdint.h>

#include "tools/profiler/noc_event_profiler.hpp"
#include "ttscope_device/memory_map.h"
#include "ttscope_device/noc.h"

namespace ttscope_device {

/// Commands that this RISC has given, to be compared with the answers; in private memory behind the
/// profiler's state.
struct NocCounts {
  uint32_t reads;
  uint32_t atomics;
};
inline __attribute__((always_inline)) NocCounts& noc_counts() {
  return *reinterpret_cast<NocCounts*>(kPrivateMemory + kSharedPrivateBytes / 2);
}

inline const volatile BankTable& bank_table() {
  return *reinterpret_cast<const volatile BankTable*>(kMap.mailbox + kBanks);
}
inline volatile CircularBuffer& circular_buffer(uint32_t id) {
  return reinterpret_cast<volatile CircularBuffer*>(kCircularBuffers)[id];
}

}  // namespace ttscope_device

constexpr uint8_t noc_index = ttscope_device::kThisRisc == ttscope_device::kNcrisc ? 1 : 0;

// Arguments
// ---------------------------------------------------------------------------------------------------------------------------

inline uint32_t get_arg_addr(int index) {
  return ttscope_device::kArguments + ttscope_device::kThisRisc * ttscope_device::kArgumentBytes +
         4 * static_cast<uint32_t>(index);
}
inline uint32_t get_common_arg_addr(int index) {
  return ttscope_device::kCommonArguments + 4 * static_cast<uint32_t>(index);
}

template <typename T>
inline T get_arg_val(int index) {
  static_assert(sizeof(T) == 4, "arguments are words");
  return *reinterpret_cast<volatile T*>(get_arg_addr(index));
}
template <typename T>
inline T get_common_arg_val(int index) {
  static_assert(sizeof(T) == 4, "arguments are words");
  return *reinterpret_cast<volatile T*>(get_common_arg_addr(index));
}

#if defined(KERNEL_COMPILE_TIME_ARGS)
constexpr uint32_t kernel_compile_time_args[] = {KERNEL_COMPILE_TIME_ARGS};
constexpr uint32_t get_compile_time_arg_val(uint32_t index) { return kernel_compile_time_args[index]; }
#endif

// Circular buffers
// --------------------------------------------------------------------------------------------------------------------

inline uint32_t get_tile_size(uint32_t cb) { return ttscope_device::circular_buffer(cb).page_bytes; }
inline uint32_t get_write_ptr(uint32_t cb) {
  const volatile auto& buffer = ttscope_device::circular_buffer(cb);
  return buffer.address + buffer.write_page * buffer.page_bytes;
}
inline uint32_t get_read_ptr(uint32_t cb) {
  const volatile auto& buffer = ttscope_device::circular_buffer(cb);
  return buffer.address + buffer.read_page * buffer.page_bytes;
}
/// Of the three cores that run a compute kernel the first takes pages and the last one gives them. What they
/// wait for is summed up by the zones of tt-metal's compute API (TT_METAL_PROFILER_SUM).
#if defined(COMPILE_FOR_TRISC)
constexpr bool kTakesPages = COMPILE_FOR_TRISC == 0;
constexpr bool kGivesPages = COMPILE_FOR_TRISC == 2;
#define TTSCOPE_CB_WAIT DeviceZoneScopedSumN1("CB-COMPUTE-WAIT-FRONT")
#define TTSCOPE_CB_RESERVE DeviceZoneScopedSumN2("CB-COMPUTE-RESERVE-BACK")
#else
constexpr bool kTakesPages = true;
constexpr bool kGivesPages = true;
#define TTSCOPE_CB_WAIT static_cast<void>(0)
#define TTSCOPE_CB_RESERVE static_cast<void>(0)
#endif

/// Waits until `pages` are free.
inline void cb_reserve_back(uint32_t cb, uint32_t pages) {
  if (!kGivesPages) return;
  TTSCOPE_CB_RESERVE;
  const volatile auto& buffer = ttscope_device::circular_buffer(cb);
  const uint32_t received = buffer.received;
  const uint32_t most = buffer.page_count - pages;
  while (received - buffer.acked > most) {
  }
}
inline void cb_push_back(uint32_t cb, uint32_t pages) {
  if (!kGivesPages) return;
  volatile auto& buffer = ttscope_device::circular_buffer(cb);
  const uint32_t page = buffer.write_page + pages;
  buffer.write_page = page >= buffer.page_count ? page - buffer.page_count : page;
  buffer.received = buffer.received + pages;
}
/// Waits until `pages` are there.
inline void cb_wait_front(uint32_t cb, uint32_t pages) {
  if (!kTakesPages) return;
  TTSCOPE_CB_WAIT;
  const volatile auto& buffer = ttscope_device::circular_buffer(cb);
  const uint32_t acked = buffer.acked;
  while (buffer.received - acked < pages) {
  }
}
inline void cb_pop_front(uint32_t cb, uint32_t pages) {
  if (!kTakesPages) return;
  volatile auto& buffer = ttscope_device::circular_buffer(cb);
  const uint32_t page = buffer.read_page + pages;
  buffer.read_page = page >= buffer.page_count ? page - buffer.page_count : page;
  buffer.acked = buffer.acked + pages;
}

// Addresses: a coordinate above bit 36, as one number
// ---------------------------------------------------------------------------------

inline __attribute__((always_inline)) uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address,
                                                            uint8_t = noc_index) {
  return static_cast<uint64_t>((x | y << 6) << 4) << 32 | address;
}
/// A rectangle of tiles. The second network goes the other way: there the start is the far corner.
inline uint64_t get_noc_multicast_addr(uint32_t start_x, uint32_t start_y, uint32_t end_x, uint32_t end_y,
                                       uint32_t address, uint8_t = noc_index) {
  const uint32_t corners = end_x | end_y << 6 | start_x << 12 | start_y << 18;
  return static_cast<uint64_t>(corners << 4) << 32 | address;
}
/// This tile.
inline uint64_t get_noc_addr(uint32_t address) {
  return static_cast<uint64_t>(ttscope_device::noc_own_coordinate(noc_index) << 4) << 32 | address;
}
template <bool kDram>
inline uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t noc = noc_index) {
  static_assert(kDram, "L1 banks are reached by the coordinates of their core");
  const auto& table = ttscope_device::bank_table();
  return static_cast<uint64_t>(table.dram_coordinate[noc][bank] << 4) << 32 |
         (address + table.dram_offset[bank]);
}

/// Pages dealt out over the DRAM banks in turn.
template <bool kDram>
struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
  uint64_t get_noc_addr(uint32_t page, uint32_t offset = 0, uint8_t noc = noc_index) const {
    const uint32_t banks = ttscope_device::bank_table().dram_banks;
    const uint32_t row = page / banks;
    return get_noc_addr_from_bank_id<kDram>(page - row * banks, bank_base_address + row * page_size + offset,
                                            noc);
  }
};
enum class DataFormat : uint8_t { Float32 = 0, Float16 = 1, Float16_b = 5, UInt32 = 24 };
template <bool kDram>
struct InterleavedAddrGenFast : InterleavedAddrGen<kDram> {
  DataFormat data_format;
  InterleavedAddrGenFast(uint32_t base, uint32_t page_bytes, DataFormat format)
      : InterleavedAddrGen<kDram>{base, page_bytes}, data_format(format) {}
};
template <bool kDram>
inline uint64_t get_noc_addr(uint32_t page, const InterleavedAddrGen<kDram>& addresses, uint32_t offset = 0) {
  return addresses.get_noc_addr(page, offset);
}

// Transfers
// ---------------------------------------------------------------------------------------------------------------------------

inline void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes) {
  using namespace ttscope_device;
  const uint32_t coordinate = static_cast<uint32_t>(to >> 36);
  const uint32_t address = static_cast<uint32_t>(to);
  noc_event_profiler::record_transfer(
      noc_event_profiler::NocEventType::kWrite, coordinate, noc_index, 1, bytes, address, from,
      noc_event_profiler::kEnabled ? noc_register(noc_index, kWritesSent) : 0);
  const uint32_t own = noc_own_coordinate(noc_index);
  for (uint32_t done = 0; done < bytes; done += kMap.noc_packet_bytes) {
    const uint32_t size = bytes - done < kMap.noc_packet_bytes ? bytes - done : kMap.noc_packet_bytes;
    noc_command(noc_index, kWriteBuffer, own, from + done, coordinate, address + done,
                kNocWrite | kNocWithAnswer | noc_channel(1), size);
  }
}
/// To `receivers` workers of a rectangle (get_noc_multicast_addr). `linked`: the next one follows on the same
/// way; the last of a series must not be.
template <bool kWithSource = false>
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                      bool linked = false) {
  using namespace ttscope_device;
  const uint32_t coordinates = static_cast<uint32_t>(to >> 36);
  const uint32_t address = static_cast<uint32_t>(to);
  noc_event_profiler::record_multicast(coordinates, noc_index, bytes, linked);
  const uint32_t control = kNocWrite | kNocWithAnswer | kNocMulticast | kNocPathReserve |
                           (kWithSource ? kNocWithSource : 0) | noc_channel(4);
  const uint32_t own = noc_own_coordinate(noc_index);
  for (uint32_t done = 0; done < bytes; done += kMap.noc_packet_bytes) {
    const uint32_t size = bytes - done < kMap.noc_packet_bytes ? bytes - done : kMap.noc_packet_bytes;
    const bool more = linked || done + size < bytes;
    noc_command(noc_index, kWriteBuffer, own, from + done, coordinates, address + done,
                more ? control | kNocLinked : control, size);
    noc_extra_acks() += receivers - 1;
  }
}
inline void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes,
                                                   uint32_t receivers, bool linked = false) {
  noc_async_write_multicast<true>(from, to, bytes, receivers, linked);
}
inline void noc_async_write_barrier() {
  using namespace ttscope_device;
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kWriteBarrierStart);
  noc_wait_for_writes(noc_index);
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kWriteBarrierEnd);
}
inline void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes) {
  using namespace ttscope_device;
  const uint32_t coordinate = static_cast<uint32_t>(from >> 36);
  const uint32_t address = static_cast<uint32_t>(from);
  noc_event_profiler::record_transfer(noc_event_profiler::NocEventType::kRead, coordinate, noc_index, -1,
                                      bytes, to, address,
                                      noc_event_profiler::kEnabled ? noc_counts().reads : 0);
  const uint32_t own = noc_own_coordinate(noc_index);
  for (uint32_t done = 0; done < bytes; done += kMap.noc_packet_bytes) {
    const uint32_t size = bytes - done < kMap.noc_packet_bytes ? bytes - done : kMap.noc_packet_bytes;
    noc_command(noc_index, kReadBuffer, coordinate, address + done, own, to + done,
                kNocWithAnswer | noc_channel(1), size);
    ++noc_counts().reads;
  }
}
inline void noc_async_read_barrier() {
  using namespace ttscope_device;
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kReadBarrierStart);
  while (noc_register(noc_index, kReadAnswers) != noc_counts().reads) {
  }
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kReadBarrierEnd);
}

template <bool kDram>
inline void noc_async_read_tile(uint32_t tile, const InterleavedAddrGen<kDram>& addresses, uint32_t to) {
  noc_async_read(addresses.get_noc_addr(tile), to, addresses.page_size);
}
template <bool kDram>
inline void noc_async_write_tile(uint32_t tile, const InterleavedAddrGen<kDram>& addresses, uint32_t from) {
  noc_async_write(from, addresses.get_noc_addr(tile), addresses.page_size);
}
/// Short forms: a tile of an interleaved DRAM buffer that begins at `base`, to and from the front of a
/// circular buffer.
inline void noc_async_read_tile(uint32_t tile, uint32_t base, uint32_t cb) {
  noc_async_read_tile(tile, InterleavedAddrGen<true>{base, get_tile_size(cb)}, get_write_ptr(cb));
}
inline void noc_async_write_tile(uint32_t tile, uint32_t base, uint32_t cb) {
  noc_async_write_tile(tile, InterleavedAddrGen<true>{base, get_tile_size(cb)}, get_read_ptr(cb));
}

// Semaphores
// --------------------------------------------------------------------------------------------------------------------------

inline uint32_t get_semaphore(uint32_t id) {
  return ttscope_device::kSemaphores + id * ttscope_device::kSemaphoreStride;
}
inline void noc_semaphore_set(volatile uint32_t* semaphore, uint32_t value) {
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kSemaphoreSet);
  *semaphore = value;
}
inline void noc_semaphore_wait(volatile uint32_t* semaphore, uint32_t value) {
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kSemaphoreWait);
  while (*semaphore != value) {
  }
}
inline void noc_semaphore_wait_min(volatile uint32_t* semaphore, uint32_t value) {
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kSemaphoreWait);
  while (*semaphore < value) {
  }
}
/// Adds to a semaphore of any tile; the old value goes to the last word of the RISC's arguments, which nobody
/// reads.
inline void noc_semaphore_inc(uint64_t address, uint32_t increment) {
  using namespace ttscope_device;
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kSemaphoreInc);
  *words_at(kNocRegisters[noc_index] + kAtomicBuffer * kMap.noc_command_stride + kMap.noc_at_data) =
      increment;
  noc_command(noc_index, kAtomicBuffer, static_cast<uint32_t>(address >> 36), static_cast<uint32_t>(address),
              noc_own_coordinate(noc_index), get_arg_addr(kArgumentBytes / 4 - 1),
              kNocAtomic | kNocWithAnswer | noc_channel(1), kAtomicIncrement);
  ++noc_counts().atomics;
}
inline void noc_async_atomic_barrier() {
  using namespace ttscope_device;
  noc_event_profiler::record_sync(noc_event_profiler::NocEventType::kAtomicBarrier);
  while (noc_register(noc_index, kAtomicAnswers) != noc_counts().atomics) {
  }
}
inline void noc_async_full_barrier() {
  noc_async_read_barrier();
  noc_async_write_barrier();
  noc_async_atomic_barrier();
}
