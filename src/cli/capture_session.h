#pragma once

#include <string>
#include <vector>

#include "app/captured_run.h"
#include "cli/command.h"

namespace ttscope::cli {

/// What the options of `ttscope run`, which `tt-memory-profiler MODEL.py` has too, ask for; the files are
/// called `usual_name` unless they are given a name.
app::CaptureRequest capture_request(const ParsedArgs& args, std::vector<std::string> command,
                                    const std::string& usual_name);

/// app::capture_command() on our terminal, with our environment.
app::CaptureOutcome capture_command(app::CaptureRequest request);

}  // namespace ttscope::cli
