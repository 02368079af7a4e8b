#pragma once

#include <string>

namespace ttscope::cli {

/// Whether questions can be asked: standard input and output are a terminal.
bool can_ask();

/// The guided flow of `ttmem`. Returns the exit code.
int run_menu();

/// After `ttmem LOG`: the question whether to serve the report, on a terminal only. Returns the exit code.
int ask_to_serve(const std::string& report);

}  // namespace ttscope::cli
