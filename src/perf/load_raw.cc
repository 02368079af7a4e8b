#include "perf/load_raw.h"

#include "perf/analyse/raw/judge_markers.h"
#include "perf/read/raw_run/raw_run_reader.h"

namespace ttscope::perf {

Result<RawRun> load_raw(const std::string& path) {
  Result<RawRun> run = read_raw_run(path);
  if (run) judge_markers(*run);
  return run;
}

}  // namespace ttscope::perf
