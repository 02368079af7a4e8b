#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"

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

  std::string_view operator[](std::uint32_t id) const { return texts_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(texts_.size()); }

 private:
  void grow();

  std::vector<std::string_view> texts_;
  std::vector<std::uint32_t>
      hashes_;  ///< low half of each hash: filters nearly all mismatches, and lets grow() rehash
  std::vector<std::uint32_t> slots_;  ///< id + 1; 0: free
  Arena arena_;
};

}  // namespace ttscope
