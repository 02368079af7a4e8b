#include "record/arena.h"

#include <sys/mman.h>

#include <atomic>
#include <cstdint>

namespace ttscope::record {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

/// A block begins with how much of it is taken.
struct Block {
  std::atomic<std::size_t> taken;
};

std::atomic<Block*> current{nullptr};

void* map_pages(std::size_t bytes) {
  void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

}  // namespace

void* allocate_kept(std::size_t bytes) {
  constexpr std::size_t kAlignment = alignof(std::max_align_t);
  bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes > kBlockBytes / 4) return map_pages(bytes);
  for (;;) {
    Block* block = current.load(std::memory_order_acquire);
    if (block != nullptr) {
      const std::size_t at = block->taken.fetch_add(bytes, std::memory_order_relaxed);
      if (at + bytes <= kBlockBytes) return reinterpret_cast<char*>(block) + at;
    }
    auto* fresh = static_cast<Block*>(map_pages(kBlockBytes));
    if (fresh == nullptr) return nullptr;
    fresh->taken.store(kAlignment, std::memory_order_relaxed);
    if (!current.compare_exchange_strong(block, fresh, std::memory_order_acq_rel)) munmap(fresh, kBlockBytes);
  }
}

}  // namespace ttscope::record
