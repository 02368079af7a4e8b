#include "perf/load_raw.h"

#include "perf/analyse/raw/judge_markers.h"
#include "perf/analyse/raw/read_out.h"
#include "perf/read/raw_run/raw_run_reader.h"

namespace ttscope::perf {

Result<RawRun> load_raw(const std::string& path) {
  Result<RawRun> run = read_raw_run(path);
  if (run) judge_markers(*run);
  return run;
}

ReadOut read_out_of(const RawRun& run) {
  ReadOut read;
  take_markers(run, {}, read);
  return read;
}

}  // namespace ttscope::perf
