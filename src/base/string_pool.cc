#include "base/string_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ttscope {

std::uint64_t hash_text(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }

std::uint32_t StringPool::intern(std::string_view text, std::uint64_t hash, Bytes bytes) {
  if (texts_.size() * 2 >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  const auto high = static_cast<std::uint32_t>(hash >> 32);
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id_plus_1 == 0) {
      texts_.push_back(bytes == Bytes::kCopy ? arena_.copy(text) : text);
      hashes_.push_back(hash);
      slot = {high, static_cast<std::uint32_t>(texts_.size())};
      return slot.id_plus_1 - 1;
    }
    if (slot.hash_high == high && texts_[slot.id_plus_1 - 1] == text) return slot.id_plus_1 - 1;
  }
}

void StringPool::grow() {
  slots_.assign(slots_.empty() ? 64 : slots_.size() * 2, Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t id = 0; id < texts_.size(); ++id) {
    std::size_t at = hashes_[id] & mask;
    while (slots_[at].id_plus_1 != 0) at = (at + 1) & mask;
    slots_[at] = {static_cast<std::uint32_t>(hashes_[id] >> 32), id + 1};
  }
}

}  // namespace ttscope
