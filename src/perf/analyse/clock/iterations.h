#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/clock/replays.h"
#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {

enum class IterationKind : std::uint8_t {
  kReplay,    ///< of a trace
  kSignpost,  ///< from a signpost to the next one, where its name comes back
};
std::string_view key_of(IterationKind kind);

/// One of the times that a part of the run was repeated, on one device.
struct IterationTime {
  std::uint32_t series = 0;     ///< in Iterations::series
  std::uint32_t number = 0;     ///< in its series, from 0
  std::uint32_t first_row = 0;  ///< in OpsReport::rows
  std::int32_t device = -1;
  bool is_cut = false;  ///< it lacks ops that others of its trace have: it is in no mean
  double start_ns = 0;  ///< on the clock of the run
  double wall_ns = 0;
  double busy_ns = 0;
  double idle_ns() const { return wall_ns - busy_ns; }
};

/// A part of the run that is repeated: a trace, or what follows the signposts of one name.
struct IterationSeries {
  IterationKind kind = IterationKind::kReplay;
  std::string name;         ///< number of the trace, or text of the signpost
  std::uint32_t count = 0;  ///< how often
  std::uint32_t cut = 0;    ///< of these lack ops: replays at the ends of the window, or lost markers
  /// Of the iterations that are whole, or of all where none is; each takes as long as its slowest device. The
  /// spread is the sample's standard deviation; none for a single iteration.
  double mean_ns = 0;
  double spread_ns = kNoNumber;
  double least_ns = 0;
  double most_ns = 0;
};

struct Iterations {
  std::vector<IterationSeries> series;
  std::vector<IterationTime> times;  ///< by series, number and device
};

/// Measured, from the window's ops.
Iterations find_iterations(const OpsReport& table, const RunClock& clock, const Replays& replays);

}  // namespace ttscope::perf
