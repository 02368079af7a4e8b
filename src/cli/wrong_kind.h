#pragma once

#include <string>
#include <vector>

#include "app/subject.h"
#include "base/error.h"

namespace ttscope::cli {

/// Complains of inputs that a command of `subject` could do nothing with; the exit code. Inputs of another
/// kind are told what they are and which command reads them, else `error` stands.
int fail_reading(const Error& error, const std::vector<std::string>& paths, app::Subject subject);

}  // namespace ttscope::cli
