#include <gtest/gtest.h>
#include <ttscope/device.h>

#include "base/chips.h"
#include "sim/device/device_state.h"

namespace ttscope::sim {
namespace {

// The public header cannot include the table of chips.
TEST(ChipFigures, APlainSpecIsAsAWormhole) {
  const DeviceSpec plain;
  EXPECT_EQ(plain.dram_banks, kWormhole.dram_banks);
  EXPECT_EQ(plain.dram_alignment_bytes, kWormhole.dram_alignment_bytes);
  EXPECT_EQ(plain.l1_alignment_bytes, kWormhole.l1_alignment_bytes);
  EXPECT_EQ(plain.l1_banks(), kWormhole.worker_cores());
}

TEST(ChipFigures, SpecsHaveThoseOfTheirProducts) {
  for (const Product& product : kProducts) {
    DeviceSpec spec = spec_of(product);
    spec.profiler_reserved = spec.device_print_reserved = true;
    EXPECT_EQ(spec.dram_banks, product.dram_banks) << product.name;
    EXPECT_EQ(static_cast<std::int64_t>(spec.dram_usable_bytes_per_bank()),
              product.architecture->dram_bytes_for_buffers())
        << product.name;
    EXPECT_EQ(&architecture_of(spec.arch), product.architecture) << product.name;
  }
  EXPECT_EQ(DeviceSpec::n150().physical_cores, 96u);
  EXPECT_EQ(DeviceSpec::p100().physical_cores, 140u);
  EXPECT_EQ(DeviceSpec::p150().physical_cores, 160u);
}

}  // namespace
}  // namespace ttscope::sim
