#include "base/huge_pages.h"

#include <sys/mman.h>

#include <cstdlib>

namespace ttscope {

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

}  // namespace ttscope
