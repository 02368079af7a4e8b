#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <ttscope/ops.h>

#include <stdexcept>

namespace ttscope::sim {
namespace {

Device n150() { return Device(DeviceSpec::n150()); }
TensorSpec tiles(const Shape& shape, DataType dtype = DataType::kBfloat16) {
  return {.shape = shape, .dtype = dtype, .memory = {}};
}
std::uint64_t dram_in_use(const Device& device) {
  return device.stats(BufferType::kDram).allocated_bytes_per_bank;
}

TEST(Tensor, SizesAreWholeTilesOrRows) {
  EXPECT_EQ(tiles({1, 1, 1, 2048}).stored_bytes(), 131072u);
  EXPECT_EQ(tiles({64, 128}).stored_bytes(), 16384u);
  EXPECT_EQ(tiles({32, 32}, DataType::kBfloat8B).stored_bytes(), 1088u);
  EXPECT_EQ(tiles({32, 32}, DataType::kBfloat4B).stored_bytes(), 576u);
  EXPECT_EQ(tiles({32, 32}, DataType::kFloat32).stored_bytes(), 4096u);
  TensorSpec rows = tiles({5, 7}, DataType::kUint32);
  rows.layout = Layout::kRowMajor;
  EXPECT_EQ(rows.stored_bytes(), 140u);
}

TEST(Tensor, TheLastHandleFreesIt) {
  const Device device = n150();
  {
    const Tensor a = empty(device, tiles({64, 64}));
    const Tensor b = a;
    EXPECT_EQ(a.address(), device.spec().dram_base_address());
    EXPECT_EQ(dram_in_use(device), 2048u);
  }
  EXPECT_EQ(dram_in_use(device), 0u);
}

TEST(Tensor, DeallocateFreesItForAllHandles) {
  const Device device = n150();
  Tensor a = empty(device, tiles({64, 64}));
  const Tensor view = reshape(a, {1, 1, 64, 64});
  EXPECT_EQ(view.address(), a.address());
  a.deallocate();
  a.deallocate();
  EXPECT_FALSE(view.is_allocated());
  EXPECT_EQ(dram_in_use(device), 0u);
  EXPECT_THROW(add(view, view), std::invalid_argument);
}

TEST(Tensor, OutlivesTheHandleOfItsDevice) {
  Tensor tensor;
  {
    const Device device = n150();
    tensor = empty(device, tiles({32, 32}));
  }
  EXPECT_TRUE(tensor.is_allocated());
  EXPECT_EQ(dram_in_use(tensor.device()), 2048u);
}

TEST(Tensor, ShardsMustHoldIt) {
  const Device device = n150();
  TensorSpec spec = tiles({128, 128});
  spec.memory = {BufferType::kL1, BufferLayout::kWidthSharded, ShardSpec{4, 128, 32}};
  EXPECT_EQ(empty(device, spec).bytes_per_bank(), 8192u);
  spec.memory.shard->cores = 3;
  EXPECT_THROW(empty(device, spec), std::invalid_argument);
  spec.memory.shard.reset();
  EXPECT_THROW(empty(device, spec), std::invalid_argument);
}

TEST(Tensor, WhatDoesNotFitThrows) {
  const Device device = n150();
  EXPECT_THROW(empty(device, tiles({100, 32768, 4096})), OutOfMemory);
  EXPECT_EQ(dram_in_use(device), 0u);
}

TEST(Ops, ShapesFollowTheOperands) {
  const Device device = n150();
  const Tensor a = empty(device, tiles({2, 1, 64, 96}));
  const Tensor b = empty(device, tiles({1, 1, 32, 96}));
  EXPECT_EQ(matmul(a, b, {.transpose_b = true, .memory = {}}).shape(), (Shape{2, 1, 64, 32}));
  EXPECT_EQ(add(a, empty(device, tiles({1, 1, 1, 96}))).shape(), a.shape());
  EXPECT_EQ(sum(a, {0, 2}).shape(), (Shape{1, 1, 1, 96}));
  EXPECT_EQ(mean(a).shape(), (Shape{1, 1, 1, 1}));
  EXPECT_EQ(concat({a, a}, 3).shape(), (Shape{2, 1, 64, 192}));
  EXPECT_EQ(slice(a, 0, 1, 2).shape(), (Shape{1, 1, 64, 96}));
  EXPECT_EQ(repeat(b, {1, 4, 1, 1}).shape(), (Shape{1, 4, 32, 96}));
  EXPECT_EQ(transpose(a).shape(), (Shape{2, 1, 96, 64}));
  EXPECT_EQ(softmax(a).shape(), a.shape());
  EXPECT_EQ(to_layout(a, Layout::kRowMajor).layout(), Layout::kRowMajor);
  EXPECT_EQ(typecast(a, DataType::kFloat32).dtype(), DataType::kFloat32);
  EXPECT_EQ(to_memory_config(a, MemoryConfig::l1()).spec().memory.type, BufferType::kL1);
}

TEST(Ops, WhatDoesNotGoTogetherIsRefused) {
  const Device device = n150();
  const Tensor a = empty(device, tiles({1, 1, 64, 96}));
  EXPECT_THROW(matmul(a, a), std::invalid_argument);
  EXPECT_THROW(add(a, empty(device, tiles({1, 1, 64, 64}))), std::invalid_argument);
  EXPECT_THROW(reshape(a, {1, 1, 64, 95}), std::invalid_argument);
  EXPECT_THROW(slice(a, 3, 90, 97), std::invalid_argument);
  EXPECT_THROW(reduce_scatter(a, 2, 3), std::invalid_argument);
  EXPECT_THROW(create_heads(a, a, 5, 1), std::invalid_argument);
  EXPECT_THROW(static_cast<void>(a.shape()[4]), std::out_of_range);
}

TEST(Ops, HeadsAreMadeAndJoined) {
  const Device device = n150();
  const Tensor query = empty(device, tiles({2, 1, 64, 256}));
  const Tensor key_value = empty(device, tiles({2, 1, 64, 128}));
  const Heads heads = create_heads(query, key_value, 8, 2);
  EXPECT_EQ(heads.query.shape(), (Shape{2, 8, 64, 32}));
  EXPECT_EQ(heads.value.shape(), (Shape{2, 2, 64, 32}));
  EXPECT_EQ(attention(heads.query, heads.key, heads.value).shape(), heads.query.shape());
  EXPECT_EQ(concat_heads(heads.query).shape(), query.shape());
  EXPECT_EQ(split_heads(query, 8).shape(), heads.query.shape());
}

TEST(Ops, CollectivesGiveTheShareOfAChip) {
  const Device device(DeviceSpec::n300());
  const Tensor part = empty(device, tiles({1, 1, 64, 96}));
  EXPECT_EQ(all_gather(part, 3, 2).shape(), (Shape{1, 1, 64, 192}));
  EXPECT_EQ(reduce_scatter(part, 2, 2).shape(), (Shape{1, 1, 32, 96}));
  EXPECT_EQ(all_reduce(part, 2).shape(), part.shape());
  EXPECT_EQ(all_reduce(empty(device, tiles({1, 1, 1, 1})), 2).shape(), (Shape{1, 1, 1, 1}));
}

TEST(Ops, NothingStaysOfTemporaries) {
  const Device device = n150();
  const Tensor a = empty(device, tiles({1, 1, 64, 96}));
  const std::uint64_t before = dram_in_use(device);
  {
    const Tensor product = matmul(a, a, {.transpose_b = true, .memory = {}});
    EXPECT_GT(dram_in_use(device), before);
  }
  const std::uint64_t binaries = dram_in_use(device) - before;
  static_cast<void>(matmul(a, a, {.transpose_b = true, .memory = {}}));
  EXPECT_EQ(dram_in_use(device) - before, binaries) << "the second run finds its programs in the cache";
  EXPECT_EQ(device.program_cache_entries(), 1u);
}

TEST(Ops, WithoutTheCacheBinariesAreFreed) {
  Device device = n150();
  device.enable_program_cache(false);
  const Tensor a = empty(device, tiles({1, 1, 64, 64}));
  const Tensor b = add(a, a);
  EXPECT_EQ(dram_in_use(device), 2 * 2048u);
  EXPECT_EQ(device.program_cache_entries(), 0u);
}

TEST(Ops, CircularBuffersThatMeetATensorThrow) {
  const Device device = n150();
  TensorSpec spec = tiles({1, 1, 32 * 64, 32 * 670});  // all but a little of L1
  spec.memory = MemoryConfig::l1();
  const Tensor large = empty(device, spec);
  EXPECT_THROW(matmul(empty(device, tiles({1, 1, 1024, 1024})), empty(device, tiles({1, 1, 1024, 1024}))),
               OutOfMemory);
}

}  // namespace
}  // namespace ttscope::sim
