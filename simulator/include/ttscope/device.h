#pragma once

// A simulated device: it allocates as tt-metal's allocator does and computes nothing. What is placed where,
// and what does not fit, is the same as on the board; docs/design/device.md says what is modeled and how.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ttscope::sim {

/// Values as in graph captures.
enum class BufferType : std::uint8_t { kDram = 0, kL1 = 1, kSystemMemory = 2, kL1Small = 3, kTrace = 4 };
/// `DRAM`, `L1`, `SYSTEM_MEMORY`, `L1_SMALL`, `TRACE`.
std::string_view name_of(BufferType type);

enum class Arch : std::uint8_t { kWormhole, kBlackhole };

/// Sizes of a board, as one of its chips sees them. Start from a preset and change what differs.
struct DeviceSpec {
  std::string name = "custom";
  Arch arch = Arch::kWormhole;
  std::uint32_t chips = 1;  ///< all alike; a buffer takes the same place on each of them
  std::uint32_t dram_banks = 12;
  std::uint64_t dram_bank_bytes = 0;        ///< whole bank, before reservations
  std::uint64_t dram_alignment_bytes = 32;  ///< of blocks in every memory, and of pages in DRAM
  std::uint64_t l1_alignment_bytes = 16;    ///< of pages in L1
  std::uint64_t l1_bytes_per_core = 0;
  std::uint64_t l1_base_address = 0;  ///< below it: firmware, mailboxes, kernel configuration
  std::uint32_t grid_x = 8;           ///< compute cores that store; each is one L1 bank
  std::uint32_t grid_y = 8;
  std::uint64_t l1_small_bytes = 0;      ///< of each core, at the top of L1
  std::uint64_t trace_region_bytes = 0;  ///< of the whole device, at the top of the DRAM banks
  bool profiler_reserved = false;        ///< DRAM kept for the device profiler
  bool device_print_reserved = false;    ///< DRAM kept for prints of kernels
  bool command_queue_reserved = false;   ///< 16 MiB a bank
  std::uint32_t physical_cores = 0;      ///< for the profiler's share; 0: grid_x * grid_y
  bool best_fit = false;                 ///< what if: the smallest hole that is large enough, not the first

  static DeviceSpec n150();
  static DeviceSpec n300();
  static DeviceSpec p100();
  static DeviceSpec p150();
  /// `n150`, `n300`, `p100`, `p150`; throws std::invalid_argument naming these for anything else.
  static DeviceSpec named(std::string_view name);

  std::uint64_t dram_base_address() const;  ///< first address for tensors in a DRAM bank
  std::uint64_t trace_bytes_per_bank() const;
  std::uint64_t dram_usable_bytes_per_bank() const;
  std::uint64_t l1_usable_bytes_per_core() const;
  std::uint32_t l1_banks() const { return grid_x * grid_y; }
  /// DRAM for tensors on one chip: what a tracker's peak is to be compared with.
  std::uint64_t dram_capacity_bytes() const { return dram_usable_bytes_per_bank() * dram_banks; }
};

/// What one memory holds, in bytes of each bank.
struct MemoryStats {
  std::uint32_t banks = 0;
  std::uint64_t total_bytes_per_bank = 0;
  std::uint64_t allocated_bytes_per_bank = 0;
  std::uint64_t free_bytes_per_bank = 0;
  std::uint64_t largest_free_bytes_per_bank = 0;
  std::optional<std::uint64_t> lowest_occupied_address;
};

/// What one memory went through since the last Device::begin_window(), in bytes of each bank.
struct MemoryWindow {
  std::uint64_t peak_allocated_bytes_per_bank = 0;
  std::uint64_t smallest_largest_free_bytes_per_bank = 0;  ///< the largest free block when it was smallest
  double worst_fragmentation = 0;                          ///< 1 - largest free block / free
  std::string peak_operation;                              ///< that made the peak
  std::string peak_module;
};

/// Memory of one owner at the moment of a failure.
struct LiveMemory {
  std::string kind;  ///< `weight`, `gradient`, ... (memory_owner.h)
  std::string name;  ///< empty: not known
  std::uint64_t bytes_per_bank = 0;
  std::uint32_t buffers = 0;
};

/// What could not be placed, and what stood in its way.
struct MemoryFailure {
  BufferType memory = BufferType::kDram;
  std::string operation;  ///< `MatmulDeviceOperation`; empty: no operation asked for it
  std::string module;     ///< `layers.3.mlp`; empty: not known
  std::uint64_t bytes_per_bank = 0;
  MemoryStats stats;
  std::vector<LiveMemory> live;  ///< of that memory, largest first
};

/// The message is tt-metal's.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  OutOfMemory(const std::string& message, MemoryFailure failure)
      : std::runtime_error(message), failure_(std::make_shared<MemoryFailure>(std::move(failure))) {}

  /// Null for circular buffers that do not fit: they are no allocation.
  const MemoryFailure* failure() const { return failure_.get(); }

 private:
  std::shared_ptr<const MemoryFailure> failure_;
};

class DeviceState;

/// A handle; copies mean the same device. The device lives as long as a handle or a buffer on it. One thread
/// at a time may use a device and what lies on it.
class Device {
 public:
  /// Throws std::invalid_argument when the sizes contradict each other.
  explicit Device(const DeviceSpec& spec);
  explicit Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}

  const DeviceSpec& spec() const;
  MemoryStats stats(BufferType type) const;
  /// Largest allocated_bytes_per_bank so far.
  std::uint64_t peak_allocated_bytes_per_bank(BufferType type) const;
  void begin_window();
  const MemoryWindow& window(BufferType type) const;
  /// On by default. Off: each operation builds its program again and frees its binary afterwards.
  void enable_program_cache(bool enabled);
  std::uint32_t program_cache_entries() const;

  DeviceState& state() const { return *state_; }
  const std::shared_ptr<DeviceState>& shared_state() const { return state_; }

 private:
  std::shared_ptr<DeviceState> state_;
};

}  // namespace ttscope::sim
