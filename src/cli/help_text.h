#pragma once

#include <string>

#include "cli/command.h"

namespace ttscope::cli {

/// `Usage: ttscope mem LOG... [options]`
std::string usage_line(const CommandSpec& spec);
/// The whole help of a command, at most 80 columns wide.
std::string help_text(const CommandSpec& spec);

}  // namespace ttscope::cli
