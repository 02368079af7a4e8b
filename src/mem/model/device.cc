#include "mem/model/device.h"

namespace ttscope::mem {

void infer_architecture(DeviceFacts& facts) {
  const std::uint32_t dram_banks = facts.banks[index_of(Memory::kDram)];
  const std::int64_t bank_bytes = facts.capacity_bytes_per_bank[index_of(Memory::kDram)];
  const bool blackhole_l1 = facts.capacity_bytes_per_bank[index_of(Memory::kL1)] > kGrayskull.l1_bytes ||
                            only_blackhole_has_l1_banks(facts.banks[index_of(Memory::kL1)]);
  const bool large_banks = bank_bytes == 0 || is_bank_of_blackhole(bank_bytes) || blackhole_l1;
  if (facts.arch.empty()) {
    if (dram_banks == kWormhole.dram_banks) facts.arch = kWormhole.name;
    if (may_be_blackhole(dram_banks) && large_banks) facts.arch = kBlackhole.name;
    if (dram_banks == kGrayskull.dram_banks && !large_banks) facts.arch = kGrayskull.name;
  }
  facts.dram_alignment_bytes = wormhole_or_blackhole(facts.arch).dram_alignment_bytes;
}

namespace {

bool is_another(const DeviceFacts& facts, const Product& device) {
  constexpr std::size_t kDram = index_of(Memory::kDram);
  const std::int64_t capacity = facts.capacity_bytes_per_bank[kDram];
  // Reserved regions and ages of the runtime differ by a few per cent, the products by a factor.
  const std::int64_t usual = device.architecture->dram_bytes_for_buffers();
  const bool other_size = capacity > 0 && (capacity > 2 * usual || capacity < usual / 2);
  return facts.banks[kDram] != device.dram_banks || other_size;
}

}  // namespace

void supply_facts(DeviceFacts& facts, const Product& device) {
  const bool banks_are_known = facts.source != FactSource::kAssumed;
  if (banks_are_known && is_another(facts, device)) {
    facts.contradicts = device.name;
    return;  // what the log tells is of another chip: the rest would be wrong of it
  }
  if (facts.arch.empty()) facts.arch = device.architecture->name;
  if (!banks_are_known) {
    facts.banks = {device.dram_banks, device.l1_banks, device.l1_banks, device.dram_banks};
    facts.source = FactSource::kGiven;
  }
  std::int64_t& dram = facts.capacity_bytes_per_bank[index_of(Memory::kDram)];
  std::int64_t& l1 = facts.capacity_bytes_per_bank[index_of(Memory::kL1)];
  if (dram == 0) dram = device.architecture->dram_bytes_for_buffers();
  if (l1 == 0) l1 = device.architecture->l1_bytes_for_buffers();
  if (facts.chips == 0) facts.chips = device.chips;
}

}  // namespace ttscope::mem
