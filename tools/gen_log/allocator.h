#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ttscope::gen_log {

/// The facts of one chip that a runtime log shows: arenas, bank counts, alignments, and the module's
/// `#system_desc`.
struct Device {
  std::string_view option;  ///< word of `--device`
  std::string_view arch;    ///< word in `#system_desc`
  std::int64_t dram_banks;
  std::int64_t dram_bytes_per_bank;  ///< allocator arena, reserved areas taken off
  std::int64_t l1_banks;
  std::int64_t l1_bytes_per_bank;
  std::int64_t alignment;  ///< DRAM page alignment, also the unit of every block in a free list
  std::int64_t grid_rows;
  std::int64_t grid_columns;
  std::int64_t l1_size_bytes;
  std::int64_t dram_channel_bytes;
};

inline constexpr std::int64_t kL1PageAlignment = 16;
inline constexpr std::int64_t kL1SmallBytesPerBank = 65536;

/// Null when no device has this name.
const Device* find_device(std::string_view option);

enum class Memory : std::uint8_t { kDram, kL1 };
inline constexpr std::size_t kMemoryCount = 2;
inline std::size_t index_of(Memory memory) { return static_cast<std::size_t>(memory); }

/// The three figures of a memory line, per bank.
struct MemoryState {
  std::int64_t allocated_bytes = 0;
  std::int64_t free_bytes = 0;
  std::int64_t largest_free_bytes = 0;
};

/// Address-ordered first fit over one bank. Banks are allocated in lockstep, so one list stands for all of
/// them.
class FreeList {
 public:
  enum class Direction : std::uint8_t { kBottomUp, kTopDown };

  FreeList(std::int64_t size_bytes, std::int64_t alignment, Direction direction);

  /// What a request really takes: at least one block, rounded to the alignment.
  std::int64_t rounded(std::int64_t bytes) const;
  /// Address of the new block, nothing when no gap is large enough.
  std::optional<std::int64_t> allocate(std::int64_t bytes);
  /// `bytes` is the size that was asked for; neighboring gaps are joined.
  void release(std::int64_t address, std::int64_t bytes);

  MemoryState state() const;
  std::int64_t size_bytes() const { return size_bytes_; }
  /// End of the highest block ever allocated: with a smaller arena than this, something would have failed.
  std::int64_t highest_end() const { return highest_end_; }

 private:
  struct Gap {
    std::int64_t address;
    std::int64_t bytes;
  };

  std::int64_t size_bytes_;
  std::int64_t alignment_;
  Direction direction_;
  std::int64_t allocated_bytes_ = 0;
  std::int64_t highest_end_ = 0;
  std::vector<Gap> gaps_;  // by address, never adjacent
};

}  // namespace ttscope::gen_log
