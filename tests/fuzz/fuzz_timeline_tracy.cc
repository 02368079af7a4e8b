// A capture of the Tracy profiler. What is behind the magic is also taken as the content itself, in blocks
// that are stored as they are: most changes of packed bytes end in the packing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "fuzz/fuzz_target.h"
#include "fuzz/timeline_rules.h"
#include "timeline/read/tracy/tracy_reader.h"

namespace ttscope::timeline {
namespace {

void check(std::string_view file) {
  Result<Timeline> read = read_tracy(file, "x.tracy");
  if (!read) return;
  fuzz::check_zones(*read);
  fuzz::check_sums(std::move(*read));
}

/// LZ4 blocks of literals alone.
std::string stored(std::string_view content) {
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

TTSCOPE_FUZZ_TARGET(timeline_tracy) {
  check(text);
  check(stored(text));
}

}  // namespace
}  // namespace ttscope::timeline
