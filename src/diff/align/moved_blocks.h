#pragma once

#include <cstdint>
#include <vector>

namespace ttscope::diff {

/// One side of two sequences that are being paired.
struct PairedSide {
  const std::vector<std::uint32_t>& keys;
  const std::vector<std::uint32_t>& partners;  ///< places on the other side; kNone: none yet
};

/// The same keys in a row on both sides, none of which has a partner.
struct MovedBlock {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint32_t length = 0;
};

/// Blocks that only changed their place: longest first, of equal ones that which moved least. They may
/// overlap. A single key counts only where neither side has another of it.
std::vector<MovedBlock> moved_blocks(const PairedSide& before, const PairedSide& after);

}  // namespace ttscope::diff
