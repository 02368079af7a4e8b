#pragma once

#include <cstddef>
#include <limits>
#include <new>
#include <vector>

namespace ttscope {

/// Memory of `bytes` bytes, on huge pages where the system has them; throws std::bad_alloc.
void* allocate_huge(std::size_t bytes);
void free_huge(void* memory);

/// Large tables that are hit all over lose more time to address translation than to anything else. Small
/// ones are allocated as usual.
template <typename T>
struct HugePageAllocator {
  using value_type = T;
  static constexpr std::size_t kHugeFromBytes = std::size_t{4} << 20;

  HugePageAllocator() = default;
  template <typename U>
  // NOLINTNEXTLINE(google-explicit-constructor): containers convert
  HugePageAllocator(const HugePageAllocator<U>&) {}

  T* allocate(std::size_t count) {
    if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) throw std::bad_alloc();
    const std::size_t bytes = count * sizeof(T);
    return static_cast<T*>(bytes >= kHugeFromBytes ? allocate_huge(bytes) : ::operator new(bytes));
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) >= kHugeFromBytes) {
      free_huge(memory);
    } else {
      ::operator delete(memory);
    }
  }
  template <typename U>
  bool operator==(const HugePageAllocator<U>&) const {
    return true;
  }
};

/// A vector for tables of many megabytes.
template <typename T>
using HugeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace ttscope
