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
    Slot& slot = slots_[at];
    if (slot.next_id == 0) {
      texts_.push_back(bytes == Bytes::kCopy ? arena_.copy(text) : text);
      slot = {low, size()};
      return size() - 1;
    }
    if (slot.hash == low && texts_[slot.next_id - 1] == text) return slot.next_id - 1;
  }
}

void StringPool::grow() {
  const HugeVector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{});
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.next_id == 0) continue;
    std::size_t at = slot.hash & mask;
    while (slots_[at].next_id != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

}  // namespace ttscope
