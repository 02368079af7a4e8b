#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyze/run_clock.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Which replays of traces are whole. A trace has the same ops each time: a replay with fewer of them on a
/// device is cut by an end of the window or of the recording, or lost markers.
class Replays {
 public:
  explicit Replays(const OpsReport& table);

  /// Whether a replay with so many ops on the device of `row`, which is one of them, lacks some.
  bool is_cut(std::uint32_t row, std::size_t ops) const;

  /// By row of the report: ops are missing between it and the one before it on its device. A gap there is the
  /// time of these ops, not a wait.
  std::vector<bool> find_holes(const RunClock& clock) const;

 private:
  const OpsReport& report_;
  std::vector<std::uint32_t>
      typical_ops_;  ///< by row of the report, of its trace on its device; 0: no replay
};

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
  double min_ns = 0;
  double max_ns = 0;
};

struct Iterations {
  std::vector<IterationSeries> series;
  std::vector<IterationTime> times;  ///< by series, number and device
};

/// Measured, from the window's ops.
Iterations find_iterations(const OpsReport& table, const RunClock& clock, const Replays& replays);

/// Passes at the beginning of a run that made the programs which the later ones only ran.
struct WarmUp {
  std::uint32_t passes = 0;         ///< 0: none found, or `is_set_up`
  std::uint32_t kept_passes = 0;    ///< whole ones that stay
  std::uint64_t ops = 0;            ///< that were left out, on all devices
  bool is_by_cache_misses = false;  ///< the report tells misses from hits; else by the gaps of compiling
  bool is_set_up = false;           ///< no pass: what made programs and traces before the first replay
};

/// By row of the report: the first run of its program on its device. A program is known by its hash, in older
/// reports by all that is the same when it runs again.
std::vector<bool> find_first_runs(const OpsReport& table);

/// A gap before the first run of a program that is longer than any launch. Making a program takes the host
/// longer than this even when its kernels are in the cache on disk.
inline constexpr double kMinCompileUs = 100;

/// Takes the warm-up out of a window whose ops are in the order in which they ran. Only where the whole
/// window is one pass again and again (the layers of a model that is run once are no passes), or where it
/// ends with replays of traces and made programs before them.
WarmUp exclude_warm_up(const OpsReport& table, const std::vector<bool>& first_runs,
                       std::vector<std::uint32_t>& window);

/// By row of the report: the device waited before it while the host made programs, of this op or, where each
/// device has programs of its own, of ops that it sent to other devices in between. `window`: its rows, those
/// of each device in the order in which they ran. Derived; the gap before the first op lies before the
/// window.
std::vector<bool> find_compile_gaps(const OpsReport& table, const std::vector<bool>& first_runs,
                                    const std::vector<std::uint32_t>& window);

}  // namespace ttscope::perf
