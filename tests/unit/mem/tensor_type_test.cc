#include "mem/model/tensor_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int64_t kLimit = std::int64_t{1} << 62;

DeviceFacts wormhole() { return {}; }

DeviceFacts blackhole() {
  DeviceFacts facts;
  facts.banks = {8, 130, 130, 8};
  infer_architecture(facts);
  return facts;
}

TensorType tiled(std::int64_t rows, std::int64_t columns, const char* dtype,
                 BufferType buffer = BufferType::kDram) {
  TensorType type;
  type.is_tensor = type.has_layout = true;
  type.shape = {rows * 32, columns * 32};
  type.dtype = type.tensor_dtype = dtype;
  type.memref = {rows, columns};
  type.grid = {1, 1};
  type.tile_height = type.tile_width = 32;
  type.buffer = buffer;
  type.layout = MemoryLayout::kInterleaved;
  compute_sizes(type);
  return type;
}

TensorType row_major(std::int64_t rows, std::int64_t columns, const char* dtype) {
  TensorType type = tiled(1, 1, dtype);
  type.shape = type.memref = {rows, columns};
  type.tile_height = type.tile_width = 0;
  compute_sizes(type);
  return type;
}

TEST(TensorType, ElementsHaveTheirBytes) {
  for (const char* dtype : {"f32", "u32", "ui32", "si32", "i32"}) EXPECT_EQ(element_bytes(dtype), 4) << dtype;
  for (const char* dtype : {"bf16", "f16", "u16", "ui16", "si16"})
    EXPECT_EQ(element_bytes(dtype), 2) << dtype;
  for (const char* dtype : {"u8", "ui8", "i1", "bool", "si8", "f8E4M3FN"})
    EXPECT_EQ(element_bytes(dtype), 1) << dtype;
  EXPECT_EQ(element_bytes("si64"), 8);
  EXPECT_EQ(element_bytes("index"), 8);
  for (const char* dtype : {"", "what", "f99999999999999999999"}) EXPECT_EQ(element_bytes(dtype), 0) << dtype;
}

TEST(TensorType, TilesHaveTheirBytes) {
  EXPECT_EQ(tile_bytes("f32", 32, 32), 4096);
  EXPECT_EQ(tile_bytes("bf16", 32, 32), 2048);
  EXPECT_EQ(tile_bytes("u8", 32, 32), 1024);
  for (const char* dtype : {"bfp_f8", "bfp_bf8"}) EXPECT_EQ(tile_bytes(dtype, 32, 32), 1088);
  for (const char* dtype : {"bfp_f4", "bfp_bf4"}) EXPECT_EQ(tile_bytes(dtype, 32, 32), 576);
  for (const char* dtype : {"bfp_f2", "bfp_bf2"}) EXPECT_EQ(tile_bytes(dtype, 32, 32), 320);
  EXPECT_EQ(tile_bytes("bf16", 16, 32), 1024);
}

// The three allocations whose sizes are known from real out-of-memory messages.
TEST(TensorType, FloatTilesOverTwelveBanks) {
  const TensorType type = tiled(10, 4096, "f32");
  EXPECT_EQ(type.padded_bytes, 167772160);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 3414 * 4096);
}

TEST(TensorType, RowMajorRowsOverTwelveBanks) {
  const TensorType type = row_major(8192, 201088, "bf16");
  EXPECT_EQ(type.padded_bytes, 3294625792);
  EXPECT_EQ(type.page_bytes, 402176);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 683 * 402176);
}

TEST(TensorType, BlockFloatTilesOverTwelveBanks) {
  const TensorType type = tiled(96, 4096, "bfp_bf8");
  EXPECT_EQ(type.padded_bytes, 427819008);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 35651584);
}

TEST(TensorType, OneTileTakesAPageInEveryBank) {
  EXPECT_EQ(bytes_per_bank(tiled(1, 1, "bf16"), wormhole()), 2048);
  EXPECT_EQ(bytes_per_bank(tiled(1, 12, "bf16"), wormhole()), 2048);
  EXPECT_EQ(bytes_per_bank(tiled(1, 13, "bf16"), wormhole()), 2 * 2048);
}

TEST(TensorType, PagesAreAlignedToTheMemory) {
  EXPECT_EQ(bytes_per_bank(row_major(12, 10, "bf16"), wormhole()), 32);  // rows of 20 bytes
  EXPECT_EQ(bytes_per_bank(row_major(8, 10, "bf16"), blackhole()), 64);
  EXPECT_EQ(bytes_per_bank(row_major(24, 20, "bf16"), wormhole()), 2 * 64);
  TensorType in_l1 = row_major(64, 10, "bf16");
  in_l1.buffer = BufferType::kL1;
  compute_sizes(in_l1);
  EXPECT_EQ(bytes_per_bank(in_l1, wormhole()), 32);  // pages of 16 x 2, blocks of the DRAM alignment
}

TEST(TensorType, AShardTakesItsBytesInEveryBank) {
  TensorType type = tiled(2, 3, "bf16", BufferType::kL1);
  type.grid = {8, 1};
  type.layout = MemoryLayout::kHeightSharded;
  compute_sizes(type);
  EXPECT_EQ(type.shard_count, 8);
  EXPECT_EQ(type.padded_bytes, 8 * 6 * 2048);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 6 * 2048);
  EXPECT_EQ(bytes_per_bank(type, blackhole()), 6 * 2048);
}

TEST(TensorType, InterleavedL1CountsThePartsOfAllCores) {
  TensorType type = tiled(1, 1, "bf16", BufferType::kL1);
  type.grid = {8, 8};
  compute_sizes(type);
  EXPECT_EQ(type.padded_bytes, 64 * 2048);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 2048);
  EXPECT_EQ(bytes_per_bank(type, blackhole()), 2048);  // 64 pages over 130 banks
}

TEST(TensorType, DramShardsLieInTheirBanks) {
  TensorType type = tiled(4, 2, "bfp_bf8");
  type.grid = {1, 12};
  type.layout = MemoryLayout::kWidthSharded;
  compute_sizes(type);
  EXPECT_EQ(type.padded_bytes, 12 * 8 * 1088);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 8 * 1088);
}

TEST(TensorType, HostTensorsTakeNoDeviceMemory) {
  TensorType host = row_major(64, 64, "f32");
  host.buffer = BufferType::kSystemMemory;
  compute_sizes(host);
  EXPECT_EQ(host.padded_bytes, 64 * 64 * 4);
  EXPECT_EQ(bytes_per_bank(host, wormhole()), 0);
  TensorType bare;
  bare.is_tensor = true;
  EXPECT_EQ(bytes_per_bank(bare, wormhole()), 0);
}

TEST(TensorType, TheLocalShapeOfAMeshTensorReplacesItsSize) {
  const TensorType local = with_local_shape(tiled(16, 32, "bf16"), {100, 512});
  EXPECT_THAT(local.memref, ElementsAre(4, 16));
  EXPECT_EQ(local.logical_bytes, 100 * 512 * 2);
  EXPECT_EQ(local.padded_bytes, 64 * 2048);
  const TensorType rows = with_local_shape(row_major(64, 128, "f32"), {2, 16, 128});
  EXPECT_THAT(rows.memref, ElementsAre(32, 128));
  const TensorType scalar = with_local_shape(tiled(1, 1, "f32"), {});
  EXPECT_EQ(scalar.padded_bytes, 4096);
}

TEST(TensorType, SizesSaturateInsteadOfOverflowing) {
  EXPECT_EQ(saturating_multiply(kLimit, 2), kLimit);
  EXPECT_EQ(saturating_multiply(std::int64_t{1} << 40, std::int64_t{1} << 40), kLimit);
  EXPECT_EQ(saturating_multiply(0, kLimit), 0);
  EXPECT_EQ(saturating_add(kLimit, kLimit), kLimit);
  EXPECT_EQ(saturating_add(-kLimit, -kLimit), -kLimit);
  EXPECT_EQ(saturating_add(std::numeric_limits<std::int64_t>::min(), -1), -kLimit);
  TensorType type = tiled(1, 1, "f32");
  type.shape = type.memref = {kLimit, kLimit};
  type.grid = {kLimit, kLimit};
  type.layout = MemoryLayout::kBlockSharded;
  compute_sizes(type);
  EXPECT_EQ(type.padded_bytes, kLimit);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), kLimit);
}

TEST(TensorType, ZeroAndNegativeDimensionsHaveNoBytes) {
  TensorType type = tiled(0, 4, "bf16");
  EXPECT_EQ(type.padded_bytes, 0);
  EXPECT_EQ(bytes_per_bank(type, wormhole()), 0);
  type.shape = {-1, 32};
  compute_sizes(type);
  EXPECT_EQ(type.logical_bytes, 0);
}

TEST(TensorType, TextsForPeople) {
  EXPECT_EQ(shape_text({1, -1, 32}), "1x?x32");
  EXPECT_EQ(shape_text({}), "");
  EXPECT_EQ(name_of(BufferType::kL1Small), "l1_small");
  EXPECT_EQ(name_of(MemoryLayout::kNdSharded), "nd_sharded");
  EXPECT_EQ(name_of(MemoryLayout::kNone), "");
}

TEST(TensorType, ThePaddedShapeIsWholeTiles) {
  EXPECT_THAT(padded_shape(tiled(2, 3, "bf16")), ElementsAre(64, 96));
  TensorType sharded = tiled(2, 3, "bf16", BufferType::kL1);
  sharded.grid = {8, 4};
  sharded.layout = MemoryLayout::kBlockSharded;
  compute_sizes(sharded);
  EXPECT_THAT(padded_shape(sharded), ElementsAre(512, 384));
  TensorType line = tiled(1, 1, "bf16");
  line.memref = {3};
  EXPECT_THAT(padded_shape(line), ElementsAre(32, 96));
  EXPECT_THAT(padded_shape(row_major(5, 7, "f32")), ElementsAre(5, 7));
  TensorType dynamic = tiled(2, -1, "bf16");
  dynamic.grid = {1, 12};
  dynamic.layout = MemoryLayout::kWidthSharded;
  compute_sizes(dynamic);
  EXPECT_THAT(padded_shape(dynamic), ElementsAre(64, -1));
  EXPECT_THAT(padded_shape(TensorType{}), IsEmpty());
}

TEST(DeviceFacts, TheBankCountTellsTheArchitecture) {
  DeviceFacts facts;
  infer_architecture(facts);
  EXPECT_EQ(facts.arch, "wormhole");
  EXPECT_EQ(facts.dram_alignment_bytes, 32u);
  EXPECT_EQ(blackhole().arch, "blackhole");
  EXPECT_EQ(blackhole().dram_alignment_bytes, 64u);
  DeviceFacts old;
  old.banks[0] = 8;
  old.capacity_bytes_per_bank[0] = std::int64_t{1} << 30;
  infer_architecture(old);
  EXPECT_EQ(old.arch, "grayskull");
  EXPECT_EQ(old.dram_alignment_bytes, 32u);
}

}  // namespace
}  // namespace ttscope::mem
