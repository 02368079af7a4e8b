#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/perf_problems.h"

namespace ttscope::perf {

/// The trust section of a report for the terminal: what is wrong with the files, how often, and the first
/// places. Empty when nothing is.
std::string perf_trust_text(const PerfProblems& problems);
/// The same without its heading.
std::string perf_problem_lines(const PerfProblems& problems);
/// How the times of devices came about: `measured`, or `modelled` of simulated chips.
inline std::string_view time_tag(const OpsReport& table) {
  return table.has_modelled_times() ? "modelled" : "measured";
}

/// One problem: how often, and what.
std::string perf_problem_text(const PerfProblems& problems, PerfProblem problem);
/// What the figures lack because files, rows or devices are not whole: for the headline; empty where nothing
/// is.
std::vector<std::string> lost_lines(const OpsReport& table, const ShownOps& ops);

/// One problem of a finished report: how often, what, and how much of it is in the window where that matters.
std::string report_problem_text(const OpsReport& table, const ShownOps& ops, ReportProblem problem);

}  // namespace ttscope::perf
