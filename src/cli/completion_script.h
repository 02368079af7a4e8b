#pragma once

#include <string>
#include <string_view>

namespace ttscope::cli {

/// The script for bash, zsh or fish, made from the descriptions of all commands.
std::string completion_script(std::string_view shell);

}  // namespace ttscope::cli
