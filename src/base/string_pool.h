#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/huge_pages.h"

namespace ttscope {

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
