#pragma once

#include <string>
#include <string_view>

#include "cli/profile_run.h"

namespace ttscope::cli {

/// The terminal summary, coloured and as wide as standard output is.
std::string summary_text(const ProfiledLog& log, std::string_view color, int top);

/// Its verdict and peaks alone.
std::string brief_text(const ProfiledLog& log);

}  // namespace ttscope::cli
