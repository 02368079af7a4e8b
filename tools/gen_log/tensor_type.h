#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocator.h"

namespace ttscope::gen_log {

using Shape = std::vector<std::int64_t>;

enum class Element : std::uint8_t { kF32, kBf16, kBfp8, kSi32, kUi32 };
enum class Place : std::uint8_t { kDram, kL1, kHost };
enum class Sharding : std::uint8_t { kInterleaved, kHeight, kBlock };

/// What decides a tensor type; TypeTable derives the text and the sizes.
struct TypeSpec {
  Shape shape;
  Element element = Element::kBf16;
  bool tiled = true;
  Place place = Place::kDram;
  Sharding sharding = Sharding::kInterleaved;
  std::int64_t grid_rows = 1;  ///< cores that hold shards; 1x1 for DRAM and host
  std::int64_t grid_columns = 1;
};

struct TensorType {
  TypeSpec spec;
  bool is_device_handle = false;  ///< `!ttnn.device`
  std::string text;               ///< as in an op line: `tensor<8xsi32, #ttnn.ttnn_layout<...>>`
  std::string head;               ///< `tensor<8xsi32, `: what precedes the layout
  std::string aliased_layout;     ///< the layout as a module defines it, with `#dram` for the buffer type
  std::string frontend_text;      ///< `tensor<8xi64>`: the type before the TTNN dialect
  std::string memref;             ///< equal memrefs mean equal bytes in equal order
  std::string core_ranges;        ///< text of the shards' cores, empty when interleaved
  std::string shard_shape;        ///< `<32x128>` of a shard in elements
  std::string dtype;
  std::int64_t logical_bytes = 0;
  std::int64_t padded_bytes = 0;
  std::int64_t page_bytes = 0;
  std::int64_t pages_per_shard = 0;

  std::optional<Memory> memory() const;
  std::string_view buffer_name() const;    ///< `dram`, `l1`, `system_memory`
  std::string_view sharding_name() const;  ///< `interleaved`, `height_sharded`, ...
  /// Bytes in every bank before the free list rounds them; 0 on the host.
  std::int64_t bytes_per_bank(const Device& device) const;
  /// As the allocator's messages name them: the shards of a sharded tensor in L1, else all.
  std::int64_t banks_named(const Device& device) const {
    return spec.sharding == Sharding::kInterleaved ? device.l1_banks : spec.grid_rows * spec.grid_columns;
  }
};

/// Owns the distinct types of a workload; pointers stay valid as long as the table.
class TypeTable {
 public:
  TypeTable();
  TypeTable(const TypeTable&) = delete;
  TypeTable& operator=(const TypeTable&) = delete;

  const TensorType* get(const TypeSpec& spec);
  const TensorType* device_handle() const { return &types_.front(); }

 private:
  std::deque<TensorType> types_;
  std::map<std::string, const TensorType*, std::less<>> by_text_;
};

std::string shape_text(const Shape& shape);      ///< `1x32x4`, empty for rank 0
std::string_view element_name(Element element);  ///< in `supportedDataTypes<...>` and tiles: `u32` for ui32

/// A reshape that only renames: the bytes lie the same way before and after.
bool is_view_reshape(const TensorType& from, const TensorType& to);

}  // namespace ttscope::gen_log
