#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope serve`: the library of reports as a page in the browser.
CommandSpec serve_spec();
int run_serve(const ParsedArgs& args);

/// `ttmem serve`: the same, with the name of a report to open.
CommandSpec ttmem_serve_spec();
int run_ttmem_serve(const ParsedArgs& args);

/// Serves the library of reports until Ctrl-C and prints the address of a report in it (empty: of the list);
/// for other commands. Returns the exit code.
int serve_library(const std::string& report);

/// The built library page.
std::string_view library_page();
/// The built page around a report.
std::string_view frame_page();

}  // namespace ttscope::cli
