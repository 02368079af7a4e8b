#include "mem/analyze/resized_type.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace ttscope::mem {
namespace {

TensorType tiles(std::vector<std::int64_t> shape) {
  TensorType type;
  type.is_tensor = type.has_layout = true;
  type.dtype = "bf16";
  type.tile_height = type.tile_width = 32;
  type.buffer = BufferType::kDram;
  type.layout = MemoryLayout::kInterleaved;
  type.memref = {1, 1};
  return with_local_shape(type, shape);
}

/// The layout of an interleaved tensor in L1 has the grid of cores and one core's part.
TEST(ResizedType, AnInterleavedTensorInL1IsResizedAsAWhole) {
  TensorType type;
  type.shape = {1, 32, 1, 1};
  type.dtype = "f32";
  type.has_layout = true;
  type.buffer = BufferType::kL1;
  type.layout = MemoryLayout::kInterleaved;
  type.tile_height = type.tile_width = 32;
  type.grid = {8, 1};
  type.memref = {4, 1};
  compute_sizes(type);
  ASSERT_EQ(type.padded_bytes, 32 * 4096);
  DataDimensions now;
  now.sequence = 32;
  EXPECT_EQ(with_sequence(type, now, 256, 64).padded_bytes, 256 * 4096);
}

TEST(ResizedType, TablesOfPositionsFollowTheSequenceAndWidthsOfCachesStay) {
  DataDimensions now;
  now.sequence = 32;
  now.cache_length = 128;
  now.cache_is_width_too = true;
  TensorType type;
  type.dtype = "bf16";
  const auto shape = [&](std::vector<std::int64_t> from) {
    type.shape = std::move(from);
    return with_sequence(type, now, 256, 64).shape;
  };
  EXPECT_EQ(shape({1, 32, 128}), (std::vector<std::int64_t>{1, 256, 128}));        // keys: a width
  EXPECT_EQ(shape({1, 4, 32, 128}), (std::vector<std::int64_t>{1, 4, 256, 256}));  // scores
}

TEST(ResizedType, TheSequenceIsNotTakenForAWidthOfTheSameSize) {
  DataDimensions now{.batch = 2, .sequence = 64, .tokens = 128, .cache_length = 128, .head_size = 64};
  const auto shape = [&](std::vector<std::int64_t> of) {
    return with_sequence(tiles(std::move(of)), now, 32, 64).shape;
  };
  using Shape = std::vector<std::int64_t>;
  EXPECT_EQ(shape({2, 8, 64, 64}), (Shape{2, 8, 32, 64}));  // the size of a head stays
  EXPECT_EQ(shape({2, 64, 512}), (Shape{2, 32, 512}));
  EXPECT_EQ(shape({128, 512}), (Shape{64, 512}));  // batch x sequence
  EXPECT_EQ(shape({2, 64, 64}), (Shape{2, 32, 32}));
  now.is_width_too = true;
  EXPECT_EQ(shape({2, 64, 64}), (Shape{2, 32, 64}));
  now.head_size = 128;
  EXPECT_EQ(shape({2, 8, 64, 64}), (Shape{2, 8, 32, 32}));  // scores
}

}  // namespace
}  // namespace ttscope::mem
