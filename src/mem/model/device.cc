#include "mem/model/device.h"

namespace ttscope::mem {

void infer_architecture(DeviceFacts& facts) {
  const std::uint32_t dram_banks = facts.banks[index_of(Memory::kDram)];
  const std::int64_t bank_bytes = facts.capacity_bytes_per_bank[index_of(Memory::kDram)];
  constexpr std::int64_t kTwoGib = std::int64_t{2} << 30;
  constexpr std::int64_t kGrayskullL1 = std::int64_t{1} << 20;
  const std::uint32_t l1_banks = facts.banks[index_of(Memory::kL1)];
  const bool blackhole_l1 = facts.capacity_bytes_per_bank[index_of(Memory::kL1)] > kGrayskullL1 ||
                            l1_banks == 110 || l1_banks == 130 || l1_banks == 140;
  const bool large_banks = bank_bytes == 0 || bank_bytes > kTwoGib || blackhole_l1;
  if (facts.arch.empty()) {
    if (dram_banks == 12) facts.arch = "wormhole";
    if ((dram_banks == 7 || dram_banks == 8) && large_banks) facts.arch = "blackhole";
    if (dram_banks == 8 && !large_banks) facts.arch = "grayskull";
  }
  facts.dram_alignment_bytes = facts.arch == "blackhole" ? 64 : 32;
}

namespace {

bool is_another(const DeviceFacts& facts, const KnownDevice& device) {
  constexpr std::size_t kDram = index_of(Memory::kDram);
  const std::int64_t capacity = facts.capacity_bytes_per_bank[kDram];
  // Reserved regions and ages of the runtime differ by a few per cent, the products by a factor.
  const bool other_size = capacity > 0 && (capacity > 2 * device.dram_bytes_per_bank ||
                                           capacity < device.dram_bytes_per_bank / 2);
  return facts.banks[kDram] != device.dram_banks || other_size;
}

}  // namespace

void supply_facts(DeviceFacts& facts, const KnownDevice& device) {
  const bool banks_are_known = facts.source != FactSource::kAssumed;
  if (banks_are_known && is_another(facts, device)) {
    facts.contradicts = device.name;
    return;  // what the log tells is of another chip: the rest would be wrong of it
  }
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
