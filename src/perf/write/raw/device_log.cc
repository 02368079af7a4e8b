// Declared in raw_report.h.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "perf/write/raw/raw_report.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, trace id counter, zone name, type, source line, source file, meta data\n";

/// Where a capture does not say it: the clock that the simulators of the field count in.
constexpr double kUnknownClockMhz = 1000;

std::uint32_t compute_cores_of(std::string_view arch) {
  constexpr std::uint32_t kBlackhole = 140;
  constexpr std::uint32_t kWormhole = 80;
  return arch == "blackhole" ? kBlackhole : kWormhole;
}

/// The log has no quotes: a comma in a name would move all that follows.
std::string cell(std::string_view text) {
  std::string safe(text);
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c == ',' || c == '\n' || c == '\r'; }, ';');
  return safe;
}

/// The host's order and its key of equal markers.
using Key = std::tuple<std::uint64_t, std::uint16_t, MarkerKind>;

struct Row {
  const RawMarker* marker;
  const RawLaunch* launch;
  std::uint64_t time;  ///< of a sum that of the first zone of its launch

  std::uint32_t place() const { return marker->word - launch->word; }
};

/// Replays of traces alone keep the first start and the last end of all processors: only the guaranteed slots
/// mean something, and their ids are those of whoever came first or last.
bool is_wanted(const RawRun& run, const RawMarker& marker, const RawLaunch& launch) {
  return !run.modes.trace_only || marker.word - launch.word < kFirstOptionalWord;
}

std::vector<Row> rows_of(const RawRun& run, const RawRegion& region) {
  std::vector<Row> rows;
  std::set<Key> seen;
  std::optional<std::uint64_t> launch_time;
  std::uint32_t launch = kNone;
  for (const RawMarker& marker : region.markers) {
    if (marker.run == kNone || marker.suspicion != Suspicion::kNone) continue;
    if (!is_wanted(run, marker, region.runs[marker.run])) continue;
    if (marker.run != launch) {
      launch = marker.run;
      launch_time.reset();
    }
    if (!launch_time && marker.is_zone()) launch_time = marker.time;
    if (!marker.has_time() && !launch_time) continue;  // a sum of a launch of which no zone is believed
    const std::uint64_t time = marker.has_time() ? marker.time : *launch_time;
    if (!seen.insert({time, marker.id, marker.kind}).second) continue;
    rows.push_back({&marker, &region.runs[marker.run], time});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.time < b.time; });
  return rows;
}

/// The host packs the number of the device, 0 here, below the program's.
std::uint64_t run_host_id(const RawLaunch& launch) {
  constexpr unsigned kDeviceBits = 10;
  return std::uint64_t{launch.host_id} << kDeviceBits;
}

/// A replay as a whole: its firmware zone, or its kernel zone.
void write_replay_row(const RawCore& core, const Row& row, Writer& out) {
  constexpr std::uint32_t kFirstKernelPlace = 8;
  const bool is_kernel = row.place() >= kFirstKernelPlace;
  out.write(fmt::format("0,{},{},TENSIX_RISC_AGG,{},{},0,{},,,{},{},0,,\n", core.x, core.y, is_kernel ? 1 : 0,
                        row.time, run_host_id(*row.launch), is_kernel ? "TRACE-KERNEL" : "TRACE-FW",
                        key_of(row.marker->kind)));
}

void write_row(const RawRun& run, const RawCore& core, const std::string& risc, const Row& row, Writer& out) {
  if (run.modes.trace_only) return write_replay_row(core, row, out);
  const RawMarker& marker = *row.marker;
  const auto zone = run.zones.find(marker.id);
  const bool is_named = zone != run.zones.end() && marker.kind != MarkerKind::kEvent;
  const std::string replay = row.launch->trace == 0 ? "," : fmt::format("0,{}", row.launch->trace);
  const MarkerKind kind = marker.kind == MarkerKind::kData16 ? MarkerKind::kData : marker.kind;
  out.write(fmt::format("0,{},{},{},{},{},{},{},{},{},{},{},{},\n", core.x, core.y, risc, marker.id, row.time,
                        marker.data[0], run_host_id(*row.launch), replay,
                        is_named ? cell(zone->second.name) : "", key_of(kind),
                        is_named ? zone->second.line : 0, is_named ? cell(zone->second.file) : ""));
}

std::vector<const RawCore*> cores_in_order(const RawRun& run) {
  std::vector<const RawCore*> cores;
  for (const RawCore& core : run.cores) cores.push_back(&core);
  std::sort(cores.begin(), cores.end(),
            [](const RawCore* a, const RawCore* b) { return std::tie(a->x, a->y) < std::tie(b->x, b->y); });
  return cores;
}

}  // namespace

void write_device_log(const RawRun& run, Writer& out) {
  out.write(fmt::format("ARCH: {}, CHIP_FREQ[MHz]: {}, Max Compute Cores: {}\n", cell(run.arch),
                        run.clock_mhz > 0 ? run.clock_mhz : kUnknownClockMhz, compute_cores_of(run.arch)));
  out.write(kColumns);
  for (const RawCore* core : cores_in_order(run)) {
    for (const RawProcessor& processor : core->processors) {
      const std::string risc = log_name_of(processor.name);
      for (const Row& row : rows_of(run, processor.dram)) write_row(run, *core, risc, row, out);
    }
  }
}

void write_zone_locations(const RawRun& run, Writer& out) {
  for (const auto& [id, zone] : run.zones) {
    out.write(fmt::format("'#pragma message: {},{},{},KERNEL_PROFILER'\n", cell(zone.name), cell(zone.file),
                          zone.line));
  }
}

}  // namespace ttscope::perf
