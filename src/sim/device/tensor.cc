// Its header is public: include/ttscope.
#include <ttscope/tensor.h>

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "sim/device/capture_stack.h"
#include "sim/device/device_state.h"

namespace ttscope::sim {

std::string_view name_of(DataType type) {
  static constexpr std::array<std::string_view, 8> kNames{"BFLOAT16", "FLOAT32", "BFLOAT8_B", "BFLOAT4_B",
                                                          "UINT32",   "INT32",   "UINT16",    "UINT8"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string_view name_of(Layout layout) { return layout == Layout::kTile ? "TILE" : "ROW_MAJOR"; }

std::string_view name_of(BufferLayout layout) {
  static constexpr std::array<std::string_view, 4> kNames{"INTERLEAVED", "HEIGHT_SHARDED", "WIDTH_SHARDED",
                                                          "BLOCK_SHARDED"};
  return kNames[static_cast<std::size_t>(layout)];
}

std::uint32_t Shape::operator[](int index) const {
  const int at = index < 0 ? index + static_cast<int>(dims_.size()) : index;
  if (at < 0 || at >= static_cast<int>(dims_.size())) {
    throw std::out_of_range(fmt::format("dimension {} of {}", index, text()));
  }
  return dims_[static_cast<std::size_t>(at)];
}

std::uint64_t Shape::volume() const {
  std::uint64_t volume = 1;
  for (const std::uint32_t dim : dims_) volume *= dim;
  return volume;
}

Shape Shape::with(int index, std::uint32_t size) const {
  static_cast<void>((*this)[index]);  // throws when there is no such dimension
  Shape changed = *this;
  changed.dims_[static_cast<std::size_t>(index < 0 ? index + static_cast<int>(dims_.size()) : index)] = size;
  return changed;
}

std::string Shape::text() const { return fmt::format("Shape([{}])", fmt::join(dims_, ", ")); }

// MemoryConfig(memory_layout=TensorMemoryLayout::INTERLEAVED,buffer_type=BufferType::L1,shard_spec=std::nullopt,...)
std::string MemoryConfig::text() const {
  std::string shard_text = "std::nullopt";
  if (shard) {
    shard_text = fmt::format(
        "ShardSpec{{grid=[{{\"start\":{{\"x\":0,\"y\":0}},\"end\":{{\"x\":{},\"y\":0}}], shape=[{}, {}], "
        "orientation=ShardOrientation::ROW_MAJOR}}",
        shard->cores - 1, shard->height, shard->width);
  }
  return fmt::format(
      "MemoryConfig(memory_layout=TensorMemoryLayout::{},buffer_type=BufferType::{},shard_spec={},"
      "nd_shard_spec=std::nullopt,created_with_nd_shard_spec=0,per_core_allocation=0)",
      name_of(layout), name_of(type), shard_text);
}

const Tensor::State& Tensor::state() const {
  if (!state_) throw std::logic_error("this tensor was never made");
  return *state_;
}

bool Tensor::is_allocated() const { return state_ && state_->buffer->is_allocated(); }
const TensorSpec& Tensor::spec() const { return state().spec; }
std::uint64_t Tensor::id() const { return state().id; }
std::uint64_t Tensor::address() const { return state().buffer->address(); }
std::uint64_t Tensor::bytes_per_bank() const { return state().buffer->share().bytes_per_bank; }
Device Tensor::device() const { return Device(state().device); }

void Tensor::deallocate() {
  Buffer& buffer = *state().buffer;
  if (!buffer.is_allocated()) return;
  CaptureStack& captures = CaptureStack::current();
  captures.for_each([](Recorder& recorder) { recorder.begin_function("Tensor::deallocate", {}, {}); });
  buffer.free();
  captures.for_each([](Recorder& recorder) { recorder.end_function("Tensor::deallocate", {}); });
}

}  // namespace ttscope::sim
