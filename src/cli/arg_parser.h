#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "cli/command.h"

namespace ttscope::cli {

/// Reads a command line; the error is what is wrong with it, for the user. `--help` wins over everything that
/// is missing.
tl::expected<ParsedArgs, std::string> parse_args(const CommandSpec& spec,
                                                 const std::vector<std::string>& args);

}  // namespace ttscope::cli
