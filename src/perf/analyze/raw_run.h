#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/device_profile.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Finds out which markers of a run must not be believed and what was lost on the device: sets
/// RawMarker::suspicion and fills RawRun::findings. The rules follow what the firmware of tt-metal was seen
/// to do (docs/formats/raw_run.md lists them).
void judge_markers(RawRun& run);

/// What the host knows of traces: the device only counts replays.
struct TraceHistory {
  std::vector<std::uint32_t> replays;                         ///< the trace of each, in order
  std::map<std::uint32_t, std::set<std::uint32_t>> recorded;  ///< host ids of the programs of a trace
};

struct CollectOptions {
  const TraceHistory* traces = nullptr;  ///< none: every replay is said to be of trace 0
  bool with_l1 = false;  ///< also what lies in L1: of builds that do not send it after each launch
};

/// Adds the markers of a run that are believed (judge_markers()), each once, to those of earlier reads.
void collect_markers(const RawRun& run, const CollectOptions& options, ProfilerReadout& out);

/// Ends without start, starts without end: zones of one processor are nested.
struct PairingProblems {
  std::uint64_t ends_alone = 0;
  std::uint64_t mismatches = 0;  ///< the end of another zone than the one begun last
  std::uint64_t starts_alone = 0;

  bool any() const { return ends_alone + mismatches + starts_alone > 0; }
};

PairingProblems check_pairs(const ReadLane& lane);

/// What the runtime's own report measures of a program: from the first marker of one kind to the last of
/// another, over all its cores.
enum class ProgramSpanKind : std::uint8_t {
  kTraceFirmware,
  kTraceKernel,
  kFirstToLastStart,  ///< of kernels
  kFirmware,
  kKernel,
  kKernelDmStart,  ///< from the first kernel that moves data
  kBriscKernel,
  kNcriscKernel,
  kTrisc0Kernel,
  kTrisc1Kernel,
  kTrisc2Kernel,
  kEriscKernel,
  kCount,
};

inline constexpr std::size_t kProgramSpanKinds = static_cast<std::size_t>(ProgramSpanKind::kCount);

/// `DEVICE FW DURATION [ns]`: its name in the runtime's report.
std::string_view column_of(ProgramSpanKind kind);

struct ProgramSpan {
  CycleSpan cycles;
  std::uint64_t ns = 0;
};

/// One execution of a program on a device.
struct ProgramTimes {
  ExecutionKey key;
  std::array<ProgramSpan, kProgramSpanKinds> spans;
  std::uint32_t cores = 0;  ///< with a zone of the firmware

  const ProgramSpan& span(ProgramSpanKind kind) const { return spans[static_cast<std::size_t>(kind)]; }
};

/// All programs of what was read, in the order of their firmware.
std::vector<ProgramTimes> program_times(const ProfilerReadout& read);

}  // namespace ttscope::perf
