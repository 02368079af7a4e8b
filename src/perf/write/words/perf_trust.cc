#include "perf/write/words/perf_trust.h"

#include "base/text_escape.h"
#include "report/number_text.h"
#include "report/simulated_chips.h"

namespace ttscope::perf {

std::string perf_problem_text(const PerfProblems& problems, PerfProblem problem) {
  return report::count_text(problems.count(problem)) + " x " + std::string(info_of(problem).sentence);
}

std::string perf_problem_lines(const PerfProblems& problems) {
  std::string text;
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    if (problems.count(problem) == 0) continue;
    text += "  " + perf_problem_text(problems, problem) + "\n";
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

namespace {

/// `device 2 (20, its last ones)`.
std::string lacking_devices(const RunClock& clock) {
  constexpr std::size_t kMostNamed = 8;
  std::string text;
  std::size_t devices = 0;
  for (const DeviceLane& lane : clock.lanes) {
    const std::size_t lacked = lane.absent.size() + lane.lacks_at_end.size();
    if (lacked == 0 || ++devices > kMostNamed) continue;
    text += (devices > 1 ? ", device " : "device ") + std::to_string(lane.device) + " (" +
            report::count_text(lacked) + (lane.absent.empty() ? ", its last ones)" : ")");
  }
  if (devices > kMostNamed) text += " and " + std::to_string(devices - kMostNamed) + " more";
  return text;
}

}  // namespace

std::vector<std::string> lost_lines(const OpsReport& table, const ShownOps& ops) {
  std::vector<std::string> lines;
  if (table.has_modelled_times())
    lines.push_back("Simulated chips: the " + std::string(report::kTimesAreModelled));
  for (const std::uint32_t row : table.problems.places(ReportProblem::kCutRow)) {
    lines.push_back("Not whole: the file ends inside row " + std::to_string(row) +
                    " (is it cut off?); what came after it is in no figure");
  }
  for (const PerfProblem problem : {PerfProblem::kFileCut, PerfProblem::kMarkersDropped,
                                    PerfProblem::kDeviceMissing, PerfProblem::kOpWithoutDeviceData}) {
    const std::uint64_t count = table.capture_problems.count(problem);
    // Captures of traces have ops that the host sent and no device ran: outside the window nothing lacks
    // them.
    const bool is_outside = problem == PerfProblem::kOpWithoutDeviceData && ops.without_duration == 0;
    if (count == 0 || is_outside) continue;
    lines.push_back("Not whole: " + perf_problem_text(table.capture_problems, problem));
  }
  const std::string devices = lacking_devices(ops.clock);
  if (!devices.empty())
    lines.push_back("Not whole: there are no rows of ops that others show to have run on " + devices);
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
