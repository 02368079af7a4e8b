#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <ttscope/device.h>
#include "base/result.h"
#include "sim/device/buffer_layout.h"
#include "sim/device/free_list.h"

namespace ttscope::sim {

/// The memories of a device: DRAM, L1, L1_SMALL and the trace region, each with one free list for all its
/// banks. Not thread safe.
class Allocator {
 public:
  /// Checks the sizes: every region inside its memory, a number of banks that exists.
  static Result<Allocator> create(const DeviceSpec& spec);

  /// Address in every bank. The error's text is tt-metal's.
  Result<std::uint64_t> allocate(const BufferRequest& request);
  void deallocate(BufferType type, std::uint64_t address);

  MemoryStats stats(BufferType type) const;
  std::uint64_t peak_allocated_bytes_per_bank(BufferType type) const {
    return memory(type).peak_allocated_bytes;
  }
  void begin_window();
  const MemoryWindow& window(BufferType type) const { return memory(type).window; }
  /// Whether the last allocation made the peak of the window.
  bool is_at_window_peak(BufferType type) const { return memory(type).at_window_peak; }
  void name_window_peak(BufferType type, std::string_view operation, std::string_view module);
  const FreeList& free_list(BufferType type) const { return memory(type).blocks; }

 private:
  struct Memory {
    FreeList blocks;
    std::uint32_t banks = 0;
    std::uint64_t peak_allocated_bytes = 0;
    MemoryWindow window{};
    bool at_window_peak = false;
  };
  static void note_in_window(Memory& place);
  explicit Allocator(const DeviceSpec& spec);
  Memory& memory(BufferType type) { return memories_[index(type)]; }
  const Memory& memory(BufferType type) const { return memories_[index(type)]; }
  /// A trace without a trace region is an ordinary DRAM buffer.
  std::size_t index(BufferType type) const;

  DeviceSpec spec_;
  std::array<Memory, 4> memories_;
};

}  // namespace ttscope::sim
