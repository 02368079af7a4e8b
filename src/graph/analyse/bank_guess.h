#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// No memory is larger: what a damaged capture says above it is not computed with.
inline constexpr std::int64_t kLargestMemoryBytes = std::int64_t{1} << 50;

/// How many banks a memory has, from what interleaved buffers of known size take of a bank: a buffer that is
/// older than the capture has a size, and no share of a bank.
class BankGuess {
 public:
  /// A buffer_allocate or buffer_deallocate node.
  void learn(const BufferFacts& facts);
  /// What an interleaved buffer in pages of this size takes of a bank (derived); 0 where nothing tells.
  std::int64_t per_bank_bytes(const BufferFacts& facts, std::int64_t page_bytes) const;
  /// The number that the buffers leave, or of several the only one that a chip has; nothing where they allow
  /// more.
  std::optional<std::int64_t> banks(bool in_dram) const;

 private:
  struct Range {
    std::int64_t least = 1;
    std::int64_t most = 1 << 16;
  };
  /// Numbers of banks that chips have, the most usual first, as far as the buffers allow them.
  static std::vector<std::int64_t> known_banks(const Range& range, bool in_dram);

  Range dram_;
  Range l1_;
};

/// Bytes of a page of a tensor: a tile, or a row; 0 where type or layout are not known.
std::int64_t page_bytes_of(const GraphTrace& trace, const TensorFacts& tensor);

}  // namespace ttscope::graph
