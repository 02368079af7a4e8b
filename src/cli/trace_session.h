#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/trace/trace_session.h"
#include "base/result.h"
#include "capture/trace_plan.h"
#include "cli/command.h"

namespace ttscope::cli {

/// What the arguments of `ttscope trace` ask for, but for the live page; `plan` is made of the same ones.
app::TraceRequest trace_request(const ParsedArgs& args, capture::TracePlan plan);

/// The port of the live page, 0 for the next free one; by hand it is given as Tracy's web server is told.
Result<std::uint16_t> live_port(const ParsedArgs& args, const std::vector<std::string>& environment);

/// Runs what the arguments of `ttscope trace` say; the exit code.
int trace_program(const ParsedArgs& args);

/// Prints the commands that opt a shell in.
int print_trace_environment();

}  // namespace ttscope::cli
