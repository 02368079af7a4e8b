#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "mem/model/runtime_trace.h"
#include "mem/read/runtime_log/trace_tables.h"
#include "mem/read/ttnn_module/compiled_module.h"

namespace ttscope::mem {

/// The results of const-eval functions that the modules of one rank have asked for, by what makes them equal.
struct ConstEvalResults {
  std::set<std::string> keys;
  std::uint32_t programs = 0;  ///< that ran
};

/// Where the ops of a module go.
struct ModuleRunTarget {
  RuntimeTrace& trace;
  TraceTables& tables;
  RankTrace& rank;
  ConstEvalResults& const_eval;
};

/// Appends to a rank what the runtime would print of running every program of a module once, after those that
/// the rank has run already: const-eval functions run where load_cached asks for them, a trace is captured,
/// calls are followed. Nothing of it ran; sizes and lifetimes are what the module says.
void append_module_run(const CompiledModule& module, const ModuleRunTarget& target);

}  // namespace ttscope::mem
