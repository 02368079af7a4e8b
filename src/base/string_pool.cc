#include "base/string_pool.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace ttscope {

std::string_view Arena::copy(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > kMaxBlockBytes / 4) {  // a block of its own, so that the current one is not wasted
    blocks_.push_back(std::make_unique<char[]>(text.size()));
    std::memcpy(blocks_.back().get(), text.data(), text.size());
    return {blocks_.back().get(), text.size()};
  }
  if (text.size() > room_bytes_) {
    while (block_bytes_ < 4 * text.size()) block_bytes_ *= 2;
    blocks_.push_back(std::make_unique<char[]>(block_bytes_));
    next_ = blocks_.back().get();
    room_bytes_ = block_bytes_;
    block_bytes_ = std::min(2 * block_bytes_, kMaxBlockBytes);
  }
  char* place = next_;
  std::memcpy(place, text.data(), text.size());
  next_ += text.size();
  room_bytes_ -= text.size();
  return {place, text.size()};
}

void* allocate_huge(std::size_t bytes) {
  constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;
  if (bytes > std::numeric_limits<std::size_t>::max() - kHugePageBytes) throw std::bad_alloc();
  const std::size_t whole = (bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
  void* const memory = std::aligned_alloc(kHugePageBytes, whole);
  if (memory == nullptr) throw std::bad_alloc();
  ::madvise(memory, whole, MADV_HUGEPAGE);  // a wish: without it the memory is the same, only slower
  return memory;
}

void free_huge(void* memory) { std::free(memory); }

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
