#pragma once

#include <unordered_set>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The tables that embeddings look rows up in: they need rows of bf16, so block formats, which only tiles
/// have, are not for them, nor for the weights that they are made of.
class EmbeddingTables {
 public:
  EmbeddingTables(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank);

  bool has(const Buffer& buffer) const;

 private:
  std::unordered_set<std::uint32_t> arguments_;  ///< in MemoryProfile::arguments
  std::unordered_set<std::uint32_t> types_;      ///< of tables that are no arguments themselves
};

}  // namespace ttscope::mem
