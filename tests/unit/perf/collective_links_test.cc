// What collectives send over links.
#include <gtest/gtest.h>

#include <stdexcept>

#include "perf/analyze/roofline.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::Cells;
using testing::joined_cells;
using testing::OpsCsv;
using testing::reading_of;
using testing::tensor;

TEST(CollectiveLinks, AreThoseOfAHandComputation) {
  // Four devices with 1200 bytes each.
  const CollectiveLinks ring{1200, 4, true};
  const CollectiveLinks line{1200, 4, false};
  EXPECT_EQ(busiest_link_bytes("AllGatherAsync", ring), 1800);  // three parts, half from each side
  EXPECT_EQ(busiest_link_bytes("AllGatherAsync", line),
            3600);  // the last device takes three over its one link
  EXPECT_EQ(busiest_link_bytes("AllBroadcast", ring), 1800);
  EXPECT_EQ(busiest_link_bytes("ReduceScatter", ring), 450);  // three parts of 300 go out, half to each side
  EXPECT_EQ(busiest_link_bytes("ReduceScatter", line), 900);
  EXPECT_EQ(busiest_link_bytes("AllReduce", ring), 900);  // reduce-scatter and all-gather of the parts
  EXPECT_EQ(busiest_link_bytes("AllReduce", line), 1800);
  EXPECT_EQ(busiest_link_bytes("AllToAll", line), 1200);  // 2 x 2 parts of 300 cross the middle
  EXPECT_EQ(busiest_link_bytes("AllToAll", ring), 600);
  EXPECT_EQ(busiest_link_bytes("PointToPoint", line), 1200);
  EXPECT_FALSE(has_number(busiest_link_bytes("Matmul", ring)));
  EXPECT_EQ(busiest_link_bytes("RingJointSDPADeviceOperation", ring), 1800);  // keys and values of the others
  EXPECT_EQ(max_hops("AllGatherAsync", ring), 2);                             // half way round
  EXPECT_EQ(max_hops("AllGatherAsync", line), 3);
  EXPECT_EQ(max_hops("ReduceScatter", ring), 3);  // a sum passes every device
  EXPECT_EQ(max_hops("AllReduce", ring), 6);
}

TEST(CollectiveLinks, CollectivesAreKnownByAttributesToo) {
  EXPECT_TRUE(is_multi_device_op("RingJointSDPADeviceOperation", "{'ring_size': '4'; 'num_links': '2'}"));
  EXPECT_TRUE(is_multi_device_op("Mystery", "{'topology': 'Topology::Ring'}"));
  EXPECT_TRUE(is_multi_device_op("Mystery", "{'cluster_axis': '1'}"));
  EXPECT_TRUE(is_multi_device_op("AllGatherMatmulAsync", ""));
  EXPECT_FALSE(is_multi_device_op("MeshPartitionDeviceOperation", "{'cluster_axis': '1'}"));
  EXPECT_FALSE(is_multi_device_op("Matmul", "{'cluster_axis': 'std::nullopt'; 'ring_size': '1'}"));
  OpsCsv csv;
  for (const char* device : {"0", "1", "2", "3"}) {
    const Cells on = {{"DEVICE ID", device}};
    csv.op("Mystery", joined_cells({on,
                                    {{"ATTRIBUTES", "{'topology': 'Topology::Linear'}"}},
                                    tensor("INPUT_0_", "64[64]"),
                                    tensor("OUTPUT_0_", "64[64]")}));
    csv.op("AllGatherAsync", joined_cells({on,
                                           {{"ATTRIBUTES", "{'cluster_axis': '0'; 'num_links': '2'}"}},
                                           tensor("INPUT_0_", "64[64]"),
                                           tensor("OUTPUT_0_", "128[128]")}));
    csv.op("RingJointSDPADeviceOperation", joined_cells({on,
                                                         {{"ATTRIBUTES", "{'ring_size': '4'}"}},
                                                         tensor("INPUT_0_", "512[512]"),
                                                         tensor("INPUT_1_", "64[64]"),
                                                         tensor("INPUT_2_", "96[96]")}));
  }
  const OpAnalysis analysis = reading_of(csv.table());
  const OpsReport table = csv.table();
  const auto facts = [&](std::string_view name) -> const KindFacts& {
    for (std::size_t i = 0; i < table.kinds.size(); ++i) {
      if (table.text(table.kinds[i].op_code) == name) return analysis.ops.facts[i];
    }
    throw std::out_of_range("no such op");
  };
  EXPECT_EQ(facts("Mystery").category, OpCategory::kCcl);
  EXPECT_EQ(facts("Mystery").category_basis, CategoryBasis::kLinks);
  // By its shapes two of the four devices take part: each has the part of the other over one link.
  EXPECT_EQ(facts("AllGatherAsync").link_bytes, 32 * 64 * 2.0 / 2);
  EXPECT_EQ(facts("AllGatherAsync").links, 2);
  EXPECT_EQ(facts("RingJointSDPADeviceOperation").category, OpCategory::kCompute);
  EXPECT_TRUE(facts("RingJointSDPADeviceOperation").is_multi_device);
  EXPECT_EQ(facts("RingJointSDPADeviceOperation").link_bytes, 32 * (64 + 96) * 2.0 * 3 / 2);
}

TEST(CollectiveLinks, ScatteredProductsOfTurnedOperandsCountedTheOperandsAsTheyLie) {
  // M x K x N = 64 x 1024 x 96, both operands lying turned.
  OpsCsv csv;
  for (const char* device : {"0", "1"}) {
    csv.matmul("DEV_0_L1", {{"OP CODE", "MatmulReduceScatterAsync"},
                            {"DEVICE ID", device},
                            {"ATTRIBUTES", "{'transpose_a': 'true'; 'transpose_b': 'true'}"},
                            {"INPUT_0_Y_PAD[LOGICAL]", "1024"},
                            {"INPUT_0_X_PAD[LOGICAL]", "64"},
                            {"INPUT_1_Y_PAD[LOGICAL]", "96"},
                            {"INPUT_1_X_PAD[LOGICAL]", "1024"}});
  }
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.ops.facts.size(), 1u);
  // Each of the two devices sends its half of the product, both ways round the ring.
  EXPECT_EQ(analysis.ops.facts[0].link_bytes, 64 * 96 * 2.0 / 2 / 2);
}

}  // namespace
}  // namespace ttscope::perf
