#include <gtest/gtest.h>

#include "chip/arch.h"

namespace ttscope::chip {
namespace {

TEST(ChipFigures, CoordinatesAreAsManyAsTheTableOfChipsHas) {
  for (const Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    const ArchFacts& facts = facts_of(arch);
    const Architecture& architecture = *facts.architecture;
    EXPECT_EQ(facts.tensix.size(), architecture.tensix_cores());
    EXPECT_EQ(facts.dram.size(), architecture.dram_banks);
    EXPECT_EQ(cores_per_dram_bank(arch), architecture.profiler_cores_per_dram_bank);
    const std::uint64_t last =
        facts.dram[1].offset + static_cast<std::uint64_t>(architecture.dram_bank_bytes);
    EXPECT_LE(last, facts.dram_view_bytes);
  }
}

}  // namespace
}  // namespace ttscope::chip
