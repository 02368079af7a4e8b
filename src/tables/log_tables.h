#pragma once

#include "mem/analyse/memory_profile.h"
#include "mem/model/runtime_trace.h"
#include "phases/model/phase_log.h"
#include "tables/table.h"

namespace ttscope::tables {

/// `ops`, `memory` (the states that were printed), `buffers` and `programs`.
ProfileTables runtime_tables(const mem::RuntimeTrace& trace, const mem::MemoryProfile& profile);
/// `phases` and `summaries`; figures that were not printed are NaN.
ProfileTables phase_tables(const phases::PhaseLog& log);

}  // namespace ttscope::tables
