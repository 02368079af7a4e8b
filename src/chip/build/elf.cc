#include "chip/build/elf.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace ttscope::chip {

namespace {

constexpr std::size_t kHeaderBytes = 52;
constexpr std::size_t kProgramHeaderBytes = 32;
constexpr std::uint16_t kExecutable = 2;
constexpr std::uint16_t kRiscv = 243;
constexpr std::uint32_t kLoaded = 1;

/// Fields of a little-endian file; the caller has checked that they lie in it.
template <typename T>
T field(std::span<const std::uint8_t> bytes, std::size_t offset) {
  T value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

}  // namespace

Result<Image> read_elf(std::span<const std::uint8_t> file, std::uint32_t limit) {
  constexpr std::array<std::uint8_t, 6> kMagic = {0x7F, 'E', 'L', 'F', 1, 1};  // 32 bits, little-endian
  if (file.size() < kHeaderBytes || std::memcmp(file.data(), kMagic.data(), kMagic.size()) != 0) {
    return failure(bad_input("not a 32-bit little-endian ELF file"));
  }
  if (field<std::uint16_t>(file, 16) != kExecutable || field<std::uint16_t>(file, 18) != kRiscv) {
    return failure(bad_input("not an executable for RISC-V"));
  }
  Image image;
  image.entry = field<std::uint32_t>(file, 24);
  const std::uint64_t table = field<std::uint32_t>(file, 28);
  const std::uint64_t entry_bytes = field<std::uint16_t>(file, 42);
  const std::uint64_t count = field<std::uint16_t>(file, 44);
  if (count != 0 && (entry_bytes < kProgramHeaderBytes || table + count * entry_bytes > file.size())) {
    return failure(bad_input("the ELF file ends before its program headers"));
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::span<const std::uint8_t> header = file.subspan(table + i * entry_bytes, kProgramHeaderBytes);
    const std::uint64_t offset = field<std::uint32_t>(header, 4);
    const std::uint64_t address = field<std::uint32_t>(header, 12);
    const std::uint64_t bytes = field<std::uint32_t>(header, 16);
    if (field<std::uint32_t>(header, 0) != kLoaded || bytes == 0) continue;
    if (offset + bytes > file.size())
      return failure(bad_input(fmt::format("segment {} of the ELF file is cut", i)));
    if (address + bytes > limit) {
      return failure(bad_input(
          fmt::format("segment {} of the ELF file goes to {:#x}..{:#x}, outside of L1 ({:#x} bytes)", i,
                      address, address + bytes, limit)));
    }
    const auto from = file.subspan(offset, bytes);
    image.segments.push_back({static_cast<std::uint32_t>(address), {from.begin(), from.end()}});
  }
  return image;
}

}  // namespace ttscope::chip
