#include "chip/machine/windows.h"

#include <cstring>

namespace ttscope::chip {

namespace {

/// A row of windows of one size.
struct WindowRow {
  std::uint32_t first;
  std::uint32_t count;
  std::uint64_t start;
  std::uint32_t size_bits;
};
constexpr WindowRow kWormholeRows[] = {{0, 156, 0, 20}, {156, 10, 0x9C00000, 21}, {166, 20, 0xB000000, 24}};
constexpr WindowRow kBlackholeRows[] = {{0, 202, 0, 21}};

}  // namespace

std::optional<Windows::Target> Windows::target(std::uint64_t offset) const {
  const bool wormhole = arch_ == Arch::kWormhole;
  const WindowRow* rows = wormhole ? kWormholeRows : kBlackholeRows;
  const int count = wormhole ? 3 : 1;
  for (int i = 0; i < count; ++i) {
    const WindowRow& row = rows[i];
    if (offset < row.start || (offset - row.start) >> row.size_bits >= row.count) continue;
    const std::uint64_t index = row.first + ((offset - row.start) >> row.size_bits);
    const std::uint64_t size = std::uint64_t{1} << row.size_bits;
    const std::uint64_t low = (offset - row.start) & (size - 1);
    Target found;
    found.left_bytes = size - low;
    if (wormhole) {
      const std::uint64_t config = std::uint64_t{words_[2 * index + 1]} << 32 | words_[2 * index];
      const std::uint32_t address_bits = 36 - row.size_bits;
      found.address = (config & ((std::uint64_t{1} << address_bits) - 1)) << row.size_bits | low;
      found.coordinate = {static_cast<std::uint32_t>(config >> address_bits & 63),
                          static_cast<std::uint32_t>(config >> (address_bits + 6) & 63)};
    } else {
      const std::uint32_t high = words_[3 * index + 1];
      found.address =
          std::uint64_t{words_[3 * index]} << row.size_bits | std::uint64_t{high & 0x7FF} << 53 | low;
      found.coordinate = {high >> 11 & 63, high >> 17 & 63};
    }
    return found;
  }
  return std::nullopt;
}

bool Windows::write_config(std::uint64_t offset, const void* from, std::uint32_t bytes) {
  if (offset % 4 != 0 || bytes % 4 != 0 || bytes > kConfig + sizeof(words_) - offset) return false;
  std::memcpy(reinterpret_cast<char*>(words_.data()) + (offset - kConfig), from, bytes);
  return true;
}

bool Windows::read_config(std::uint64_t offset, void* to, std::uint32_t bytes) const {
  if (bytes > kConfig + sizeof(words_) - offset) return false;
  std::memcpy(to, reinterpret_cast<const char*>(words_.data()) + (offset - kConfig), bytes);
  return true;
}

}  // namespace ttscope::chip
