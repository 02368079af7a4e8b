// The runtime's own figures.
#include <set>

#include "fuzz/fuzz_target.h"
#include "perf/read/side_files.h"

TTSCOPE_FUZZ_TARGET(perf_cpp_report) {
  ttscope::perf::PerfProblems problems;
  std::set<ttscope::perf::ExecutionKey> keys;
  for (const ttscope::perf::Execution& execution : ttscope::perf::read_cpp_report(text, problems)) {
    ttscope::fuzz::require(keys.insert(execution.key).second, "keys are distinct");
  }
}
