#include "mem/model/known_device.h"

namespace ttscope::mem {

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
