// Declared in include/ttscope/device.h.
#include <fmt/format.h>

#include <array>

#include <ttscope/device.h>
#include "sim/device/free_list.h"

namespace ttscope::sim {
namespace {

constexpr std::uint64_t kMib = std::uint64_t{1} << 20;
constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

// Buffers of the device profiler: so many bytes for each of five RISC processors of a core, shared by the
// cores of a DRAM channel.
constexpr std::uint64_t kProfilerBytesPerRisc = 48000;
constexpr std::uint64_t kRiscsPerCore = 5;
constexpr std::uint64_t kDevicePrintBytes = kMib;
constexpr std::uint64_t kCommandQueueBytes = 16 * kMib;
constexpr std::uint64_t kTracePageBytes = 8192;

std::uint64_t ceil_divide(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

DeviceSpec wormhole(std::string name) {
  DeviceSpec spec;
  spec.name = std::move(name);
  spec.arch = Arch::kWormhole;
  spec.dram_banks = 12;
  spec.dram_bank_bytes = kGib;
  spec.dram_alignment_bytes = 32;
  spec.l1_bytes_per_core = std::uint64_t{1464} * 1024;
  spec.l1_base_address = 103712;
  return spec;
}

DeviceSpec blackhole(std::string name, std::uint32_t dram_banks) {
  DeviceSpec spec;
  spec.name = std::move(name);
  spec.arch = Arch::kBlackhole;
  spec.dram_banks = dram_banks;
  spec.dram_bank_bytes = 4 * kGib - 16 * kMib;
  spec.dram_alignment_bytes = 64;
  spec.l1_bytes_per_core = std::uint64_t{1536} * 1024;
  spec.l1_base_address = 111616;
  spec.grid_x = 11;
  spec.grid_y = 10;
  return spec;
}

}  // namespace

std::string_view name_of(BufferType type) {
  static constexpr std::array<std::string_view, 5> kNames{"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
  return kNames[static_cast<std::size_t>(type)];
}

DeviceSpec DeviceSpec::n150() {
  DeviceSpec spec = wormhole("n150");
  spec.physical_cores = 96;
  return spec;
}

DeviceSpec DeviceSpec::n300() {
  DeviceSpec spec = wormhole("n300");
  spec.chips = 2;
  spec.grid_y = 7;
  spec.physical_cores = 96;
  return spec;
}

DeviceSpec DeviceSpec::p100() {
  DeviceSpec spec = blackhole("p100", 7);
  spec.physical_cores = 140;
  return spec;
}

DeviceSpec DeviceSpec::p150() {
  DeviceSpec spec = blackhole("p150", 8);
  spec.physical_cores = 160;
  return spec;
}

DeviceSpec DeviceSpec::named(std::string_view name) {
  if (name == "n150") return n150();
  if (name == "n300") return n300();
  if (name == "p100") return p100();
  if (name == "p150") return p150();
  throw std::invalid_argument(fmt::format("unknown device `{}`: known are n150, n300, p100 and p150", name));
}

std::uint64_t DeviceSpec::dram_base_address() const {
  std::uint64_t base = dram_alignment_bytes;  // the barrier word, rounded up
  if (profiler_reserved) {
    const std::uint64_t cores = physical_cores != 0 ? physical_cores : std::uint64_t{grid_x} * grid_y;
    base += kProfilerBytesPerRisc * kRiscsPerCore * ceil_divide(cores, dram_banks == 0 ? 1 : dram_banks);
  }
  if (device_print_reserved) base += dram_alignment_bytes + kDevicePrintBytes;
  if (command_queue_reserved) base += kCommandQueueBytes;
  return round_up(base, dram_alignment_bytes);
}

std::uint64_t DeviceSpec::trace_bytes_per_bank() const {
  if (trace_region_bytes == 0 || dram_banks == 0) return 0;
  return round_up(ceil_divide(trace_region_bytes, dram_banks), kTracePageBytes);
}

std::uint64_t DeviceSpec::dram_usable_bytes_per_bank() const {
  const std::uint64_t reserved = dram_base_address() + trace_bytes_per_bank();
  return dram_bank_bytes > reserved ? dram_bank_bytes - reserved : 0;
}

std::uint64_t DeviceSpec::l1_usable_bytes_per_core() const {
  const std::uint64_t reserved = l1_base_address + round_up(l1_small_bytes, dram_alignment_bytes);
  return l1_bytes_per_core > reserved ? l1_bytes_per_core - reserved : 0;
}

}  // namespace ttscope::sim
