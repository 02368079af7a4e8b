#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// Reads files of compiled modules (TTNN MLIR as text; docs/formats/ttnn_module.md), a rank each, as the
/// trace of running every program in them once: RuntimeLog::source says that nothing ran. Fails where an
/// input cannot be read, or holds lines of a run as well (ErrorCode::kOtherKind); a text without a TTNN
/// function gives a trace without ranks.
Result<RuntimeLog> read_ttnn_modules(const std::vector<std::string>& paths);

/// The same of a text that is at hand, which must stay as long as the trace; `path` is what it is called.
RuntimeLog read_ttnn_module_text(const std::string& path, std::string_view text);

/// Fills in what the programs of the modules that a log printed would do, where its ranks have no ops of
/// their own. False if there is no TTNN module with a function in it; then the trace stays as it is.
bool run_printed_modules(RuntimeLog& log);

/// Fills ModuleDump::ops where a rank failed that printed no op lines: its modules say what it can have been
/// running.
void index_printed_modules(RuntimeLog& log);

}  // namespace ttscope::mem

namespace ttscope::io {

struct Beginning;

}  // namespace ttscope::io

namespace ttscope::mem {

/// A compiled module: text that begins as MLIR does, in which the TTNN dialect is used, and no line of a run.
bool is_ttnn_module(const io::Beginning& beginning);

/// A part of a text that holds functions of a TTNN module, whatever is around them.
bool has_ttnn_module(std::string_view text);

/// The lines of one TTNN module in a text.
struct ModuleSection {
  std::vector<std::string_view> lines;  ///< without what tools write before them; none is left out
  std::uint32_t first_line = 1;         ///< of lines[0]
  bool is_pass_dump = false;            ///< `IR Dump After ...`: the next one may be of the same program
  bool is_module = false;               ///< not a single function
};

/// The TTNN modules of a text that is nothing else, or has them without a header of TT-XLA: files of the
/// compiler, several one after the other, `// -----` between them, or the IR after every pass, of which the
/// last TTNN stage of each program is taken. Stages of other dialects are left out. The sections point into
/// the text.
std::vector<ModuleSection> find_modules(std::string_view text);

}  // namespace ttscope::mem
