#pragma once

#include "diff/report.h"

namespace ttscope::diff {

/// Finds the ops of one report that are those of another one, of the same two runs, and fills DiffOp::beside
/// of both. Where no location stands in both, ops of the same family are put together in their order, if
/// most find a partner so.
JoinedOps join_ops(DiffReport& report, DiffReport& other);

}  // namespace ttscope::diff
