#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// Reads files of compiled modules (TTNN MLIR as text; docs/formats/ttnn_module.md), a rank each, as the
/// trace of running every program in them once: RuntimeTrace::source says that nothing ran. Fails where an
/// input cannot be read, or holds lines of a run as well (ErrorCode::kOtherKind); a text without a TTNN
/// function gives a trace without ranks.
Result<RuntimeTrace> read_ttnn_modules(const std::vector<std::string>& paths);

/// The same of a text that is at hand, which must stay as long as the trace; `path` is what it is called.
RuntimeTrace read_ttnn_module_text(const std::string& path, std::string_view text);

/// Fills in what the programs of the modules that a log printed would do, where its ranks have no ops of
/// their own. False if there is no TTNN module with a function in it; then the trace stays as it is.
bool run_printed_modules(RuntimeTrace& trace);

/// Fills ModuleDump::ops where a rank failed that printed no op lines: its modules say what it can have been
/// running.
void index_printed_modules(RuntimeTrace& trace);

}  // namespace ttscope::mem
