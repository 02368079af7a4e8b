#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace ttscope::timeline {

/// A .tracy file of this content, in LZ4 blocks of literals alone: its bytes are stored as they are.
inline std::string stored_in_blocks(std::string_view content) {
  constexpr std::size_t kBlockBytes = 65536;
  std::string file("tlZ\x04");
  for (; !content.empty(); content.remove_prefix(std::min(kBlockBytes, content.size()))) {
    const std::string_view block = content.substr(0, kBlockBytes);
    std::string packed(1, block.size() < 15 ? static_cast<char>(block.size() << 4) : '\xF0');
    if (block.size() >= 15) {
      std::size_t left = block.size() - 15;
      for (; left >= 255; left -= 255) packed += '\xFF';
      packed += static_cast<char>(left);
    }
    packed += block;
    const auto size = static_cast<std::uint32_t>(packed.size());
    file.append(reinterpret_cast<const char*>(&size), sizeof(size));
    file += packed;
  }
  return file;
}

}  // namespace ttscope::timeline
