#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/shown_ops.h"
#include "perf/model/notes.h"

namespace ttscope::perf {

/// A note as a sentence. Where tt-perf-report says the same, in its words: other tools match them.
std::string note_text(const OpNote& note);
/// The names of the input that the sentence holds, as they stand in it.
std::vector<std::string> names_in(const OpNote& note);
/// What is said of a capture none of whose rows belongs to an op.
std::string_view no_op_ids_text();

/// The trust section of a report for the terminal: what is wrong with the files, how often, and the first
/// places. Empty when nothing is.
std::string perf_trust_text(const PerfProblems& problems);
/// The same without its heading.
std::string perf_problem_lines(const PerfProblems& problems);

/// How the times of devices came about: `measured`, or `modeled` of simulated chips.
inline std::string_view time_tag(const OpsReport& table) {
  return table.has_modeled_times() ? "modelled" : "measured";
}

/// One problem: how often, and what.
std::string perf_problem_text(const PerfProblems& problems, PerfProblem problem);
/// What the figures lack because files, rows or devices are not whole: for the headline; empty where nothing
/// is.
std::vector<std::string> lost_lines(const OpsReport& table, const ShownOps& ops);

/// One problem of a finished report: how often, what, and how much of it is in the window where that matters.
std::string report_problem_text(const OpsReport& table, const ShownOps& ops, ReportProblem problem);

}  // namespace ttscope::perf
