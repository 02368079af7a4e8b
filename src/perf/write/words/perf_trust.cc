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

std::string perf_trust_text(const PerfProblems& problems) {
  const std::string lines = perf_problem_lines(problems);
  return lines.empty() ? lines : "Trust\n" + lines;
}

}  // namespace ttscope::perf
