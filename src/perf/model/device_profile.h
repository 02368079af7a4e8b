#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/notes.h"

namespace ttscope::perf {

/// A figure that is not known.
inline constexpr std::int64_t kNoFigure = std::numeric_limits<std::int64_t>::min();

/// What is known of one execution of an op on a device. Times are cycles of the device's timer (`Cycle`) or
/// nanoseconds.
enum class Figure : std::uint8_t {
  kCoreCount,
  kAvailableCores,
  kSubDevice,
  kFwStartCycle,
  kFwEndCycle,
  kKernelStartCycle,
  kKernelEndCycle,
  kDmStartCycle,
  kDmEndCycle,
  kLatencyNs,
  kLatencyDmNs,
  kFwNs,
  kKernelNs,
  kKernelDmNs,
  kPerCoreMinNs,
  kPerCoreMaxNs,
  kPerCoreAvgNs,
  kFirstToLastStartNs,
  kBriscNs,
  kNcriscNs,
  kTrisc0Ns,
  kTrisc1Ns,
  kTrisc2Ns,
  kEriscNs,
  kCbWaitFrontNs,
  kCbReserveBackNs,
  kDispatchTotalNs,
  kDispatchGoNs,
  kTraceFwNs,
  kTraceKernelNs,
  kQuasarDmNs,
  kQuasarTriscNs,
  kQuasarDmFwNs,
  kQuasarTriscFwNs,
  kQuasarDmLatencyNs,
  kQuasarTriscLatencyNs,
  kQuasarDmStartCycle,
  kQuasarDmEndCycle,
  kQuasarTriscStartCycle,
  kQuasarTriscEndCycle,
  kCount,
};

inline constexpr std::size_t kFigureCount = static_cast<std::size_t>(Figure::kCount);

class Figures {
 public:
  Figures() { values_.fill(kNoFigure); }
  std::int64_t& operator[](Figure figure) { return values_[static_cast<std::size_t>(figure)]; }
  std::int64_t operator[](Figure figure) const { return values_[static_cast<std::size_t>(figure)]; }
  bool has(Figure figure) const { return (*this)[figure] != kNoFigure; }

 private:
  std::array<std::int64_t, kFigureCount> values_;
};

/// What tells one execution from another. `trace` and `replay` (from 1) are -1 outside of trace replays.
struct ExecutionKey {
  std::uint32_t device = 0;
  std::uint64_t op_id = 0;  ///< GLOBAL CALL COUNT
  std::int64_t trace = -1;
  std::int64_t replay = -1;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what = default makes
  auto operator<=>(const ExecutionKey&) const = default;
};

/// The processors of a core, as far as reports tell them apart; those of Quasar share two slots.
enum class RiscSlot : std::uint8_t { kBrisc, kNcrisc, kTrisc0, kTrisc1, kTrisc2, kErisc, kAggregate, kCount };

inline constexpr std::size_t kRiscSlotCount = static_cast<std::size_t>(RiscSlot::kCount);

/// `BRISC`, `NCRISC`, ...; on Quasar `DM` and `NEO_TRISC` for the slots that are used.
std::string_view risc_name(RiscSlot slot, bool quasar);

/// A time that was not seen.
inline constexpr std::uint64_t kNoCycle = std::numeric_limits<std::uint64_t>::max();

struct CycleSpan {
  std::uint64_t start = kNoCycle;
  std::uint64_t end = kNoCycle;

  bool is_whole() const { return start != kNoCycle && end != kNoCycle; }
  std::int64_t cycles() const { return static_cast<std::int64_t>(end - start); }
};

/// One core's part in an execution.
struct CoreRun {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  bool damaged = false;  ///< a marker is missing or there is one too many
  CycleSpan fw;          ///< without compute_fw
  CycleSpan compute_fw;  ///< of Quasar's compute processors, which reports show apart
  std::uint64_t last_kernel_start = kNoCycle;
  std::array<CycleSpan, kRiscSlotCount> kernel;

  /// From the first kernel start to the last kernel end on this core.
  CycleSpan kernels() const;
  /// The same, from the first start of a data movement kernel.
  CycleSpan dm_kernels() const;
};

/// The cycles that one core spent in a summed zone during an execution.
struct SumSample {
  std::uint32_t execution = 0;
  bool reserve = false;  ///< waiting for room in a circular buffer, else for data
  std::uint64_t cycles = 0;
};

/// A marker of a dispatch core.
struct DispatchMarker {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  RiscSlot risc = RiscSlot::kBrisc;
  bool is_start = false;
  std::uint64_t cycle = 0;
  std::uint64_t op_id = 0;
  std::string zone;
  std::string meta;
};

/// One value of a hardware counter.
struct CounterSample {
  std::uint32_t execution = 0;
  std::uint32_t counter = 0;  ///< into DeviceProfile::counter_names
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  double value = 0;
  double reference = 0;  ///< cycles during which it counted
};

struct Execution {
  ExecutionKey key;
  std::uint32_t occurrence = 0;  ///< of the same key, for logs that do not number replays
  Figures figures;
  std::string arch;
  std::uint64_t first_cycle = 0;  ///< of the first marker, unwrapped: the order in time
  std::uint32_t first_run = 0;    ///< into DeviceProfile::runs
  std::uint32_t run_count = 0;
};

/// All that a device log says. The figures of its executions are still to be computed from the runs.
struct DeviceProfile {
  std::string arch;
  double clock_mhz = 0;  ///< of the first device; 0: unknown
  std::int64_t max_compute_cores = kNoFigure;
  bool quasar = false;
  std::vector<std::uint32_t> devices;  ///< ascending
  std::vector<Execution> executions;   ///< device by device, in order of time
  std::vector<CoreRun> runs;           ///< those of an execution are together, ordered by core
  std::vector<SumSample> sums;
  std::vector<DispatchMarker> dispatch;
  std::vector<std::string> counter_names;
  std::vector<CounterSample> counters;
  std::uint64_t rows = 0;
  std::uint64_t user_markers = 0;  ///< rows of DeviceTimestampedData and DeviceRecordEvent
  PerfProblems problems;
};

/// The timer of a device has so many bits and begins again from zero.
inline constexpr unsigned kTimerBits = 44;
inline constexpr std::uint64_t kTimerSpan = std::uint64_t{1} << kTimerBits;

/// How far `time` is ahead of `from` on the timer: at most half a turn, either way.
inline std::int64_t timer_step(std::uint64_t from, std::uint64_t time) {
  constexpr unsigned kSpareBits = 64 - kTimerBits;
  return static_cast<std::int64_t>((time - from) << kSpareBits) >> kSpareBits;
}

/// Whether a clock may run so fast. What is far from any is damage, and times by it are no numbers.
inline bool is_clock_frequency(double cycles_per_ns) { return cycles_per_ns >= 1e-3 && cycles_per_ns <= 1e2; }

/// What sync_device_info.csv holds of one device.
struct DeviceSyncRows {
  struct Sample {
    double host_ns = 0;  ///< on the axis of the host's zones
    double cycles = 0;
  };
  std::vector<Sample> samples;  ///< exchanges with the host
  double cycles_per_ns = 0;     ///< as the runtime fitted it; 0: it was not exchanged with
  bool is_on_host_axis = true;  ///< false: the host of the exchanges counts from its own start (simulated)
  /// Of a device that was reached through another: its cycles become those of the root by them.
  struct Shift {
    double scale = 1;
    double shift = 0;
  };
  std::optional<Shift> to_root;
};

/// By device; `root` is the one with host exchanges that rows of others refer to.
struct SyncInfo {
  std::map<std::uint32_t, DeviceSyncRows> devices;
  std::optional<std::uint32_t> root;
};

/// A device's clock against that of the host, by a point and the frequency.
struct DeviceClockLine {
  double ns = 0;
  double cycles = 0;
  double cycles_per_ns = 1;
  std::size_t samples = 0;      ///< that it was fitted to
  double worst_ns = 0;          ///< the largest distance of one of them from it
  bool is_on_host_axis = true;  ///< that of the host's zones; else of devices among each other alone

  double ns_at(double device_cycles) const { return ns + (device_cycles - cycles) / cycles_per_ns; }
};

using DeviceClockLines = std::map<std::uint32_t, DeviceClockLine>;

/// The column of a report, ours and the runtime's, that a figure stands in.
std::string_view column_of(Figure figure);
/// The figure of a column; Figure::kCount if it is none.
Figure figure_of(std::string_view column);

/// The hardware counter of a number in perf-counter records; empty if there is none of that number.
std::string_view counter_name(std::uint32_t type);

}  // namespace ttscope::perf
