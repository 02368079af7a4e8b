#pragma once

#include <cstddef>

#include "diff/report.h"

namespace ttscope::diff {

/// By what ops of two reports were found to be the same.
enum class JoinBasis : std::uint8_t {
  kNone,
  kLocations,  ///< that a compiler gave them: the first of a location with the first
  kNames,      ///< what they are, and their order
};

struct JoinedOps {
  JoinBasis basis = JoinBasis::kNone;
  std::size_t count = 0;
};

/// Finds the ops of one report that are those of another one, of the same two runs, and fills DiffOp::beside
/// of both. Where no location stands in both, ops of the same family are put together in their order, if
/// most find a partner so.
JoinedOps join_ops(DiffReport& report, DiffReport& other);

}  // namespace ttscope::diff
