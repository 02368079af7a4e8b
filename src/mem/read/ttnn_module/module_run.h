#pragma once

#include "mem/model/runtime_trace.h"
#include "mem/read/runtime_log/trace_tables.h"
#include "mem/read/ttnn_module/compiled_module.h"

namespace ttscope::mem {

/// Appends to a rank what the runtime would print of running every program of a module once, on a device that has
/// run nothing of it before: const-eval functions run where load_cached asks for them, a trace is captured, calls
/// are followed. Nothing of it ran; sizes and lifetimes are what the module says.
void append_module_run(const CompiledModule& module, RuntimeTrace& trace, TraceTables& tables, RankTrace& rank);

}  // namespace ttscope::mem
