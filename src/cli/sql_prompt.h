#pragma once

#include <functional>
#include <string>

namespace ttscope::cli {

/// Asks for lines on the terminal until Ctrl-D, Esc on an empty line, `.quit` or a signal, and gives each to
/// `run`. The arrow keys go through what was typed before, also in earlier sessions (sql_history in
/// $TTMEM_HOME or ~/.ttmem). The exit code.
int run_sql_prompt(const std::function<void(const std::string&)>& run);

}  // namespace ttscope::cli
