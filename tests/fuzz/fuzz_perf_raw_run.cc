// Saved buffers of the device profiler: the words of one processor, and the document in front of them.
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/writer.h"
#include "fuzz/fuzz_target.h"
#include "perf/analyze/raw_run.h"
#include "perf/load.h"
#include "perf/read/raw_run.h"
#include "perf/write/capture_files.h"

namespace {

std::vector<std::uint32_t> words_of(std::string_view text) {
  std::vector<std::uint32_t> words(text.size() / 4);
  if (!words.empty()) std::memcpy(words.data(), text.data(), words.size() * 4);
  return words;
}

/// The words of one processor.
ttscope::perf::RawRun run_of(const std::vector<std::uint32_t>& words) {
  using namespace ttscope::perf;
  RawRun run;
  run.modes.noc_events = true;
  RawCore& core = run.cores.emplace_back();
  core.flat_id = 1;
  core.processors.emplace_back().dram = read_marker_words(words, {&layout_of(64), 0, core.flat_id});
  return run;
}

/// What a host makes of the markers: rows, traces, programs.
void write_all(const ttscope::perf::RawRun& run) {
  using namespace ttscope::perf;
  const ProfilerReadout read = readout_of(run);
  ttscope::StringWriter out;
  write_device_log_rows(read, out);
  ProgramTimes last;
  write_program_report(read, program_times(read), &last, out);
  for (const auto& [place, lane] : read.lanes) {
    for (std::size_t i = 1; i < lane.markers.size(); ++i)
      ttscope::fuzz::require(lane.markers[i - 1].time <= lane.markers[i].time,
                             "markers are in order of time");
    check_pairs(lane);
  }
  noc_trace_files(read, {});
}

}  // namespace

TTSCOPE_FUZZ_TARGET(perf_raw_run) {
  using namespace ttscope::perf;
  const std::vector<std::uint32_t> words = words_of(text);
  ttscope::fuzz::require(running_words(words) <= words.size(),
                         "what a launch has written lies in its buffer");
  RawRun one = run_of(words);
  judge_markers(one);
  const RawRegion& region = one.cores[0].processors[0].dram;
  for (const RawMarker& marker : region.markers) {
    ttscope::fuzz::require(marker.word + 2 <= region.kept_words, "a marker lies inside of its region");
    ttscope::fuzz::require(marker.run == ttscope::kNone || marker.run < region.runs.size(),
                           "its launch is there");
  }
  write_all(one);
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos) return;
  auto run = parse_raw_run("run.json", text.substr(0, end), text.substr(end + 1));
  if (!run) return;
  judge_markers(*run);
  write_all(*run);
}
