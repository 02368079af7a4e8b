// A tensor type with its layout: sizes are never negative and never overflow, on any device.
#include <cstdint>

#include "fuzz/fuzz_target.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {
namespace {

using fuzz::require;

void check_sizes(const TensorType& type) {
  constexpr std::int64_t kLimit = std::int64_t{1} << 62;
  for (const std::int64_t bytes :
       {type.logical_bytes, type.padded_bytes, type.page_bytes, type.pages_per_shard}) {
    require(bytes >= 0 && bytes <= kLimit, "sizes are sizes");
  }
  DeviceFacts device;
  for (const std::uint32_t banks : {12u, 8u, 1u, 0u, 0xffffffffu}) {
    device.banks.fill(banks);
    infer_architecture(device);
    const std::int64_t bytes = bytes_per_bank(type, device);
    require(bytes >= 0 && bytes <= kLimit, "sizes of a bank are sizes");
  }
}

TTSCOPE_FUZZ_TARGET(mem_type) {
  TensorType type;
  parse_type(text, type);
  check_sizes(type);
  check_sizes(with_local_shape(type, type.shape));
  for (const std::int64_t dim : padded_shape(type)) require(dim >= -1, "a dimension is known or not");
  static_cast<void>(shape_text(type.shape));
}

}  // namespace
}  // namespace ttscope::mem
