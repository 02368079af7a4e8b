#pragma once

// Tensors of a simulated device: a shape, a type and a place, but no values.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <ttscope/device.h>

namespace ttscope::sim {

enum class DataType : std::uint8_t {
  kBfloat16,
  kFloat32,
  kBfloat8B,
  kBfloat4B,
  kUint32,
  kInt32,
  kUint16,
  kUint8
};
enum class Layout : std::uint8_t { kTile, kRowMajor };
enum class BufferLayout : std::uint8_t { kInterleaved, kHeightSharded, kWidthSharded, kBlockSharded };

std::string_view name_of(DataType type);        ///< `BFLOAT16`, ...
std::string_view name_of(Layout layout);        ///< `TILE` or `ROW_MAJOR`
std::string_view name_of(BufferLayout layout);  ///< `INTERLEAVED`, ...

/// Sizes of the dimensions, outermost first.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::uint32_t> dims) : dims_(dims) {}
  explicit Shape(std::vector<std::uint32_t> dims) : dims_(std::move(dims)) {}

  std::size_t rank() const { return dims_.size(); }
  /// Negative indices count from the end; throws std::out_of_range.
  std::uint32_t operator[](int index) const;
  std::uint64_t volume() const;
  const std::vector<std::uint32_t>& dims() const { return dims_; }
  /// The same with one dimension changed.
  Shape with(int index, std::uint32_t size) const;
  std::string text() const;  ///< `Shape([1, 1, 32, 32])`
  bool operator==(const Shape&) const = default;

 private:
  std::vector<std::uint32_t> dims_;
};

/// Cores and the part of the tensor that each of them holds; leading dimensions are folded into the height.
struct ShardSpec {
  std::uint32_t cores = 1;
  std::uint32_t height = 32;
  std::uint32_t width = 32;
  bool operator==(const ShardSpec&) const = default;
};

struct MemoryConfig {
  BufferType type = BufferType::kDram;
  BufferLayout layout = BufferLayout::kInterleaved;
  std::optional<ShardSpec> shard;  ///< required unless interleaved
  std::string text() const;        ///< as in graph captures
  bool operator==(const MemoryConfig&) const = default;

  static MemoryConfig dram() { return {}; }
  static MemoryConfig l1() { return {BufferType::kL1, BufferLayout::kInterleaved, std::nullopt}; }
};

struct TensorSpec {
  Shape shape;
  DataType dtype = DataType::kBfloat16;
  Layout layout = Layout::kTile;
  MemoryConfig memory;

  /// Bytes as stored: whole tiles, or rows. Without padding of pages and banks.
  std::uint64_t stored_bytes() const;
};

class Buffer;  // NOLINT(bugprone-forward-declaration-namespace): mem has one of its own

/// A handle: copies share the memory, which is freed with the last of them or by deallocate().
class Tensor {
 public:
  Tensor() = default;

  bool is_initialized() const { return state_ != nullptr; }
  bool is_allocated() const;
  /// These throw std::logic_error for a tensor that was never made.
  const TensorSpec& spec() const;
  const Shape& shape() const { return spec().shape; }
  DataType dtype() const { return spec().dtype; }
  Layout layout() const { return spec().layout; }
  Device device() const;
  std::uint64_t id() const;
  /// The same in every bank; 0 when it was made in NO_DISPATCH.
  std::uint64_t address() const;
  /// Whole aligned pages, in each bank.
  std::uint64_t bytes_per_bank() const;
  /// Frees the memory although other handles exist. Those, and views of it, are no longer allocated.
  void deallocate();

  struct State;
  explicit Tensor(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const;

 private:
  std::shared_ptr<const State> state_;
};

}  // namespace ttscope::sim
