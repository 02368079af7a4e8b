#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "perf/analyze/profile.h"
#include "perf/formats.h"
#include "perf/model/capture_files.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// A zone with both of its ends, in cycles of the device's timer, which goes on beyond its 44 bits.
struct LaneZone {
  std::uint64_t start_cycle = 0;
  std::uint64_t end_cycle = 0;
  std::uint32_t zone = 0;       ///< into ZoneCatalog::zones
  std::uint32_t execution = 0;  ///< into ZoneCatalog::executions; kNone: none
  std::uint16_t depth = 0;      ///< in how many others it lies
};

/// A moment that a kernel's author marked (DeviceTimestampedData, DeviceRecordEvent), on the same timer.
struct LaneMarker {
  std::uint64_t cycle = 0;
  std::uint64_t value = 0;  ///< of data
  std::uint32_t zone = 0;
  std::uint32_t execution = 0;
};

/// What one processor of a core did. Each zone stands behind the one that it lies in, in order of time.
struct LaneZones {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string risc;
  std::vector<LaneZone> zones;
  std::vector<LaneMarker> marks;  ///< in order of time
  std::uint64_t unmatched = 0;    ///< starts without an end, and ends without a start
  const ZoneCatalog* catalog = nullptr;
};

/// Gives the processors of a device log one after the other, by device, core and name; the catalogs that they
/// refer to grow, and live as long as this call. `take` is called on the caller's thread.
void read_lane_zones(std::string_view log, unsigned threads,
                     const std::function<void(const LaneZones&)>& take);

/// Saved buffers of the device profiler, read and judged. `path` is the document; the words lie beside it.
Result<RawRun> load_raw(const std::string& path);

/// The markers of a run that are believed, as a host would keep them.
ProfilerReadout readout_of(const RawRun& run);

/// The host's two files as texts, made of a capture of Tracy.
struct HostTables {
  std::string times;          ///< tracy_ops_times.csv
  std::string messages;       ///< tracy_ops_data.csv
  std::string warning;        ///< the capture is cut or damaged
  bool is_simulated = false;  ///< it says that its chips were
};

/// How captures are read.
struct CaptureOptions {
  bool compat = false;           ///< as the reference tools do
  bool device_only = false;      ///< leave the host's files aside
  bool from_device_log = false;  ///< leave the runtime's own report aside
  bool noc_traces = false;
  bool zones = false;  ///< of captures with ops too; a second pass over the log
  unsigned threads = 1;
  /// Makes the host's files of a capture of Tracy, which another subject reads; null: such captures are left
  /// aside.
  Result<HostTables> (*read_host_capture)(const std::string& path) = nullptr;
};

struct LoadOptions {
  CaptureOptions capture;
  ShownOptions shown;  ///< an architecture or clock that it does not have is that of the captures
  std::optional<StackOptions> stack{};  ///< what Profile::stack sums up; none: it stays empty
};

/// Opens folders and files of the profiler, or finished reports. Nothing found: no op has a time, or a
/// signpost that `shown` names is not there.
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options);

// The same in steps, for a command that does something between them.

/// Why these files cannot be read together; empty: they can.
std::string refusal_of(const FoundFiles& files, const CaptureOptions& options);
/// What shows the host's side of captures of which nothing else can be told; empty: they have none.
std::string host_advice(const std::vector<Capture>& captures);
/// The same as a whole complaint, which says what they lack too.
std::string no_device_text(const std::vector<Capture>& captures);
/// Reads captures, or the rows of finished reports.
Result<Profile> read_files(FoundFiles& files, const CaptureOptions& options);
/// Makes the rows of captures, and finds out what the rows mean.
Result<void> analyze_profile(const LoadOptions& options, Profile& profile);

}  // namespace ttscope::perf
