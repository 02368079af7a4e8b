#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Whole tensors live at one moment, as a file says.
struct RecordedTotals {
  std::int64_t logical_bytes = 0;
  std::int64_t padded_bytes = 0;
  std::uint32_t tensors = 0;
};

/// What the files of a run say about an op beside what a log would.
struct RecordedOp {
  std::array<RecordedTotals, kTensorMemoryCount> live_before{};
  PerTensorMemory own_growth{};  ///< bytes per bank
  bool has_own_growth = false;
  bool own_growth_measured = false;
  bool is_weight_op = false;
};

/// An entry of the registry of inputs and weights.
struct RecordedArgument {
  std::uint32_t ssa = kNone;  ///< in RuntimeLog::names
  std::string name;
  ArgumentRole role = ArgumentRole::kUnknown;
  std::vector<std::int64_t> shape;
  std::string dtype;
  std::int64_t bytes = 0;
  std::uint32_t same_as = kNone;
  std::optional<bool> counted;  ///< one of the distinct weights; absent in files that do not say
  bool kv_cache = false;
  bool role_from_flow = false;
  std::vector<std::string> const_eval_graphs;
};

/// The modules of one compilation.
struct RecordedModules {
  std::vector<std::string> programs;   ///< that were made from it; empty: not said
  std::vector<std::uint32_t> modules;  ///< in RuntimeLog::modules
};

/// Which files of a run there are, and what they hold.
struct RecordedFiles {
  std::vector<std::string> absent_files;  ///< names of those that are not there
  bool has_operations = false;            ///< the file of operations is there
  bool has_registry = false;
  bool has_arguments = false;  ///< the registry names inputs or weights
  bool has_modules_file = false;
  bool has_modules = false;     ///< and it holds a module
  bool has_totals = false;      ///< live totals are recorded, and not all of them 0
  bool has_lines = false;       ///< lines of the log are recorded
  bool has_programs = false;    ///< programs are recorded, not const-eval alone
  bool modeled_memory = false;  ///< the log had no memory lines: all states are modeled
};

/// A run as the files of its report folder tell it. Deallocations are not in them: the trace has the recorded
/// ops only, so nothing can be said about lifetimes.
struct RecordedRun : RecordedFiles {
  RuntimeLog log;
  std::vector<std::vector<RecordedOp>> ops;  ///< [rank][op]
  std::vector<RecordedArgument> arguments;
  std::vector<RecordedModules> compilations;
};

}  // namespace ttscope::mem
