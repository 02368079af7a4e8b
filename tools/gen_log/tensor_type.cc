#include "tensor_type.h"

#include <algorithm>

namespace ttscope::gen_log {

namespace {

constexpr std::int64_t kTileSide = 32;
constexpr std::int64_t kTileElements = kTileSide * kTileSide;

std::int64_t divide_up(std::int64_t value, std::int64_t unit) { return (value + unit - 1) / unit; }
std::int64_t round_up(std::int64_t value, std::int64_t unit) { return divide_up(value, unit) * unit; }

std::int64_t tile_bytes(Element element) {
  switch (element) {
    case Element::kBf16:
      return kTileElements * 2;
    case Element::kBfp8:
      return kTileElements + 64;  // one shared exponent for each row of 16
    default:
      return kTileElements * 4;
  }
}

std::int64_t element_bytes(Element element) { return element == Element::kBf16 ? 2 : 4; }

std::string_view tensor_element_name(Element element) {
  switch (element) {
    case Element::kF32:
      return "f32";
    case Element::kBf16:
      return "bf16";
    case Element::kBfp8:
      return "!ttcore.tile<32x32, bfp_bf8>";
    case Element::kSi32:
      return "si32";
    case Element::kUi32:
      return "ui32";
  }
  return "";
}

std::string_view frontend_element_name(Element element) {
  switch (element) {
    case Element::kF32:
      return "f32";
    case Element::kBf16:
    case Element::kBfp8:
      return "bf16";
    default:
      return "i64";
  }
}

/// Rows and columns of the tensor folded to two dimensions, in elements as stored.
struct Extent {
  std::int64_t rows = 1;
  std::int64_t columns = 1;
};

/// Extents of all dimensions but the last, as the layout's map counts them: tiles pad the last but one.
Shape row_extents(const TypeSpec& spec) {
  Shape extents(spec.shape.begin(), spec.shape.empty() ? spec.shape.end() : spec.shape.end() - 1);
  if (spec.tiled && !extents.empty()) extents.back() = round_up(extents.back(), kTileSide);
  return extents;
}

Extent stored_extent(const TypeSpec& spec) {
  Extent extent;
  for (const std::int64_t rows : row_extents(spec)) extent.rows *= rows;
  if (!spec.shape.empty()) extent.columns = spec.shape.back();
  if (spec.tiled) extent = {round_up(extent.rows, kTileSide), round_up(extent.columns, kTileSide)};
  return extent;
}

/// `(d0, d1, d2) -> (d0 * 32 + d1, d2)`
std::string affine_map(const TypeSpec& spec) {
  const std::size_t rank = spec.shape.size();
  if (rank == 0) return "() -> (0, 0)";
  if (rank == 1) return "(d0) -> (0, d0)";
  const Shape extents = row_extents(spec);
  std::string names;
  std::string rows;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::string name = "d" + std::to_string(i);
    names += (i == 0 ? "" : ", ") + name;
    if (i + 1 == rank) break;
    std::int64_t factor = 1;
    for (std::size_t k = i + 1; k + 1 < rank; ++k) factor *= extents[k];
    rows += (i == 0 ? "" : " + ") + name + (factor == 1 ? "" : " * " + std::to_string(factor));
  }
  return "(" + names + ") -> (" + rows + ", d" + std::to_string(rank - 1) + ")";
}

std::string core_ranges_text(const TypeSpec& spec) {
  const auto range = [](std::int64_t y0, std::int64_t x1, std::int64_t y1) {
    return "#ttnn.core_range<(0," + std::to_string(y0) + "), (" + std::to_string(x1) + "," +
           std::to_string(y1) + ")>";
  };
  if (spec.sharding == Sharding::kBlock) return range(0, spec.grid_columns - 1, spec.grid_rows - 1);
  constexpr std::int64_t kCoresPerRow = 8;
  const std::int64_t full = spec.grid_rows / kCoresPerRow;
  const std::int64_t rest = spec.grid_rows % kCoresPerRow;
  std::string text;
  if (full > 0) text = range(0, kCoresPerRow - 1, full - 1);
  if (rest > 0) text += (text.empty() ? "" : ", ") + range(full, rest - 1, full);
  return text;
}

void fill_sizes(TensorType& type) {
  const TypeSpec& spec = type.spec;
  std::int64_t elements = 1;
  for (const std::int64_t extent : spec.shape) elements *= extent;
  type.logical_bytes = spec.element == Element::kBfp8
                           ? divide_up(elements * tile_bytes(spec.element), kTileElements)
                           : elements * element_bytes(spec.element);
  Extent shard = stored_extent(spec);
  const std::int64_t unit = spec.tiled ? kTileSide : 1;
  shard.rows = round_up(divide_up(shard.rows, spec.grid_rows), unit);
  shard.columns = round_up(divide_up(shard.columns, spec.grid_columns), unit);
  type.shard_shape = "<" + std::to_string(shard.rows) + "x" + std::to_string(shard.columns) + ">";
  if (spec.tiled) {
    type.page_bytes = tile_bytes(spec.element);
    type.pages_per_shard = shard.rows / kTileSide * (shard.columns / kTileSide);
    type.memref = "memref<" + std::to_string(shard.rows / kTileSide) + "x" +
                  std::to_string(shard.columns / kTileSide) + "x!ttcore.tile<32x32, " +
                  std::string(element_name(spec.element)) + ">, ";
  } else {
    type.page_bytes = shard.columns * element_bytes(spec.element);
    type.pages_per_shard = shard.rows;
    type.memref = "memref<" + std::to_string(shard.rows) + "x" + std::to_string(shard.columns) + "x" +
                  std::string(tensor_element_name(spec.element)) + ", ";
  }
  type.padded_bytes = type.page_bytes * type.pages_per_shard * spec.grid_rows * spec.grid_columns;
}

void fill_texts(TensorType& type) {
  const TypeSpec& spec = type.spec;
  const std::string shape = shape_text(spec.shape) + (spec.shape.empty() ? "" : "x");
  type.dtype = spec.element == Element::kBfp8 ? "bfp_bf8" : tensor_element_name(spec.element);
  type.head = "tensor<" + shape + std::string(tensor_element_name(spec.element)) + ", ";
  type.frontend_text = "tensor<" + shape + std::string(frontend_element_name(spec.element)) + ">";

  const std::string start = "#ttnn.ttnn_layout<" + affine_map(spec) + ", <" + std::to_string(spec.grid_rows) +
                            "x" + std::to_string(spec.grid_columns) + ">, " + type.memref;
  std::string end = ">";
  if (spec.place != Place::kHost) end += ", <" + std::string(type.sharding_name()) + ">";
  if (spec.sharding != Sharding::kInterleaved) {
    type.core_ranges = core_ranges_text(spec);
    end += ", core_ranges = <[" + type.core_ranges + "]>";
  }
  end += ">";
  type.aliased_layout = start + "#" + std::string(type.buffer_name()) + end;
  type.text = type.head + start + "#ttnn.buffer_type<" + std::string(type.buffer_name()) + ">" + end + ">";
}

}  // namespace

std::optional<Memory> TensorType::memory() const {
  if (is_device_handle || spec.place == Place::kHost) return std::nullopt;
  return spec.place == Place::kDram ? Memory::kDram : Memory::kL1;
}

std::string_view TensorType::buffer_name() const {
  switch (spec.place) {
    case Place::kDram:
      return "dram";
    case Place::kL1:
      return "l1";
    case Place::kHost:
      return "system_memory";
  }
  return "";
}

std::string_view TensorType::sharding_name() const {
  switch (spec.sharding) {
    case Sharding::kInterleaved:
      return "interleaved";
    case Sharding::kHeight:
      return "height_sharded";
    case Sharding::kBlock:
      return "block_sharded";
  }
  return "";
}

std::int64_t TensorType::bytes_per_bank(const Device& device) const {
  const std::optional<Memory> where = memory();
  if (!where) return 0;
  const bool dram = *where == Memory::kDram;
  const std::int64_t page = round_up(page_bytes, dram ? device.alignment : kL1PageAlignment);
  if (spec.sharding != Sharding::kInterleaved) return pages_per_shard * page;
  const std::int64_t pages = pages_per_shard * spec.grid_rows * spec.grid_columns;
  return divide_up(pages, dram ? device.dram_banks : device.l1_banks) * page;
}

TypeTable::TypeTable() {
  TensorType& device = types_.emplace_back();
  device.is_device_handle = true;
  device.text = device.dtype = device.frontend_text = "!ttnn.device";
}

const TensorType* TypeTable::get(const TypeSpec& spec) {
  TensorType type;
  type.spec = spec;
  fill_sizes(type);
  fill_texts(type);
  const auto found = by_text_.find(type.text);
  if (found != by_text_.end()) return found->second;
  const TensorType* stored = &types_.emplace_back(std::move(type));
  by_text_.emplace(stored->text, stored);
  return stored;
}

std::string shape_text(const Shape& shape) {
  std::string text;
  for (const std::int64_t extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

std::string_view element_name(Element element) {
  if (element == Element::kBfp8) return "bfp_bf8";
  return element == Element::kUi32 ? "u32" : tensor_element_name(element);
}

bool is_view_reshape(const TensorType& from, const TensorType& to) {
  if (!from.memory() || from.memref != to.memref || from.spec.place != to.spec.place ||
      from.spec.sharding != to.spec.sharding) {
    return false;
  }
  const auto last_two = [](const Shape& shape) {
    Extent extent;
    if (!shape.empty()) extent.columns = shape.back();
    if (shape.size() > 1) extent.rows = shape[shape.size() - 2];
    return extent;
  };
  const Extent a = last_two(from.spec.shape);
  const Extent b = last_two(to.spec.shape);
  const bool whole_tiles = a.rows % kTileSide == 0 && b.rows % kTileSide == 0;
  return a.columns == b.columns && (a.rows == b.rows || whole_tiles || !from.spec.tiled);
}

}  // namespace ttscope::gen_log
