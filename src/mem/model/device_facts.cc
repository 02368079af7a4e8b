#include "mem/model/device_facts.h"

namespace ttscope::mem {

void infer_architecture(DeviceFacts& facts) {
  const std::uint32_t dram_banks = facts.banks[index_of(Memory::kDram)];
  const std::int64_t bank_bytes = facts.capacity_bytes_per_bank[index_of(Memory::kDram)];
  constexpr std::int64_t kTwoGib = std::int64_t{2} << 30;
  const bool large_banks = bank_bytes == 0 || bank_bytes > kTwoGib;
  if (facts.arch.empty()) {
    if (dram_banks == 12) facts.arch = "wormhole";
    if ((dram_banks == 7 || dram_banks == 8) && large_banks) facts.arch = "blackhole";
    if (dram_banks == 8 && !large_banks) facts.arch = "grayskull";
  }
  facts.dram_alignment_bytes = facts.arch == "blackhole" ? 64 : 32;
}

}  // namespace ttscope::mem
