#include "perf/model/ops_report.h"

#include <gtest/gtest.h>

namespace ttscope::perf {
namespace {

OpTensor named(std::uint32_t datatype) {
  OpTensor tensor;
  tensor.datatype = datatype;
  return tensor;
}

TEST(OpTensors, ASizeIsPaddedAndLogical) {
  OpTensor tensor;
  set_size(tensor, 0, "1");
  set_size(tensor, 3, "32[17]");
  EXPECT_EQ(tensor.padded[0], 1);
  EXPECT_EQ(tensor.logical[0], 1);
  EXPECT_EQ(tensor.padded[3], 32);
  EXPECT_EQ(tensor.logical[3], 17);
  EXPECT_FALSE(tensor.has_shape()) << "two sizes are missing";
  set_size(tensor, 3, "");
  EXPECT_EQ(tensor.padded[3], OpTensor::kNoSize);
}

TEST(OpTensors, EmptyColumnsBehindTheLastTensorAreNone) {
  std::vector<OpTensor> tensors = {named(1)};
  TensorList list(tensors);
  list.add(named(2));
  list.add({});  // keeps the place of the next
  list.add(named(3));
  list.add({});
  list.add({});
  EXPECT_EQ(list.finish(), 3u);
  ASSERT_EQ(tensors.size(), 4u);
  EXPECT_EQ(tensors[3].datatype, 3u);
}

TEST(OpTensors, AShapeAloneIsATensor) {
  std::vector<OpTensor> tensors;
  TensorList list(tensors);
  OpTensor shape;
  for (std::size_t i = 0; i < 4; ++i) set_size(shape, i, "32");
  list.add(shape);
  EXPECT_EQ(list.finish(), 1u);
}

TEST(OpTensors, AnOpWithoutAnyLeavesThoseOfOthers) {
  std::vector<OpTensor> tensors = {named(1)};
  TensorList list(tensors);
  list.add({});
  EXPECT_EQ(list.finish(), 0u);
  EXPECT_EQ(tensors.size(), 1u);
}

}  // namespace
}  // namespace ttscope::perf
