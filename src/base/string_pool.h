#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <string_view>
#include <vector>

namespace ttscope {

/// Owns copies of short texts in blocks, the first ones small: many arenas hold next to nothing. Views
/// returned by copy() stay valid as long as the arena lives, also when it is moved. Not thread safe.
class Arena {
 public:
  std::string_view copy(std::string_view text);

 private:
  static constexpr std::size_t kFirstBlockBytes = std::size_t{1} << 12;
  static constexpr std::size_t kMaxBlockBytes = std::size_t{1} << 18;

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_bytes_ = 0;
  std::size_t block_bytes_ = kFirstBlockBytes;  ///< of the next block
};

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

/// 64-bit hash used by every pool; exposed so that a worker thread can hash what another one interns.
std::uint64_t hash_text(std::string_view text);

/// Distinct texts numbered from 0 in order of first appearance. Not thread safe.
class StringPool {
 public:
  /// Whether the pool must copy the bytes or may point at them (they outlive the pool, e.g. a mapped file).
  enum class Bytes { kCopy, kBorrow };

  std::uint32_t intern(std::string_view text) { return intern(text, hash_text(text), Bytes::kCopy); }
  std::uint32_t intern(std::string_view text, std::uint64_t hash, Bytes bytes);

  /// Asks for the memory that intern() of this hash will look at; a reader does so some texts ahead.
  void prefetch(std::uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[static_cast<std::uint32_t>(hash) & (slots_.size() - 1)]);
  }
  /// Address space for so many texts; pages that are not used cost nothing.
  void reserve(std::size_t texts) { texts_.reserve(texts); }

  std::string_view operator[](std::uint32_t id) const { return texts_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  void grow();

  struct Slot {
    std::uint32_t hash = 0;     ///< low half: filters nearly all mismatches, and lets grow() rehash
    std::uint32_t next_id = 0;  ///< id + 1; 0: free
  };

  HugeVector<std::string_view> texts_;
  HugeVector<Slot> slots_;
  Arena arena_;
};

}  // namespace ttscope
