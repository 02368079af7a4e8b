#include "mem/model/known_device.h"

namespace ttscope::mem {

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
