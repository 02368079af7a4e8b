#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "perf/model/read_out.h"

namespace ttscope::perf {

/// What the host knows of traces: the device only counts replays.
struct TraceHistory {
  std::vector<std::uint32_t> replays;                         ///< the trace of each, in order
  std::map<std::uint32_t, std::set<std::uint32_t>> recorded;  ///< host ids of the programs of a trace
};

struct TakeOptions {
  const TraceHistory* traces = nullptr;  ///< none: every replay is said to be of trace 0
  bool with_l1 = false;  ///< also what lies in L1: of builds that do not send it after each launch
};

/// Adds the markers of a run that are believed (judge_markers()), each once, to those of earlier reads.
void take_markers(const RawRun& run, const TakeOptions& options, ReadOut& out);

/// Ends without start, starts without end: zones of one processor are nested.
struct PairingProblems {
  std::uint64_t ends_alone = 0;
  std::uint64_t mismatches = 0;  ///< the end of another zone than the one begun last
  std::uint64_t starts_alone = 0;

  bool any() const { return ends_alone + mismatches + starts_alone > 0; }
};
PairingProblems check_pairs(const ReadLane& lane);

}  // namespace ttscope::perf
