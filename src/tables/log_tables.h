#pragma once

#include "analysis/memory/memory_profile.h"
#include "model/phase_log.h"
#include "model/runtime_trace.h"
#include "tables/table.h"

namespace ttscope::tables {

/// `ops`, `memory` (the states that were printed), `buffers` and `programs`.
ProfileTables runtime_tables(const RuntimeTrace& trace, const analysis::MemoryProfile& profile);
/// `phases` and `summaries`; figures that were not printed are NaN.
ProfileTables phase_tables(const PhaseLog& log);

}  // namespace ttscope::tables
