#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/report_library.h"
#include "cli/command_line.h"

namespace ttscope::cli {

/// The commands of `ttscope`, in the order of the help. A new one is a function below and a line in
/// commands.cc.
const std::vector<Command>& all_commands();
/// Null if there is none of that name.
const Command* find_command(std::string_view name);

/// The commands that users type under their own names: `ttmem`, `tt-memory-profiler`, `analyze_memory`.
const std::vector<Command>& other_programs();

/// The commands of `ttmem`; any other first argument is a log.
const std::vector<Command>& ttmem_commands();

/// Runs the program that `name` stands for (`ttscope`, `ttmem`, `tt-memory-profiler`, `analyze_memory`; a
/// path is reduced to its last part) and returns the exit code.
int run_program(const std::string& name, const std::vector<std::string>& args);

// commands/mem.cc, fit.cc, phases.cc, perf.cc, timeline.cc, graph.cc
Command mem_command();
Command oom_command();
Command fit_command();
Command phases_command();
Command perf_command();
Command timeline_command();
Command graph_command();
/// tt-train's script of that name, with its options, texts and exit codes.
Command analyze_memory_command();

// commands/diff.cc, tables.cc
Command diff_command();
Command gate_command();
Command sql_command();
Command export_command();

// commands/run.cc, logs.cc
Command run_command();
Command trace_command();
Command doctor_command();
Command tail_command();
Command last_run_command();

// commands/serve.cc, library.cc, ttmem.cc
Command serve_command();
Command ttmem_serve_command();
Command list_command();
Command delete_command();
Command prune_command();
Command ttmem_command();
Command profiler_command();

// commands/help.cc
Command demo_command();
Command agents_command();
Command completion_command();
Command help_command();

/// The list of commands.
std::string overview_text();
/// Prints name and version.
int print_version();

/// How much is printed of a report: the summary and the files, or verdict, peaks and the page.
enum class ReportText { kFull, kBrief };

/// Writes the report folder of a log into `base` (empty: the library of reports) and prints the summary.
Result<app::ReportFolder> report_on_log(const std::string& log_path, const std::string& base,
                                        ReportText form);

/// The built library page.
std::string_view library_page();
/// The built page around a report.
std::string_view frame_page();

}  // namespace ttscope::cli
