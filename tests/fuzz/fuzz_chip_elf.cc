// Executables for RISC-V, as the loader takes them.
#include "chip/build/compiler.h"
#include "fuzz/fuzz_target.h"

namespace ttscope {
namespace {

TTSCOPE_FUZZ_TARGET(chip_elf) {
  constexpr std::uint32_t kLimit = 1 << 20;
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const Result<chip::Image> image = chip::read_elf({bytes, text.size()}, kLimit);
  if (!image) return fuzz::require(!image.error().message.empty(), "an error says what is wrong");
  for (const chip::Segment& segment : image->segments) {
    fuzz::require(segment.address + segment.bytes.size() <= kLimit, "a segment lies in L1");
    fuzz::require(segment.bytes.size() <= text.size(), "a segment is in the file");
  }
}

}  // namespace
}  // namespace ttscope
