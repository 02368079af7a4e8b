#pragma once

#include <string>

namespace ttscope::cli {

/// Whether questions can be asked: standard input and output are a terminal.
bool can_ask();

/// The guided flow of `ttmem`. Returns the exit code.
int run_menu();

/// After `ttmem LOG`: the question whether to serve the report, on a terminal only. Returns the exit code.
int ask_to_serve(const std::string& report);

/// A question on the terminal, answered with no when it is left. Only where can_ask().
bool ask_yes_or_no(const std::string& question);

}  // namespace ttscope::cli
