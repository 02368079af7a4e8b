#include "mem/model/device_facts.h"

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

}  // namespace ttscope::mem
