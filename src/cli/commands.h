#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/report_library.h"
#include "cli/command_line.h"

namespace ttscope::cli {

/// The commands of `ttscope`, in the order of the help. A new one is a file pair and a line in commands.cc.
const std::vector<Command>& all_commands();
/// Null if there is none of that name.
const Command* find_command(std::string_view name);

/// The commands that users type under their own names: `ttmem`, `tt-memory-profiler`, `analyze_memory`.
const std::vector<Command>& other_programs();

/// The commands of `ttmem`; any other first argument is a log.
const std::vector<Command>& ttmem_commands();

/// Parses and runs: help and usage errors are dealt with here.
int run_command(const Command& command, const std::vector<std::string>& args);

/// Runs the program that `name` stands for (`ttscope`, `ttmem`, `tt-memory-profiler`, `analyze_memory`; a
/// path is reduced to its last part) and returns the exit code.
int run_program(const std::string& name, const std::vector<std::string>& args);

/// `tt-memory-profiler` with all its modes: a script to run, or what cmd_analyze.h does.
CommandSpec profiler_spec();
int run_profiler(const ParsedArgs& args);

/// `ttscope agents`: the instructions for language models.
CommandSpec agents_spec();
int run_agents(const ParsedArgs& args);

/// `tt-memory-profiler`: the report folder under the name that users know.
CommandSpec analyze_spec();
int run_analyze(const ParsedArgs& args);

/// How much is printed of a report: the summary and the files, or verdict, peaks and the page.
enum class ReportText { kFull, kBrief };

/// Writes the report folder of a log into `base` (empty: the library of reports) and prints the summary.
Result<app::ReportFolder> report_on_log(const std::string& log_path, const std::string& base,
                                        ReportText form);
/// The same as a command, in full: complains, and returns the exit code.
int analyze_log(const std::string& log_path, const std::string& base);

/// `analyze_memory`: stands in for tt-train's script of that name, with its options, texts and exit codes.
CommandSpec analyze_memory_spec();
int run_analyze_memory(const std::vector<std::string>& args);

/// `ttscope completion`: completion scripts for shells.
CommandSpec completion_spec();
int run_completion(const ParsedArgs& args);

/// `ttmem delete NAME...`: reports of the library by name.
CommandSpec delete_spec();
int run_delete(const ParsedArgs& args);

/// `ttmem prune`: the reports of the library that are old.
CommandSpec prune_spec();
int run_prune(const ParsedArgs& args);

/// `ttscope demo`: the whole tour on the sample log.
CommandSpec demo_spec();
int run_demo(const ParsedArgs& args);

/// `ttscope diff`: what changed from one run to another, and why.
CommandSpec diff_spec();
int run_diff(const ParsedArgs& args);

/// `ttscope doctor`: what a run in this environment will produce.
CommandSpec doctor_spec();
int run_doctor(const ParsedArgs& args);

CommandSpec export_spec();
int run_export(const ParsedArgs& args);

/// `ttscope fit`: whether a run fits a device, and what would make it fit.
CommandSpec fit_spec();
int run_fit(const ParsedArgs& args);

/// `ttscope gate`: holds a run against a budgets file, for CI.
CommandSpec gate_spec();
int run_gate(const ParsedArgs& args);

/// `ttscope graph`: memory of ttnn graph captures.
CommandSpec graph_spec();
int run_graph(const ParsedArgs& args);

/// `ttscope help`: what there is.
CommandSpec help_spec();
int run_help(const ParsedArgs& args);

/// The list of commands.
std::string overview_text();
/// Prints name and version.
int print_version();

/// `ttscope last-run`: a log cut down to its last run.
CommandSpec last_run_spec();
int run_last_run(const ParsedArgs& args);

/// `ttmem list`: the reports in the library, newest first.
CommandSpec list_spec();
int run_list(const ParsedArgs& args);

/// `ttscope mem`: the memory profile of runtime logs.
CommandSpec mem_spec();
int run_mem(const ParsedArgs& args);

/// `ttscope oom`: why a run had no memory left.
CommandSpec oom_spec();
int run_oom(const ParsedArgs& args);

/// `ttscope perf`: the ops report of profiler files, and its reading.
CommandSpec perf_spec();
int run_perf(const ParsedArgs& args);

CommandSpec phases_spec();
int run_phases(const ParsedArgs& args);

/// `ttscope run`: a program under capture.
CommandSpec run_spec();
int run_run(const ParsedArgs& args);

/// `ttscope serve`: the library of reports as a page in the browser.
CommandSpec serve_spec();
int run_serve(const ParsedArgs& args);

/// `ttmem serve`: the same, with the name of a report to open.
CommandSpec ttmem_serve_spec();
int run_ttmem_serve(const ParsedArgs& args);

/// Serves the library of reports until Ctrl-C and prints the address of a report in it (empty: of the list);
/// for other commands. Returns the exit code.
int serve_library(const std::string& report);

/// The built library page.
std::string_view library_page();
/// The built page around a report.
std::string_view frame_page();

CommandSpec sql_spec();
int run_sql(const ParsedArgs& args);

/// `ttscope tail`: the status line of a log that another program writes.
CommandSpec tail_spec();
int run_tail(const ParsedArgs& args);

CommandSpec timeline_spec();
int run_timeline(const ParsedArgs& args);

/// `ttscope trace [options] [-m module | script | program] args...`: runs a program under the profiler and
/// leaves its reports.
CommandSpec trace_spec();
int run_trace(const ParsedArgs& args);

/// `ttmem`: the markdown report and the report folder under the name that users know.
CommandSpec ttmem_spec();
int run_ttmem(const ParsedArgs& args);

}  // namespace ttscope::cli
