#include "base/string_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ttscope {

std::uint64_t hash_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint32_t StringPool::intern(std::string_view text, std::uint64_t hash, Bytes bytes) {
  if (texts_.size() * 4 >= slots_.size() * 3) grow();
  const std::size_t mask = slots_.size() - 1;
  const auto low = static_cast<std::uint32_t>(hash);
  for (std::size_t at = low & mask;; at = (at + 1) & mask) {
    const std::uint32_t id = slots_[at] - 1;
    if (slots_[at] == 0) {
      texts_.push_back(bytes == Bytes::kCopy ? arena_.copy(text) : text);
      hashes_.push_back(low);
      slots_[at] = size();
      return size() - 1;
    }
    if (hashes_[id] == low && texts_[id] == text) return id;
  }
}

void StringPool::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, 0);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    std::size_t at = hashes_[id] & mask;
    while (slots_[at] != 0) at = (at + 1) & mask;
    slots_[at] = id + 1;
  }
}

}  // namespace ttscope
