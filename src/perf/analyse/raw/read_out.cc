#include "perf/analyse/raw/read_out.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace ttscope::perf {
namespace {

constexpr std::string_view kAggregate = "TENSIX_RISC_AGG";
constexpr std::uint32_t kFirstKernelSlot = 8;
/// Ids of the two zones of a replay as a whole.
constexpr std::uint16_t kTraceFirmware = 0;
constexpr std::uint16_t kTraceKernel = 1;

auto key_of(const ReadMarker& marker) { return std::tie(marker.time, marker.id, marker.kind); }

std::uint32_t compute_cores_of(std::string_view arch) {
  constexpr std::uint32_t kBlackhole = 140;
  constexpr std::uint32_t kWormhole = 80;
  return arch == "blackhole" ? kBlackhole : kWormhole;
}

/// The time that is meant: the one with these 44 bits that is nearest to the one before.
std::uint64_t unfolded_time(std::uint64_t raw, std::uint64_t before) {
  constexpr std::uint64_t kTurn = kTimerMask + 1;
  const std::uint64_t ahead = (raw - before) & kTimerMask;
  if (ahead < kTurn / 2) return before + ahead;
  const std::uint64_t behind = kTurn - ahead;
  return before >= behind ? before - behind : raw;
}

/// The device counts replays in 16 bits: of the numbers that it can mean the largest that the host knows.
std::optional<std::pair<std::int64_t, std::int64_t>> replay_of(const TraceHistory& traces,
                                                               std::uint16_t counter, std::uint32_t host_id) {
  constexpr std::size_t kTurn = 1 << 16;
  const std::size_t known = traces.replays.size();
  if (counter == 0 && known < kTurn) return std::nullopt;
  if (counter > known) return std::nullopt;
  const std::size_t number = counter + (known - counter) / kTurn * kTurn;
  const std::uint32_t trace = traces.replays[number - 1];
  const auto recorded = traces.recorded.find(trace);
  if (recorded == traces.recorded.end() || !recorded->second.contains(host_id)) return std::nullopt;
  const auto end = traces.replays.begin() + static_cast<std::ptrdiff_t>(number);
  return std::pair<std::int64_t, std::int64_t>(trace, std::count(traces.replays.begin(), end, trace));
}

class Taker {
 public:
  Taker(const RawRun& run, const TakeOptions& options, ReadOut& out)
      : run_(run), options_(options), out_(out) {}

  void take() {
    out_.device = run_.device;
    out_.arch = run_.arch;
    out_.clock_mhz = run_.clock_mhz;
    out_.modes = run_.modes;
    if (out_.compute_cores == 0) out_.compute_cores = compute_cores_of(run_.arch);
    if (run_.modes.trace_only) {
      out_.zones[kTraceFirmware].name = "TRACE-FW";
      out_.zones[kTraceKernel].name = "TRACE-KERNEL";
    } else {
      for (const auto& [id, zone] : run_.zones) out_.zones.try_emplace(id, zone);
    }
    for (const RawCore& core : run_.cores) {
      for (std::size_t i = 0; i < core.processors.size(); ++i) take_processor(core, i);
    }
  }

 private:
  ReadLane& lane_of(const RawCore& core, std::size_t processor) {
    const bool joint = run_.modes.trace_only;
    ReadLane& lane = out_.lanes[{core.x, core.y, joint ? 0 : static_cast<std::uint32_t>(processor)}];
    if (lane.risc.empty())
      lane.risc = joint ? std::string(kAggregate) : log_name_of(core.processors[processor].name);
    return lane;
  }

  void take_processor(const RawCore& core, std::size_t number) {
    const RawProcessor& processor = core.processors[number];
    const bool nothing =
        processor.dram.markers.empty() && (!options_.with_l1 || processor.l1.markers.empty());
    if (nothing) return;
    ReadLane& lane = lane_of(core, number);
    const auto before = static_cast<std::ptrdiff_t>(lane.markers.size());
    take_region(processor.dram, lane);
    if (options_.with_l1) take_region(processor.l1, lane);
    const auto by_time = [](const ReadMarker& a, const ReadMarker& b) { return a.time < b.time; };
    const auto middle = lane.markers.begin() + before;
    std::stable_sort(middle, lane.markers.end(), by_time);
    std::inplace_merge(lane.markers.begin(), middle, lane.markers.end(), by_time);
    drop_repeats(lane.markers);
  }

  /// What was sent twice has equal times; of those the first is kept.
  static void drop_repeats(std::vector<ReadMarker>& markers) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < markers.size(); ++i) {
      bool known = false;
      for (std::size_t k = kept; k > 0 && markers[k - 1].time == markers[i].time && !known; --k)
        known = key_of(markers[k - 1]) == key_of(markers[i]);
      if (!known) markers[kept++] = markers[i];
    }
    markers.resize(kept);
  }

  /// Replays of traces alone keep the first start and the last end of all processors: only the guaranteed
  /// slots mean something, and their ids are those of whoever came first or last.
  bool is_wanted(const RawMarker& marker, const RawLaunch& launch) const {
    return !run_.modes.trace_only || marker.word - launch.word < kFirstOptionalWord;
  }

  void take_region(const RawRegion& region, ReadLane& lane) {
    std::uint64_t launch_time = 0;
    bool has_launch_time = false;  // not an optional: g++ 12 takes the value of one for uninitialized here
    std::uint32_t launch = kNone;
    for (const RawMarker& marker : region.markers) {
      if (marker.run == kNone || marker.suspicion != Suspicion::kNone) continue;
      if (!is_wanted(marker, region.runs[marker.run])) continue;
      if (marker.run != launch) {
        launch = marker.run;
        has_launch_time = false;
      }
      if (!marker.has_time() && !has_launch_time) continue;  // a sum of a launch of which no zone is believed
      const std::uint64_t time = marker.has_time() ? unfolded_time(marker.time, lane.last_time) : launch_time;
      if (marker.has_time()) lane.last_time = time;
      if (!has_launch_time && marker.is_zone()) {
        launch_time = time;
        has_launch_time = true;
      }
      lane.markers.push_back(read_marker(marker, region.runs[marker.run], time));
    }
  }

  ReadMarker read_marker(const RawMarker& marker, const RawLaunch& launch, std::uint64_t time) const {
    ReadMarker out;
    out.time = time;
    out.run_id = run_id_of(launch.host_id, run_.device);
    out.data = marker.data;
    out.id = marker.id;
    out.kind = marker.kind;
    if (run_.modes.trace_only) {
      out.id = marker.word - launch.word < kFirstKernelSlot ? kTraceFirmware : kTraceKernel;
    } else if (options_.traces != nullptr) {
      if (const auto replay = replay_of(*options_.traces, launch.trace, launch.host_id))
        std::tie(out.trace, out.replay) = *replay;
    } else if (launch.trace != 0) {
      out.trace = 0;
      out.replay = launch.trace;
    }
    return out;
  }

  const RawRun& run_;
  const TakeOptions& options_;
  ReadOut& out_;
};

}  // namespace

void take_markers(const RawRun& run, const TakeOptions& options, ReadOut& out) {
  Taker(run, options, out).take();
}

PairingProblems check_pairs(const ReadLane& lane) {
  PairingProblems problems;
  std::vector<std::uint16_t> open;
  for (const ReadMarker& marker : lane.markers) {
    if (marker.kind == MarkerKind::kZoneStart) open.push_back(marker.id);
    if (marker.kind != MarkerKind::kZoneEnd) continue;
    if (open.empty()) {
      ++problems.ends_alone;
    } else if (open.back() != marker.id) {
      ++problems.mismatches;
      if (const auto begun = std::find(open.rbegin(), open.rend(), marker.id); begun != open.rend())
        open.erase(std::next(begun).base(), open.end());
    } else {
      open.pop_back();
    }
  }
  problems.starts_alone = open.size();
  return problems;
}

}  // namespace ttscope::perf
