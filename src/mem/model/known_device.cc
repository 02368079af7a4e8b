#include "mem/model/known_device.h"

#include <algorithm>
#include <array>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kWormholeDram = 1'070'773'184;
constexpr std::int64_t kBlackholeDram = 4'272'341'376;
constexpr std::int64_t kWormholeL1 = 1'329'888;  // with an L1_SMALL of 64 KiB
constexpr std::int64_t kBlackholeL1 = 1'396'224;

constexpr std::array<KnownDevice, 8> kDevices = {{
    {"n150", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 1},
    {"n300", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 2},
    {"t3000", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 8},
    {"galaxy", "wormhole", 12, kWormholeDram, 72, kWormholeL1, 32},
    {"p100", "blackhole", 7, kBlackholeDram, 110, kBlackholeL1, 1},
    {"p150", "blackhole", 8, kBlackholeDram, 130, kBlackholeL1, 1},
    {"p300", "blackhole", 8, kBlackholeDram, 110, kBlackholeL1, 2},
    {"bh-galaxy", "blackhole", 8, kBlackholeDram, 130, kBlackholeL1, 32},
}};

}  // namespace

const KnownDevice* find_device(std::string_view name) {
  const auto found = std::find_if(kDevices.begin(), kDevices.end(),
                                  [&](const KnownDevice& device) { return device.name == name; });
  return found == kDevices.end() ? nullptr : &*found;
}

std::vector<std::string_view> device_names() {
  std::vector<std::string_view> names;
  names.reserve(kDevices.size());
  for (const KnownDevice& device : kDevices) names.push_back(device.name);
  return names;
}

void supply_facts(DeviceFacts& facts, const KnownDevice& device) {
  const bool banks_are_known = facts.source != FactSource::kAssumed;
  if (facts.arch.empty()) facts.arch = device.arch;
  if (!banks_are_known) {
    facts.banks = {device.dram_banks, device.l1_banks, device.l1_banks, device.dram_banks};
    facts.source = FactSource::kGiven;
  }
  std::int64_t& dram = facts.capacity_bytes_per_bank[index_of(Memory::kDram)];
  std::int64_t& l1 = facts.capacity_bytes_per_bank[index_of(Memory::kL1)];
  if (dram == 0) dram = device.dram_bytes_per_bank;
  if (l1 == 0) l1 = device.l1_bytes_per_bank;
  if (facts.chips == 0) facts.chips = device.chips;
}

}  // namespace ttscope::mem
