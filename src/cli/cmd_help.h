#pragma once

#include <string>

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope help`: what there is.
CommandSpec help_spec();
int run_help(const ParsedArgs& args);

/// The list of commands.
std::string overview_text();
/// Prints name and version.
int print_version();

}  // namespace ttscope::cli
