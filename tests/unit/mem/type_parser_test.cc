#include "mem/read/mlir_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Parsed {
  TensorType type;
  bool readable = false;
};

Parsed parse(std::string_view text) {
  Parsed parsed;
  parsed.readable = parse_type(text, parsed.type);
  return parsed;
}

TensorType good(std::string_view text) {
  const Parsed parsed = parse(text);
  EXPECT_TRUE(parsed.readable) << text;
  EXPECT_TRUE(parsed.type.is_tensor) << text;
  return parsed.type;
}

/// `tensor<64x128xbf16, LAYOUT>`.
TensorType with_layout(const std::string& layout) { return good("tensor<64x128xbf16, " + layout + ">"); }

constexpr const char* kTiledMemref = "memref<2x4x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>";

TEST(TypeParser, ReadsTheLayoutOfToday) {
  const TensorType type = with_layout(std::string("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, ") +
                                      kTiledMemref + ", <interleaved>>");
  EXPECT_THAT(type.shape, ElementsAre(64, 128));
  EXPECT_EQ(type.tensor_dtype, "bf16");
  EXPECT_EQ(type.dtype, "bf16");
  EXPECT_THAT(type.memref, ElementsAre(2, 4));
  EXPECT_THAT(type.grid, ElementsAre(1, 1));
  EXPECT_EQ(type.tile_height, 32);
  EXPECT_EQ(type.buffer, BufferType::kDram);
  EXPECT_EQ(type.layout, MemoryLayout::kInterleaved);
  EXPECT_EQ(type.logical_bytes, 64 * 128 * 2);
  EXPECT_EQ(type.padded_bytes, 8 * 2048);
}

TEST(TypeParser, ReadsLayoutsOfEveryAge) {
  const std::string map = "(d0, d1) -> (d0, d1)";
  for (const std::string& layout : {
           "#ttnn.ttnn_layout<" + map + ", <1x1>, mesh = <\"mesh\">, " + kTiledMemref + ", <interleaved>>",
           "#ttnn.ttnn_layout<" + map + ", <1x1>, " + kTiledMemref +
               ", <interleaved>, ignorePhysicalLayout = true>",
           "#ttnn.ttnn_layout<" + map + ", <1x1, (d0, d1) -> (0, d0, d1)>, " + kTiledMemref +
               ", <interleaved>, exactGrid = true>",
           "#ttnn.ttnn_layout<" + map + ", <1x1>, " + kTiledMemref + ", <interleaved>, true>",
           "#ttnn.ttnn_layout<" + map + ", <1x1>, " + kTiledMemref + ", <interleaved>, false>",
           "#ttnn.ttnn_layout<" + map + ", <1x1>, mesh = <\"mesh\" = 1x2>, " + kTiledMemref +
               ", <interleaved>>",
           "#tt.layout<" + map +
               ", undef, <1x1>, memref<2x4x!tt.tile<32x32, bf16>, #tt.memory_space<dram>>, interleaved>",
           "#tt.layout<" + map + ", undef, <1x1>, memref<2x4x!tt.tile<32x32, bf16>, #dram>, interleaved>",
           "#ttnn.ttnn_layout<" + map +
               ", <1x1>, memref<2x4x!ttcore.tile<32x32, bf16>, #dram>, <interleaved>>",
       }) {
    const TensorType type = with_layout(layout);
    EXPECT_EQ(type.buffer, BufferType::kDram) << layout;
    EXPECT_EQ(type.layout, MemoryLayout::kInterleaved) << layout;
    EXPECT_THAT(type.grid, ElementsAre(1, 1)) << layout;
    EXPECT_EQ(type.padded_bytes, 8 * 2048) << layout;
  }
}

TEST(TypeParser, ReadsShardedLayoutsWithMapsAndCoreRanges) {
  const TensorType block = good(
      "tensor<1x1x256x512xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 256 + d1 * 256 + d2, d3), "
      "<8x8, (d0, d1) -> (0, d0, d1)>, memref<1x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, "
      "<block_sharded>>>");
  EXPECT_EQ(block.layout, MemoryLayout::kBlockSharded);
  EXPECT_THAT(block.grid, ElementsAre(8, 8));
  EXPECT_EQ(block.buffer, BufferType::kL1);
  EXPECT_EQ(block.shard_count, 64);
  EXPECT_EQ(block.padded_bytes, 64 * 2 * 2048);

  const TensorType width = good(
      "tensor<1x1x32x672xbf16, #ttnn.ttnn_layout<(d0, d1, d2, d3) -> (d0 * 32 + d1 * 32 + d2, d3), <1x21>, "
      "memref<1x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <width_sharded>, "
      "core_ranges = <[#ttnn.core_range<(0,0), (7,1)>, #ttnn.core_range<(0,2), (4,2)>]>>>");
  EXPECT_EQ(width.layout, MemoryLayout::kWidthSharded);
  EXPECT_EQ(width.shard_count, 21);
  EXPECT_EQ(width.padded_bytes, 21 * 2048);
}

TEST(TypeParser, ReadsTheSecondTensorEncoding) {
  for (const std::string grid : {"<1x1>", "4x1x1"}) {
    const TensorType type =
        good("tensor<4x64x64xbf16, #ttnn.ttnn_nd_layout<" + grid +
             ", memref<1x2x2x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<l1>>, <nd_sharded>, <row_major>, "
             "<grid_2d>>>");
    EXPECT_EQ(type.layout, MemoryLayout::kNdSharded);
    EXPECT_EQ(type.pages_per_shard, 4);
    EXPECT_EQ(type.shard_count, grid == "<1x1>" ? 1 : 4);
  }
}

TEST(TypeParser, ReadsRowMajorAndHostLayouts) {
  const TensorType rows = with_layout(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #ttnn.buffer_type<dram>>, "
      "<interleaved>>");
  EXPECT_FALSE(rows.is_tiled());
  EXPECT_EQ(rows.page_bytes, 256);
  EXPECT_EQ(rows.pages_per_shard, 64);
  const TensorType host = with_layout(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, "
      "#ttnn.buffer_type<system_memory>>>");
  EXPECT_EQ(host.buffer, BufferType::kSystemMemory);
  EXPECT_EQ(host.layout, MemoryLayout::kNone);
  EXPECT_FALSE(host.on_device());
  EXPECT_EQ(with_layout("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, #system_memory>>")
                .buffer,
            BufferType::kSystemMemory);
}

TEST(TypeParser, ReadsEveryBufferType) {
  const auto buffer_of = [](const std::string& buffer) {
    return with_layout("#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<64x128xbf16, " + buffer +
                       ">, <interleaved>>")
        .buffer;
  };
  EXPECT_EQ(buffer_of("#ttnn.buffer_type<dram>"), BufferType::kDram);
  EXPECT_EQ(buffer_of("#ttnn.buffer_type<l1>"), BufferType::kL1);
  EXPECT_EQ(buffer_of("#ttnn.buffer_type<l1_small>"), BufferType::kL1Small);
  EXPECT_EQ(buffer_of("#ttnn.buffer_type<trace>"), BufferType::kTrace);
  EXPECT_EQ(buffer_of("#l1"), BufferType::kL1);
}

TEST(TypeParser, TheStoredElementIsTheLayouts) {
  const TensorType named = with_layout(
      "#ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, <interleaved>>");
  EXPECT_EQ(named.tensor_dtype, "bf16");
  EXPECT_EQ(named.dtype, "bfp_bf8");
  EXPECT_EQ(named.padded_bytes, 8 * 1088);
  EXPECT_EQ(named.logical_bytes, 64 * 128 / 1024 * 1088);
  const TensorType tiled = good(
      "tensor<64x128x!ttcore.tile<32x32, bfp_bf8>, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<2x4x!ttcore.tile<32x32, bfp_bf8>, #ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_THAT(tiled.shape, ElementsAre(64, 128));
  EXPECT_EQ(tiled.tensor_dtype, "bfp_bf8");
  EXPECT_EQ(tiled.padded_bytes, 8 * 1088);
  const TensorType flag = good(
      "tensor<33x1xi1, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<2x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_EQ(flag.tensor_dtype, "i1");
  EXPECT_EQ(flag.padded_bytes, 2 * 2048);
}

TEST(TypeParser, ReadsRankZeroOneAndEmptyTensors) {
  const TensorType scalar = good(
      "tensor<f32, #ttnn.ttnn_layout<() -> (0, 0), <1x1>, "
      "memref<1x1x!ttcore.tile<32x32, f32>, #ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_THAT(scalar.shape, IsEmpty());
  EXPECT_EQ(scalar.logical_bytes, 4);
  EXPECT_EQ(scalar.padded_bytes, 4096);
  const TensorType vector = good(
      "tensor<8xsi32, #ttnn.ttnn_layout<(d0) -> (0, d0), <1x1>, "
      "memref<1x8xsi32, #ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_EQ(vector.logical_bytes, 32);
  EXPECT_EQ(vector.padded_bytes, 32);
  const TensorType empty = good(
      "tensor<0x32xbf16, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, "
      "memref<0x1x!ttcore.tile<32x32, bf16>, #ttnn.buffer_type<dram>>, <interleaved>>>");
  EXPECT_EQ(empty.logical_bytes, 0);
  EXPECT_EQ(empty.padded_bytes, 0);
}

TEST(TypeParser, DynamicDimensionsHaveNoSize) {
  const TensorType type = good("tensor<?x32xbf16>");
  EXPECT_THAT(type.shape, ElementsAre(-1, 32));
  EXPECT_EQ(type.logical_bytes, 0);
}

TEST(TypeParser, ATensorWithoutLayoutHasALogicalSizeOnly) {
  const TensorType type = good("tensor<2x3xf32>");
  EXPECT_EQ(type.logical_bytes, 24);
  EXPECT_FALSE(type.has_layout);
  EXPECT_FALSE(type.on_device());
}

TEST(TypeParser, OtherTypesAreNoTensors) {
  for (const std::string text :
       {"!ttnn.device", "!ttnn.global_semaphore", "i32", "", "none", "memref<2xf32>"}) {
    const Parsed parsed = parse(text);
    EXPECT_TRUE(parsed.readable) << text;
    EXPECT_FALSE(parsed.type.is_tensor) << text;
  }
}

TEST(TypeParser, UnreadableTensorsAreToldAndWeighNothing) {
  for (const std::string text :
       {"tensor<", "tensor<2x3x", "tensor<2x3xf32", "tensor<>",
        "tensor<2x3x!ttcore.tile<32x32, f32>, #ttnn.ttnn_layout<",
        "tensor<2x3xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>>>",
        "tensor<2x3xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<2x3xf32>, <interleaved>>>",
        "tensor<2x3xf32, #ttnn.ttnn_layout<(d0, d1) -> (d0, d1), <1x1>, memref<1x1x!ttcore.tile<0x32, f32>, "
        "#dram>>>"}) {
    const Parsed parsed = parse(text);
    EXPECT_FALSE(parsed.readable) << text;
    EXPECT_TRUE(parsed.type.is_tensor) << text;
    EXPECT_EQ(parsed.type.padded_bytes, 0) << text;
  }
}

TEST(TypeParser, SizesBeyondAnyDeviceAreDamage) {
  for (const std::string text :
       {"tensor<99999999999999999999x2xf32>", "tensor<4294967296x4294967296x4294967296xf32>",
        "tensor<1000000000x1000000000xf32>", "tensor<2x2xf99999999999999999>"}) {
    const Parsed parsed = parse(text);
    EXPECT_EQ(parsed.type.logical_bytes, 0) << text;
  }
}

TEST(TypeParser, TakesDimensionsUpToTheElement) {
  std::string_view text = "1x?x32xbf16, rest";
  EXPECT_THAT(take_dims(text), ElementsAre(1, -1, 32));
  EXPECT_EQ(text, "bf16, rest");
  std::string_view tile = "2x4x!ttcore.tile<32x32, f32>";
  EXPECT_THAT(take_dims(tile), ElementsAre(2, 4));
  EXPECT_EQ(tile, "!ttcore.tile<32x32, f32>");
  std::string_view none = "f32";
  EXPECT_THAT(take_dims(none), IsEmpty());
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "2x";
  std::string_view endless = many;
  EXPECT_LE(take_dims(endless).size(), 16u);
}

}  // namespace
}  // namespace ttscope::mem
