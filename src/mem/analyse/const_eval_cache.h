#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "mem/analyse/buffer_pool.h"

namespace ttscope::mem {

/// The runtime's cache of const-eval results: it owns its entries until they are replaced.
class ConstEvalCache {
 public:
  explicit ConstEvalCache(const RankTrace& rank) {
    for (const auto& [op, hash] : rank.cache_keys) hash_of_op_[op] = hash;
  }

  /// The hash when the runtime prints it, else the function's name within the outermost graph.
  std::uint64_t key(std::uint32_t op, std::uint32_t callee, std::uint32_t outermost_graph) const {
    const auto found = hash_of_op_.find(op);
    if (found != hash_of_op_.end()) return found->second;
    return (std::uint64_t{outermost_graph} + 1) << 32 | callee;
  }

  /// Results by position, kNone for host tensors; null when the entry was never seen.
  const std::vector<std::uint32_t>* find(std::uint64_t key) const {
    const auto found = entries_.find(key);
    return found == entries_.end() ? nullptr : &found->second;
  }

  /// Of what is on the device and no argument of a program.
  std::int64_t bytes_per_bank(const BufferPool& pool) const;
  /// Another process: its cache is empty.
  void forget() { entries_.clear(); }

  void store(BufferPool& pool, std::uint64_t key, const std::vector<std::uint32_t>& entry);

 private:
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> entries_;
  std::unordered_map<std::uint32_t, std::uint32_t> hash_of_op_;
};

}  // namespace ttscope::mem
