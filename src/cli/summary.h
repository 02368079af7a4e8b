#pragma once

#include <string>
#include <string_view>

#include "cli/profile_run.h"

namespace ttscope::cli {

/// Rows of each table where the user names no number.
inline constexpr int kTopRows = 5;

/// The terminal summary, coloured and as wide as standard output is.
std::string summary_text(const mem::Profile& log, std::string_view color, int top, bool verbose = false);

/// The verdict again, for the end of what is printed.
std::string closing_text(const mem::Profile& log, std::string_view color);

/// Its verdict and peaks alone.
std::string brief_text(const mem::Profile& log);

}  // namespace ttscope::cli
