// A tensor type with its layout: sizes are never negative and never overflow, on any device.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "mem/read/runtime_log/memory_view.h"
#include "mem/read/runtime_log/type_parser.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check_sizes(const ttscope::mem::TensorType& type) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  for (const std::int64_t bytes :
       {type.logical_bytes, type.padded_bytes, type.page_bytes, type.pages_per_shard}) {
    require(bytes >= 0 && bytes <= kLimit);
  }
  ttscope::mem::DeviceFacts device;
  for (const std::uint32_t banks : {12u, 8u, 1u, 0u, 0xffffffffu}) {
    device.banks.fill(banks);
    ttscope::mem::infer_architecture(device);
    const std::int64_t bytes = ttscope::mem::bytes_per_bank(type, device);
    require(bytes >= 0 && bytes <= kLimit);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ttscope::mem::TensorType type;
  ttscope::mem::parse_type(text, type);
  check_sizes(type);
  check_sizes(ttscope::mem::with_local_shape(type, type.shape));
  for (const std::int64_t dim : ttscope::mem::padded_shape(type)) require(dim >= -1);
  static_cast<void>(ttscope::mem::shape_text(type.shape));
  ttscope::mem::MemoryView view;
  static_cast<void>(ttscope::mem::parse_memory_view(text, view));
  return 0;
}
