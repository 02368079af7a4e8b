#pragma once

#include <cstdint>
#include <vector>

#include "mem/model/runtime_trace.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// An op that a runtime log and a timeline both name.
struct SharedOp {
  std::uint32_t line = 0;  ///< of the log
  std::int64_t time_ns = 0;
};

/// Ops in order of both: by the compiler's location of each op, which the host says in a message before it
/// runs it
/// (`MLIR_OP_LOCATION;loc("...")`), else by their names in the host's messages, else by those of a device's
/// ops.
std::vector<SharedOp> shared_ops(const mem::RuntimeTrace& trace, const mem::RankTrace& rank,
                                 const timeline::Timeline& timeline);

}  // namespace ttscope::app
