#include "perf/write/words/perf_trust.h"

#include "base/text_escape.h"
#include "report/number_text.h"

namespace ttscope::perf {

std::string perf_problem_lines(const PerfProblems& problems) {
  std::string text;
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    if (problems.count(problem) == 0) continue;
    text += "  " + report::count_text(problems.count(problem)) + " x " +
            std::string(info_of(problem).sentence) + "\n";
    std::string places;
    for (const std::string& place : problems.places(problem)) {
      if (!places.empty()) places += "; ";
      places += terminal_safe(place);
    }
    if (problems.places(problem).size() < problems.count(problem) && !places.empty()) places += "; ...";
    if (!places.empty()) text += "      " + places + "\n";
  }
  return text;
}

std::vector<std::string> lost_lines(const OpsReport& table) {
  std::vector<std::string> lines;
  for (const std::uint32_t row : table.problems.places(ReportProblem::kCutRow)) {
    lines.push_back("Not whole: the file ends inside row " + std::to_string(row) +
                    " (is it cut off?); what came after it is in no figure");
  }
  for (const PerfProblem problem : {PerfProblem::kFileCut, PerfProblem::kMarkersDropped,
                                    PerfProblem::kDeviceMissing, PerfProblem::kOpWithoutDeviceData}) {
    const std::uint64_t count = table.capture_problems.count(problem);
    if (count == 0) continue;
    lines.push_back("Not whole: " + report::count_text(count) + " x " +
                    std::string(info_of(problem).sentence));
  }
  return lines;
}

std::string report_problem_text(const OpsReport& table, const ShownOps& ops, ReportProblem problem) {
  const std::uint64_t count = table.problems.count(problem);
  std::string text = report::count_text(count) + " x ";
  const std::string_view what = info_of(problem).sentence;
  if (problem != ReportProblem::kNoDuration || ops.without_duration >= count) return text.append(what);
  // Only what is missing in the window is missing in the sums.
  text += what.substr(0, what.find(';'));
  if (ops.without_duration == 0) return text + ", none in the window";
  return text + ", " + report::count_text(ops.without_duration) + " in the window" +
         std::string(what.substr(what.find(';')));
}

std::string perf_trust_text(const PerfProblems& problems) {
  const std::string lines = perf_problem_lines(problems);
  return lines.empty() ? lines : "Trust\n" + lines;
}

}  // namespace ttscope::perf
