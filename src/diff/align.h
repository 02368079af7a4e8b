#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "diff/compared_run.h"
#include "diff/report.h"

namespace ttscope::diff {

/// How alike two items are that stand for each other.
enum class Similarity : std::uint8_t {
  kExact,  ///< place, name, shape, types and layouts
  kShape,  ///< name and shape
  kPlace,  ///< place and name: the shape is another one
  kName,   ///< name alone
};

/// An item of each run that are the same op. Indexes into ComparedRun::items.
struct ItemPair {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  Similarity similarity = Similarity::kExact;
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

/// How sure a pair is, from 0 to 1: by its similarity, and by its neighbors being pairs beside it.
double confidence_of(const ItemAlignment& alignment, std::size_t pair);

/// Which places of two sequences are the same, in ascending order on both sides.
using Matches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Keys of both sequences up to which the longest common subsequence is found in the time that reading takes.
inline constexpr std::size_t kExactItems = 20'000;

/// How many differences a search may cross at once so that it takes no longer than reading.
std::uint32_t affordable_edits(std::size_t items);

/// The longest common subsequence of two sequences of keys, in linear space (Myers). Where they differ in
/// more than about `max_edits` places, a good one instead of the longest, so that the time stays near length
/// * max_edits.
Matches common_subsequence(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                           std::uint32_t max_edits);

/// Places where the same stretch of keys begins that either sequence has only once, in ascending order on
/// both sides: of stretches that cross each other, as many as can stand. What long runs are held together by:
/// the search for a common sequence, cut short in long ones, would pair what is near before what belongs
/// together.
Matches unique_windows(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after);

/// Finds the ops of one report that are those of another one, of the same two runs, and fills DiffOp::beside
/// of both. Where no location stands in both, ops of the same family are put together in their order, if
/// most find a partner so.
JoinedOps join_ops(DiffReport& report, DiffReport& other);

/// What a compiler's op and the program that ran for it have in common: `binary` of `ttnn.add` and of
/// `BinaryNgDeviceOperation`, `matmul` of `ttnn.linear` and of `MatmulDeviceOperation`.
std::string op_family(std::string_view op);

}  // namespace ttscope::diff
