#include "mem/read/runtime_log/type_parser.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "mem/read/runtime_log/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kMostDims = 16;  // no real tensor has more; keeps hostile text cheap
constexpr std::int64_t kLargestTensorBytes = std::int64_t{1}
                                             << 38;  // more than any device or mesh holds: damaged text

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

std::string_view word_at(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && is_word(text[end])) ++end;
  return text.substr(0, end);
}

/// An element: `bf16`, or `!ttcore.tile<32x32, bfp_bf8>` (height and width filled). Advances past it.
std::string_view take_element(std::string_view& text, std::int64_t& height, std::int64_t& width) {
  if (text.empty() || text[0] != '!') {
    const std::string_view word = word_at(text);
    text.remove_prefix(word.size());
    return word;
  }
  const std::size_t open = text.find('<');
  const std::size_t close = open == std::string_view::npos ? open : find_closing(text, open);
  if (close == std::string_view::npos) return {};
  std::string_view inside = text.substr(open + 1, close - open - 1);
  const bool is_tile = text.substr(0, open).find(".tile") != std::string_view::npos;
  text.remove_prefix(close + 1);
  if (!is_tile) return word_at(inside);
  const std::size_t comma = inside.find(',');
  if (comma == std::string_view::npos) return {};
  std::string_view dims_text = inside.substr(0, comma);
  const std::vector<std::int64_t> dims = take_dims(dims_text);
  if (dims.size() != 2 || dims[0] <= 0 || dims[1] <= 0) return {};
  height = dims[0];
  width = dims[1];
  return word_at(trimmed(inside.substr(comma + 1)));
}

BufferType buffer_named(std::string_view text) {
  const std::size_t open = text.find('<');
  std::string_view name = open != std::string_view::npos ? text.substr(open + 1) : text;
  while (!name.empty() && (name[0] == '#' || name[0] == '<')) name.remove_prefix(1);
  name = word_at(name);
  constexpr std::array<std::pair<std::string_view, BufferType>, 8> kNames = {{
      {"dram", BufferType::kDram},
      {"l1", BufferType::kL1},
      {"system_memory", BufferType::kSystemMemory},
      {"system", BufferType::kSystemMemory},
      {"l1_small", BufferType::kL1Small},
      {"trace", BufferType::kTrace},
      {"deviceDRAM", BufferType::kDram},
      {"deviceL1", BufferType::kL1},
  }};
  for (const auto& [known, buffer] : kNames) {
    if (known == name) return buffer;
  }
  return BufferType::kNone;
}

/// The memory layout item is the first one behind the memref: `<interleaved>` or, long ago, `interleaved`.
MemoryLayout layout_named(std::string_view behind_memref) {
  while (!behind_memref.empty() &&
         (behind_memref[0] == ',' || behind_memref[0] == ' ' || behind_memref[0] == '<')) {
    behind_memref.remove_prefix(1);
  }
  const std::string_view name = word_at(behind_memref);
  for (const MemoryLayout layout :
       {MemoryLayout::kInterleaved, MemoryLayout::kHeightSharded, MemoryLayout::kWidthSharded,
        MemoryLayout::kBlockSharded, MemoryLayout::kNdSharded}) {
    if (ttscope::mem::name_of(layout) == name) return layout;
  }
  return MemoryLayout::kNone;
}

/// The grid is the first `<8x8` before the memref; `<1x1, (d0, d1) -> (0, d0, d1)>` has a map inside.
std::vector<std::int64_t> grid_before(std::string_view text) {
  for (std::size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (at + 1 < text.size() && is_digit(text[at + 1])) {
      std::string_view dims = text.substr(at + 1);
      return take_dims(dims);
    }
  }
  return {};
}

bool parse_layout(std::string_view layout, TensorType& type) {
  const std::size_t memref = layout.find("memref<");
  if (memref == std::string_view::npos) return false;
  const std::size_t open = memref + 6;
  const std::size_t close = find_closing(layout, open);
  if (close == std::string_view::npos) return false;
  std::string_view inside = layout.substr(open + 1, close - open - 1);
  type.memref = take_dims(inside);
  const std::string_view element = take_element(inside, type.tile_height, type.tile_width);
  if (element.empty()) return false;
  // Tiles spell unsigned types their own way (`u32` for `ui32`): a difference in name only keeps the
  // tensor's.
  const std::int64_t stored_bytes = tile_bytes(element, 32, 32);
  if (stored_bytes != tile_bytes(type.tensor_dtype, 32, 32)) type.dtype = element;
  type.buffer = buffer_named(trimmed(inside.substr(inside.empty() || inside[0] != ',' ? 0 : 1)));
  type.grid = grid_before(layout.substr(0, memref));
  type.layout = layout_named(layout.substr(close + 1));
  type.has_layout = type.buffer != BufferType::kNone;
  return type.has_layout;
}

}  // namespace

std::vector<std::int64_t> take_dims(std::string_view& text) {
  std::vector<std::int64_t> dims;
  while (!text.empty() && (is_digit(text[0]) || text[0] == '?') && dims.size() < kMostDims) {
    std::int64_t dim = -1;
    std::size_t length = 1;
    if (text[0] != '?') {
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), dim);
      if (error != std::errc()) dim = std::int64_t{1} << 62;
      length = static_cast<std::size_t>(end - text.data());
    }
    dims.push_back(dim);
    text.remove_prefix(length);
    if (text.empty() || text[0] != 'x') break;
    text.remove_prefix(1);
  }
  return dims;
}

bool parse_type(std::string_view text, TensorType& type) {
  if (!text.starts_with("tensor<")) return true;
  type.is_tensor = true;
  const std::size_t close = find_closing(text, 6);
  std::string_view inside = text.substr(7, close == std::string_view::npos ? close : close - 7);
  type.shape = take_dims(inside);
  std::int64_t height = 0;
  std::int64_t width = 0;
  type.tensor_dtype = take_element(inside, height, width);
  type.dtype = type.tensor_dtype;
  bool readable = !type.tensor_dtype.empty() && close != std::string_view::npos;
  if (!inside.empty() && inside[0] == ',') {
    const std::string_view layout = trimmed(inside.substr(1));
    if (layout.find("layout<") != std::string_view::npos) readable = parse_layout(layout, type) && readable;
  }
  compute_sizes(type);
  if (std::max(type.logical_bytes, type.padded_bytes) > kLargestTensorBytes) {
    type.logical_bytes = type.padded_bytes = type.page_bytes = type.pages_per_shard = 0;
    readable = false;
  }
  return readable;
}

}  // namespace ttscope::mem
