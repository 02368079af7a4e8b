#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ttscope::cli {

/// The words of a typed line, by the quoting rules of shells and nothing else of them: '...' as it is, "..."
/// with \" and \\, a backslash for one character. `$`, `*`, `;` and `~` mean nothing.
Result<std::vector<std::string>> split_arguments(const std::string& line);

/// The path that an answer means: as it was typed where that exists, else without blanks around it, else
/// without the quotes that terminals put around a file that is dropped on them.
std::string meant_path(const std::string& answer);

}  // namespace ttscope::cli
