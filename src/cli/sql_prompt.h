#pragma once

#include <functional>
#include <string>

namespace ttscope::cli {

/// Asks for statements on the terminal until Ctrl-D, Esc on an empty line, `.quit` or a signal, and gives
/// each to `run`: a statement goes on over lines until its semicolon, under another mark, and Ctrl-C drops
/// it. A line that begins with a dot is given as it is. The arrow keys go through the lines that were typed
/// before, also in earlier sessions (sql_history in $TTMEM_HOME or ~/.ttmem). The exit code.
int run_sql_prompt(const std::function<void(const std::string&)>& run);

}  // namespace ttscope::cli
