#pragma once

#include <cstdint>
#include <vector>

#include "diff/run.h"

namespace ttscope::diff {

/// How alike two items are that stand for each other.
enum class Likeness : std::uint8_t {
  kExact,  ///< place, name, shape, types and layouts
  kShape,  ///< name and shape
  kPlace,  ///< place and name: the shape is another one
  kName,   ///< name alone
};

/// An item of each run that are the same op. Indexes into ComparedRun::items.
struct ItemPair {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  Likeness likeness = Likeness::kExact;
  bool is_moved = false;  ///< the op only changed its place in the order
};

/// What stands between two pairs that follow each other on both sides: `removed` became `added`.
struct Replacement {
  std::vector<std::uint32_t> removed;
  std::vector<std::uint32_t> added;
};

struct ItemAlignment {
  std::vector<ItemPair> pairs;  ///< by the item of the later run
  std::vector<std::uint32_t> removed;
  std::vector<std::uint32_t> added;
  std::vector<Replacement> replacements;  ///< all of both, stretch by stretch
};

/// Finds out which items of two runs stand for each other: inserted, removed, repeated and moved items are
/// tolerated. Only items of one name are pairs.
ItemAlignment align_runs(const ComparedRun& before, const ComparedRun& after);

/// How sure a pair is, from 0 to 1: by its likeness, and by its neighbours being pairs beside it.
double confidence_of(const ItemAlignment& alignment, std::size_t pair);

}  // namespace ttscope::diff
