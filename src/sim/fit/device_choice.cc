#include "sim/fit/device_choice.h"

#include <fmt/format.h>

#include <array>

#include "sim/device/allocator.h"

namespace ttscope::sim {
namespace {

struct Preset {
  std::string_view product;
  std::string_view spec;
};
constexpr std::array<Preset, 8> kPresets{{{"n150", "n150"},
                                          {"n300", "n300"},
                                          {"t3000", "n300"},
                                          {"galaxy", "n150"},
                                          {"p100", "p100"},
                                          {"p150", "p150"},
                                          {"p300", "p150"},
                                          {"bh-galaxy", "p150"}}};

/// As near to a square as the number of cores allows.
void set_grid(DeviceSpec& spec, std::uint32_t cores) {
  spec.grid_x = 1;
  for (std::uint32_t side = 1; side * side <= cores; ++side) {
    if (cores % side == 0) spec.grid_x = cores / side;
  }
  spec.grid_y = cores / spec.grid_x;
}

DeviceSpec custom_spec(const fit::Device& asked) {
  DeviceSpec spec = DeviceSpec::named(asked.arch == "blackhole" ? "p150" : "n150");
  spec.name = asked.name;
  const fit::Region& dram = asked.region(fit::Memory::kDram);
  const fit::Region& l1 = asked.region(fit::Memory::kL1);
  spec.dram_banks = dram.banks;
  spec.dram_alignment_bytes = asked.alignment_bytes;
  spec.dram_bank_bytes = static_cast<std::uint64_t>(dram.bytes_per_bank) + spec.dram_base_address();
  set_grid(spec, l1.banks);
  spec.l1_bytes_per_core = static_cast<std::uint64_t>(l1.bytes_per_bank) + spec.l1_base_address;
  return spec;
}

fit::Device described(const DeviceSpec& spec, const fit::Device& asked) {
  fit::Device device = asked;
  device.arch = spec.arch == Arch::kBlackhole ? "blackhole" : "wormhole";
  device.alignment_bytes = static_cast<std::uint32_t>(spec.dram_alignment_bytes);
  device.l1_alignment_bytes = static_cast<std::uint32_t>(spec.l1_alignment_bytes);
  device.regions = {};
  device.regions[fit::index_of(fit::Memory::kDram)] = {
      spec.dram_banks, static_cast<std::int64_t>(spec.dram_usable_bytes_per_bank())};
  device.regions[fit::index_of(fit::Memory::kL1)] = {
      spec.l1_banks(), static_cast<std::int64_t>(spec.l1_usable_bytes_per_core())};
  return device;
}

}  // namespace

Result<ChosenDevice> choose_device(const fit::Device& asked) {
  DeviceSpec spec = custom_spec(asked);
  for (const Preset& preset : kPresets) {
    if (preset.product == asked.name) spec = DeviceSpec::named(preset.spec);
  }
  spec.name = asked.name;
  spec.chips = 1;  // a run is looked at on one of its chips; all are alike
  if (const auto allocator = Allocator::create(spec); !allocator) return failure(allocator.error());
  return ChosenDevice{spec, described(spec, asked)};
}

ChosenDevice usual_device(std::uint32_t chips) {
  const fit::Product* product = fit::find_product("galaxy");
  for (const std::string_view name : {"t3000", "n300", "n150"}) {
    const fit::Product* smaller = fit::find_product(name);
    if (smaller->chips >= chips) product = smaller;
  }
  return *choose_device(fit::device_of(*product));
}

}  // namespace ttscope::sim
