#include "base/chips.h"

#include <gtest/gtest.h>

namespace ttscope {
namespace {

struct Figures {
  std::string_view product;
  std::string_view arch;
  std::uint32_t chips;
  std::uint32_t dram_banks;
  std::int64_t dram_bytes_for_buffers;
  std::uint32_t l1_banks;
  std::int64_t l1_bytes_for_buffers;
  std::uint32_t simulated_cores;
  double dram_gb_s;
};

TEST(Chips, ProductsHaveTheFiguresThatTheirRuntimesPrint) {
  const std::array<Figures, 8> expected = {{
      {"n150", "wormhole", 1, 12, 1'070'773'184, 64, 1'329'888, 64, 288},
      {"n300", "wormhole", 2, 12, 1'070'773'184, 64, 1'329'888, 56, 288},
      {"t3000", "wormhole", 8, 12, 1'070'773'184, 64, 1'329'888, 56, 288},
      {"galaxy", "wormhole", 32, 12, 1'070'773'184, 72, 1'329'888, 64, 288},
      {"p100", "blackhole", 1, 7, 4'272'341'376, 110, 1'396'224, 110, 448},
      {"p150", "blackhole", 1, 8, 4'272'341'376, 130, 1'396'224, 110, 512},
      {"p300", "blackhole", 2, 8, 4'272'341'376, 110, 1'396'224, 110, 512},
      {"bh-galaxy", "blackhole", 32, 8, 4'272'341'376, 130, 1'396'224, 110, 512},
  }};
  ASSERT_EQ(product_names().size(), expected.size());
  for (const Figures& figures : expected) {
    const Product* product = find_product(figures.product);
    ASSERT_NE(product, nullptr) << figures.product;
    const Architecture& architecture = *product->architecture;
    EXPECT_EQ(architecture.name, figures.arch) << figures.product;
    EXPECT_EQ(product->chips, figures.chips) << figures.product;
    EXPECT_EQ(product->dram_banks, figures.dram_banks) << figures.product;
    EXPECT_EQ(architecture.dram_bytes_for_buffers(), figures.dram_bytes_for_buffers) << figures.product;
    EXPECT_EQ(product->l1_banks, figures.l1_banks) << figures.product;
    EXPECT_EQ(architecture.l1_bytes_for_buffers(), figures.l1_bytes_for_buffers) << figures.product;
    EXPECT_EQ(product->simulated_columns * product->simulated_rows, figures.simulated_cores)
        << figures.product;
    EXPECT_EQ(product->dram_gb_s(), figures.dram_gb_s) << figures.product;
  }
}

TEST(Chips, GridsAndAlignmentsAreThoseOfTheArchitecture) {
  EXPECT_EQ(kWormhole.tensix_cores(), 80u);
  EXPECT_EQ(kBlackhole.tensix_cores(), 140u);
  EXPECT_EQ(kWormhole.worker_cores(), 64u);
  EXPECT_EQ(kBlackhole.worker_cores(), 110u);
  EXPECT_EQ(kBh20.worker_cores(), 20u);
  EXPECT_EQ(kN1.worker_cores(), 20u);
  EXPECT_EQ(kWormhole.dram_alignment_bytes, 32u);
  EXPECT_EQ(kBlackhole.dram_alignment_bytes, 64u);
  EXPECT_EQ(kWormhole.profiler_bytes_per_dram_bank(), 1'920'000);
  EXPECT_EQ(kBlackhole.profiler_bytes_per_dram_bank(), 4'800'000);
  EXPECT_EQ(largest_l1_bytes(), 1'572'864);
}

TEST(Chips, NamesOfTheRuntimeAreFoundToo) {
  EXPECT_EQ(find_architecture("wormhole_b0"), &kWormhole);
  EXPECT_EQ(find_architecture("wormhole"), &kWormhole);
  EXPECT_EQ(find_architecture("blackhole"), &kBlackhole);
  EXPECT_EQ(find_architecture("quasar"), nullptr);
  EXPECT_EQ(find_product("n15O"), nullptr);
  EXPECT_EQ(&wormhole_or_blackhole(""), &kWormhole);
  EXPECT_EQ(usual_product(kBlackhole).name, "p150");
  EXPECT_EQ(usual_product(kWormhole).name, "n150");
}

TEST(Chips, BanksTellTheArchitecture) {
  EXPECT_TRUE(is_bank_of_blackhole(4'273'390'016));
  EXPECT_FALSE(is_bank_of_blackhole(kGrayskull.dram_bank_bytes));
  EXPECT_TRUE(may_be_blackhole(7));
  EXPECT_TRUE(may_be_blackhole(8));
  EXPECT_FALSE(may_be_blackhole(12));
  for (const std::uint32_t banks : {110u, 130u, 140u}) EXPECT_TRUE(only_blackhole_has_l1_banks(banks));
  for (const std::uint32_t banks : {64u, 72u, 80u, 108u, 120u})
    EXPECT_FALSE(only_blackhole_has_l1_banks(banks));
}

}  // namespace
}  // namespace ttscope
