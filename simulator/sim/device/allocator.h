#pragma once

#include <ttscope/device.h>
#include <ttscope/tensor.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "fit/allocator.h"

namespace ttscope::sim {

using fit::Direction;
using fit::FreeList;
using fit::FreeListStats;
using fit::round_up;

/// A buffer to be placed. `size_bytes` is pages x page, without padding of pages or banks.
struct BufferRequest {
  std::uint64_t size_bytes = 0;
  std::uint64_t page_bytes = 0;
  BufferType type = BufferType::kDram;
  BufferLayout layout = BufferLayout::kInterleaved;
  std::uint32_t shard_cores = 0;      ///< of a sharded buffer
  std::uint64_t pages_per_shard = 0;  ///< of a sharded buffer; the last shard is padded to it
  std::optional<bool> bottom_up;      ///< unset: DRAM and traces bottom-up, L1 top-down
};

/// Where the bytes of a request go.
struct BankShare {
  std::uint32_t banks = 0;
  std::uint64_t bytes_per_bank = 0;  ///< `max_size_per_bank` of captures: whole aligned pages
  std::uint64_t total_bytes = 0;     ///< all device pages, aligned
};

/// Pages of an interleaved buffer go round the banks; a sharded one has one bank a core.
BankShare bank_share(const BufferRequest& request, const DeviceSpec& spec);

/// Where page `index` of an interleaved buffer lies.
struct PagePlace {
  std::uint32_t bank = 0;
  std::uint64_t offset_bytes = 0;
};

PagePlace page_place(const BufferRequest& request, const DeviceSpec& spec, std::uint64_t index);

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
