#pragma once

#include <vector>

#include "cli/command.h"
#include "cli/perf_outputs.h"
#include "perf/load.h"

namespace ttscope::cli {

/// The exit code where a profile shows nothing; where the host alone was recorded, it is said which command
/// reads that.
int no_ops_found(const perf::Profile& profile);

/// The options of the reading part of `ttscope perf`.
std::vector<OptionSpec> perf_reading_options();
/// Whether any of them asks for a reading.
bool wants_perf_reading(const ParsedArgs& args);
/// Whether the terminal gets colours.
bool perf_color(const ParsedArgs& args);
/// Columns for tables: what the shell says, what the terminal has, or a usual width where there is none.
std::size_t perf_table_width();
/// Colours and width.
perf::PerfTableOptions perf_table_form(const ParsedArgs& args);
/// What they ask for; false and a complaint where a value is none.
bool read_perf_reading(const ParsedArgs& args, PerfReadingRequest& request);
/// Finds out what the rows of a profile mean, and writes table, CSV, JSON, markdown and page of it; the exit
/// code.
int run_perf_reading(const ParsedArgs& args, const PerfReadingRequest& request,
                     const perf::CaptureOptions& capture, perf::Profile& profile);

}  // namespace ttscope::cli
