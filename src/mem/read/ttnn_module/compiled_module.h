#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/runtime_trace.h"
#include "mem/read/runtime_log/trace_tables.h"

namespace ttscope::mem {

/// One op of a function, its text as the runtime would print it.
struct CompiledOp {
  std::uint32_t text = kNone;  ///< in RuntimeTrace::op_texts
  std::uint32_t loc = kNone;   ///< in RuntimeTrace::locs
  std::uint32_t line = 0;
};

/// What a function is for, where the compiler says it (`tt.function_type`) or its place and name do.
enum class FunctionUse : std::uint8_t {
  kProgram,    ///< can be run from outside
  kConstEval,  ///< run by load_cached
  kCalled,     ///< by trace ops, or private
  kElsewhere,  ///< on the host, or a kernel
};

struct CompiledFunction {
  std::string name;  ///< without `@`
  FunctionUse use = FunctionUse::kProgram;
  std::vector<CompiledOp> ops;
  IdRange returned;  ///< name ids in RuntimeTrace::id_lists
  std::uint32_t line = 0;
  std::uint32_t end_line = 0;  ///< 0: the text ends inside it
  bool has_body = false;
};

/// The device functions of a TTNN module with their ops in order.
struct CompiledModule {
  std::vector<CompiledFunction> functions;
  /// Deallocating an argument frees nothing: the runtime's caller keeps it. True of all but the modules of
  /// before October 2025, whose layouts are written out in every type.
  bool retains_arguments = true;
  /// Results of const-eval that depend on no argument are found by other programs too; before December 2025
  /// every program had a cache of its own.
  bool shares_const_eval = true;
  bool is_cut = false;  ///< the text ends inside a function
};

/// Reads the functions of a dumped module, in the pretty or the generic form: aliases are written out and
/// large constants left out, as in op lines. Arguments are added to `dump.functions` where it has none. Texts
/// that are no ops are counted in the trace's problems.
CompiledModule read_compiled_module(ModuleDump& dump, RuntimeTrace& trace, TraceTables& tables);

}  // namespace ttscope::mem
