#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "serve/handed_files.h"

namespace ttscope::serve {

/// Runs a program (its path, the name it is called by, its arguments) and waits for it; the error is what it
/// said last on standard error. A log is profiled in a process of its own: one that cannot be read, shrinks
/// while it is read or needs all memory ends that process alone, and its memory is given back. Ended early,
/// with SIGTERM first, when `is_stopping` says so.
/// It works in the folder of `handed` and gets those descriptors, under their numbers, beside the usual
/// three; `good_code` is an exit code beside 0 that is no failure.
Result<void> run_child(const std::vector<std::string>& command, const HandedFiles& handed,
                       const std::function<bool()>& is_stopping, int good_code = 0);

}  // namespace ttscope::serve
