#include "perf/analyze/raw_run.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/chips.h"

namespace ttscope::perf {
namespace {

constexpr std::uint64_t kCarry = std::uint64_t{1} << 32;
/// Two markers that follow each other are no further apart than this, except around a carry.
constexpr std::uint64_t kFarCycles = kCarry / 2;
constexpr std::string_view kQuickPush = "PROFILER-NOC-QUICK-PUSH";

// Places of the guaranteed markers behind the header's first word.
constexpr std::uint32_t kOuterStart = 4;
constexpr std::uint32_t kOuterEnd = 6;
constexpr std::uint32_t kInnerStart = 8;
constexpr std::uint32_t kInnerEnd = 10;

/// What was sent at once: a header and what stands behind it.
struct Push {
  const RawLaunch* launch = nullptr;
  std::uint32_t words = 0;
  std::vector<RawMarker*> markers;

  std::uint32_t place_of(const RawMarker& marker) const { return marker.word - launch->word; }
  RawMarker* slot(std::uint32_t place) const {
    for (RawMarker* marker : markers) {
      if (place_of(*marker) == place) return marker;
    }
    return nullptr;
  }
  bool is_optional(const RawMarker& marker) const { return place_of(marker) >= kFirstOptionalWord; }
};

std::vector<Push> pushes_of(RawRegion& region) {
  std::vector<Push> pushes;
  for (std::size_t i = 0; i < region.runs.size(); ++i) {
    Push& push = pushes.emplace_back();
    push.launch = &region.runs[i];
    const std::uint32_t end = i + 1 < region.runs.size() ? region.runs[i + 1].word : region.kept_words;
    push.words = end - push.launch->word;
  }
  for (RawMarker& marker : region.markers) {
    if (marker.run != kNone && marker.suspicion != Suspicion::kPlaced)
      pushes[marker.run].markers.push_back(&marker);
  }
  return pushes;
}

/// Markers of a push in the order in which they were recorded: the guaranteed zones lie around the others.
std::vector<RawMarker*> recorded_order(const Push& push) {
  std::vector<RawMarker*> order;
  const auto add = [&](std::uint32_t place) {
    if (RawMarker* marker = push.slot(place)) order.push_back(marker);
  };
  add(kOuterStart);
  add(kInnerStart);
  for (RawMarker* marker : push.markers) {
    if (push.is_optional(*marker) && marker->has_time()) order.push_back(marker);
  }
  add(kInnerEnd);
  add(kOuterEnd);
  return order;
}

/// The two halves of the clock are read one after the other: a carry in between makes a time 2^32 too small.
std::uint64_t mark_early_times(const Push& push) {
  std::vector<RawMarker*> order = recorded_order(push);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    // The low word was read just behind the carry, the high one before it.
    constexpr std::uint64_t kCarryMargin = 4096;
    if ((order[i]->time & (kCarry - 1)) >= kCarryMargin) continue;
    const std::uint64_t mended = order[i]->time + kCarry;
    const auto is_near = [&](std::uint64_t from, std::uint64_t to) {
      return from <= to && to - from < kFarCycles;
    };
    bool early = false;
    if (i > 0) {
      const std::uint64_t before =
          order[i - 1]->time + (order[i - 1]->suspicion == Suspicion::kTime ? kCarry : 0);
      early = order[i]->time < before && is_near(before, mended);
    } else if (order.size() > 1) {
      early = is_near(mended, order[1]->time);
    }
    if (!early) continue;
    order[i]->suspicion = Suspicion::kTime;
    ++count;
  }
  return count;
}

using MarkerKey = std::tuple<std::uint64_t, std::uint16_t, MarkerKind>;

MarkerKey key_of(const RawMarker& marker) { return {marker.time, marker.id, marker.kind}; }

class CoreChecker {
 public:
  CoreChecker(RawRun& run, std::uint32_t core) : run_(run), core_(run.cores[core]), index_(core) {}

  void judge() {
    add(RawProblem::kCut, 0, core_.control_cut);
    const bool misused = is_main_zone_misused();
    for (std::uint32_t i = 0; i < core_.processors.size(); ++i) judge_processor(i, misused);
    // Trace-only buffers are read while the last replay still lies in L1.
    if (!core_.is_done && !run_.modes.trace_only && core_.control_cut == 0 && has_recorded())
      add(RawProblem::kNotDone, 0, 1);
  }

 private:
  /// A core that never ran has nothing to send.
  bool has_recorded() const {
    return std::any_of(core_.processors.begin(), core_.processors.end(), [](const RawProcessor& processor) {
      return processor.dram.end_words > 0 || processor.l1.end_words > 0;
    });
  }

  bool is_classic() const { return !run_.modes.accumulates && !run_.modes.trace_only; }

  void add(RawProblem problem, std::uint32_t processor, std::uint64_t count) {
    if (count > 0) run_.findings.push_back({problem, index_, processor, count});
  }

  /// Guaranteed slots belong to the firmware. A kernel that uses one begins the launch anew in its middle.
  bool is_main_zone_misused() {
    if (!is_classic()) return false;
    for (RawProcessor& processor : core_.processors) {
      for (const Push& push : pushes_of(processor.dram)) {
        const RawMarker* start = push.slot(kOuterStart);
        if (start == nullptr) continue;
        const std::string_view name = run_.name_of(start->id);
        if (!name.empty() && name.find("-FW") == std::string_view::npos) return true;
      }
    }
    return false;
  }

  void judge_processor(std::uint32_t index, bool misused) {
    RawProcessor& processor = core_.processors[index];
    RawRegion& dram = processor.dram;
    add(RawProblem::kBadWords, index, dram.bad_words);
    add(RawProblem::kDramFull, index, processor.dropped ? 1 : 0);
    if (!core_.has_dram && core_.control_cut == 0 && dram.end_words > 0) {
      add(RawProblem::kNeverSent, index, dram.end_words);
    } else {
      add(RawProblem::kCut, index, dram.end_words - std::min(dram.end_words, dram.kept_words));
      judge_pushes(index, misused);
    }
    judge_l1(processor.l1);
    if (processor.running) add_running(index);
    add(RawProblem::kOnlyInL1, index, only_in_l1(processor));
    // The ends of a replay are those of whoever came last.
    if (!run_.modes.trace_only) add(RawProblem::kUnpaired, index, unpaired(dram));
  }

  void judge_pushes(std::uint32_t index, bool misused) {
    std::uint64_t lost_headers = 0;
    std::uint64_t early = 0;
    std::uint64_t stale = 0;
    std::uint64_t never_sent = 0;
    std::uint64_t full = 0;
    std::uint64_t stalled = 0;
    for (const Push& push : pushes_of(core_.processors[index].dram)) {
      early += mark_early_times(push);
      stale += mark_stale(push);
      if (!push.launch->intact) ++lost_headers;
      if (!push.launch->intact || misused) mark_header(push);
      if (is_empty(push)) never_sent += push.words;
      if (is_full(push)) ++full;
      if (is_stalled(push)) ++stalled;
    }
    add(RawProblem::kEarlyTimes, index, early);
    add(RawProblem::kStaleMarkers, index, stale);
    add(RawProblem::kHeaderLost, index, lost_headers);
    add(RawProblem::kNeverSent, index, never_sent);
    add(RawProblem::kL1Full, index, full);
    add(RawProblem::kNocStalled, index, stalled);
    add(RawProblem::kMainZoneMisuse, index, misused && !core_.processors[index].dram.markers.empty() ? 1 : 0);
  }

  /// The buffers of L1 hold the last launch once more: their markers are judged, what was lost is not told
  /// twice.
  void judge_l1(RawRegion& l1) const {
    for (const Push& push : pushes_of(l1)) {
      mark_early_times(push);
      mark_stale(push);
      if (!push.launch->intact) mark_header(push);
    }
  }

  /// Which zones it was in when the buffers were saved.
  void add_running(std::uint32_t index) {
    const std::vector<Push> pushes = pushes_of(core_.processors[index].l1);
    if (pushes.empty()) return;
    RunningLaunch running = {index_, index, pushes.front().launch->host_id, {}, 0};
    for (const RawMarker* marker : recorded_order(pushes.front())) {
      running.last_time = std::max(running.last_time, marker->time);
      if (marker->kind == MarkerKind::kZoneStart) running.zones.push_back(marker->id);
      if (marker->kind != MarkerKind::kZoneEnd) continue;
      const auto begun = std::find(running.zones.rbegin(), running.zones.rend(), marker->id);
      if (begun != running.zones.rend()) running.zones.erase(std::next(begun).base(), running.zones.end());
    }
    run_.running.push_back(std::move(running));
  }

  static void mark_header(const Push& push) {
    for (RawMarker* marker : push.markers) {
      if (marker->suspicion == Suspicion::kNone) marker->suspicion = Suspicion::kHeader;
    }
  }

  /// A processor that did not run in a launch is sent with its old length all the same: its guaranteed slots
  /// are blank, and the rest is what an earlier launch wrote. Trace-only buffers are never emptied either.
  std::uint64_t mark_stale(const Push& push) const {
    if (run_.modes.accumulates) return 0;
    const RawMarker* begin = push.slot(kOuterStart);
    const bool did_not_run = begin == nullptr && push.slot(kInnerStart) == nullptr &&
                             push.slot(kOuterEnd) == nullptr && push.slot(kInnerEnd) == nullptr;
    const std::uint64_t since =
        begin == nullptr ? 0 : begin->time + (begin->suspicion == Suspicion::kTime ? kCarry : 0);
    std::uint64_t count = 0;
    for (RawMarker* marker : push.markers) {
      if (marker->suspicion != Suspicion::kNone) continue;
      if (!push.is_optional(*marker) && !push.launch->unfinished) continue;
      if (!did_not_run && !push.launch->unfinished && (!marker->has_time() || marker->time >= since))
        continue;
      marker->suspicion = Suspicion::kStale;
      ++count;
    }
    return count;
  }

  /// Zeros where a launch should be.
  static bool is_empty(const Push& push) { return push.markers.empty() && push.launch->is_blank(); }

  bool ends_in_quick_push(const Push& push) const {
    return std::any_of(push.markers.begin(), push.markers.end(),
                       [&](const RawMarker* marker) { return run_.name_of(marker->id) == kQuickPush; });
  }

  /// No marker has room behind these; a buffer that is sent while the kernel runs goes on from its start.
  bool is_full(const Push& push) const {
    constexpr std::uint32_t kMin = 4;
    return is_classic() && push.words + kMin > kBufferWords && !ends_in_quick_push(push);
  }

  /// The event writer of the original asks for a push with less room than it needs: from one place on it
  /// neither pushes nor writes.
  bool is_stalled(const Push& push) const {
    constexpr std::uint32_t kStallWord = 494;
    if (!run_.modes.noc_events) return false;
    const RawMarker* last = nullptr;
    for (const RawMarker* marker : push.markers) {
      if (marker->kind == MarkerKind::kData && marker->id == kNocEventId) last = marker;
    }
    constexpr std::uint32_t kEventWords = 4;
    return last != nullptr && push.place_of(*last) + kEventWords == kStallWord;
  }

  static std::uint64_t only_in_l1(const RawProcessor& processor) {
    std::set<MarkerKey> sent;
    for (const RawMarker& marker : processor.dram.markers) sent.insert(key_of(marker));
    return static_cast<std::uint64_t>(std::count_if(
        processor.l1.markers.begin(), processor.l1.markers.end(),
        [&](const RawMarker& marker) { return marker.has_time() && !sent.contains(key_of(marker)); }));
  }

  static std::uint64_t unpaired(const RawRegion& region);

  RawRun& run_;
  RawCore& core_;
  std::uint32_t index_;
};

std::uint64_t CoreChecker::unpaired(const RawRegion& region) {
  // By time, as a host pairs them; equal markers of two pushes are one.
  std::set<std::tuple<std::uint64_t, bool, std::uint16_t>> zones;
  for (const RawMarker& marker : region.markers) {
    const bool is_early = marker.suspicion == Suspicion::kTime;
    if (!marker.is_zone() || (!is_early && marker.suspicion != Suspicion::kNone)) continue;
    zones.insert({marker.time + (is_early ? kCarry : 0), marker.kind == MarkerKind::kZoneStart, marker.id});
  }
  std::vector<std::uint16_t> open;
  std::unordered_map<std::uint16_t, std::uint64_t> open_of_id;
  std::uint64_t count = 0;
  for (const auto& [time, is_start, id] : zones) {
    if (is_start) {
      open.push_back(id);
      ++open_of_id[id];
      continue;
    }
    if (open_of_id[id] == 0) {
      ++count;
      continue;
    }
    while (open.back() != id) {  // what was begun inside of it never ended
      --open_of_id[open.back()];
      open.pop_back();
      ++count;
    }
    --open_of_id[id];
    open.pop_back();
  }
  return count + open.size();
}

}  // namespace

void judge_markers(RawRun& run) {
  for (std::uint32_t core = 0; core < run.cores.size(); ++core) CoreChecker(run, core).judge();
}

namespace {

constexpr std::string_view kAggregate = "TENSIX_RISC_AGG";
constexpr std::uint32_t kFirstKernelSlot = 8;
/// Ids of the two zones of a replay as a whole.
constexpr std::uint16_t kTraceFirmware = 0;
constexpr std::uint16_t kTraceKernel = 1;

auto key_of(const ReadMarker& marker) { return std::tie(marker.time, marker.id, marker.kind); }

std::uint32_t compute_cores_of(std::string_view arch) { return wormhole_or_blackhole(arch).tensix_cores(); }

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

class MarkerCollector {
 public:
  MarkerCollector(const RawRun& run, const CollectOptions& options, ProfilerReadout& out)
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
  const CollectOptions& options_;
  ProfilerReadout& out_;
};

}  // namespace

void collect_markers(const RawRun& run, const CollectOptions& options, ProfilerReadout& out) {
  MarkerCollector(run, options, out).take();
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

namespace {

using Kind = ProgramSpanKind;

struct KindInfo {
  Figure figure;
  std::string_view risc;  ///< the only one that counts; empty: all
};

constexpr std::array<KindInfo, kProgramSpanKinds> kKinds = {{
    {Figure::kTraceFwNs, "TENSIX_RISC_AGG"},
    {Figure::kTraceKernelNs, "TENSIX_RISC_AGG"},
    {Figure::kFirstToLastStartNs, ""},
    {Figure::kFwNs, ""},
    {Figure::kKernelNs, ""},
    {Figure::kKernelDmNs, ""},
    {Figure::kBriscNs, "BRISC"},
    {Figure::kNcriscNs, "NCRISC"},
    {Figure::kTrisc0Ns, "TRISC_0"},
    {Figure::kTrisc1Ns, "TRISC_1"},
    {Figure::kTrisc2Ns, "TRISC_2"},
    {Figure::kEriscNs, "ERISC"},
}};

bool has(std::string_view name, std::string_view word) { return name.find(word) != std::string_view::npos; }

/// Programs while they are being collected.
class ProgramCollector {
 public:
  explicit ProgramCollector(const ProfilerReadout& read) : read_(read) {}

  std::vector<ProgramTimes> collect() {
    for (const auto& [place, lane] : read_.lanes) {
      for (const ReadMarker& marker : lane.markers) take(place, lane.risc, marker);
    }
    std::vector<ProgramTimes> programs;
    for (auto& [key, program] : programs_) {
      program.times.key = key;
      program.times.cores = static_cast<std::uint32_t>(program.cores.size());
      for (ProgramSpan& span : program.times.spans) finish(span);
      programs.push_back(program.times);
    }
    std::stable_sort(programs.begin(), programs.end(), [](const ProgramTimes& a, const ProgramTimes& b) {
      return a.span(Kind::kFirmware).cycles.start < b.span(Kind::kFirmware).cycles.start;
    });
    return programs;
  }

 private:
  struct Program {
    ProgramTimes times;
    std::set<std::pair<std::int32_t, std::int32_t>> cores;
  };

  static void begin(Program& program, Kind kind, std::uint64_t time) {
    CycleSpan& span = program.times.spans[static_cast<std::size_t>(kind)].cycles;
    span.start = std::min(span.start, time);  // unknown is the largest number
  }
  static void end(Program& program, Kind kind, std::uint64_t time) {
    CycleSpan& span = program.times.spans[static_cast<std::size_t>(kind)].cycles;
    span.end = span.end == kNoCycle ? time : std::max(span.end, time);
  }
  static void widen(Program& program, Kind kind, const ReadMarker& marker) {
    if (marker.kind == MarkerKind::kZoneStart) {
      begin(program, kind, marker.time);
    } else {
      end(program, kind, marker.time);
    }
  }

  void take(const LaneId& place, std::string_view risc, const ReadMarker& marker) {
    if (!marker.is_zone()) return;
    const std::string_view name = read_.name_of(marker);
    const bool firmware = has(name, "-FW");
    if (!firmware && !has(name, "-KERNEL")) return;
    Program& program = programs_[{read_.device, marker.run_id, marker.trace, marker.replay}];
    if (firmware) program.cores.insert({place.x, place.y});
    widen(program, firmware ? Kind::kFirmware : Kind::kKernel, marker);
    if (read_.modes.trace_only) widen(program, firmware ? Kind::kTraceFirmware : Kind::kTraceKernel, marker);
    if (!firmware) take_kernel(program, risc, marker);
  }

  static void take_kernel(Program& program, std::string_view risc, const ReadMarker& marker) {
    const bool starts = marker.kind == MarkerKind::kZoneStart;
    if (starts) {
      begin(program, Kind::kFirstToLastStart, marker.time);
      end(program, Kind::kFirstToLastStart, marker.time);
    }
    const bool moves_data = risc == "BRISC" || risc == "NCRISC" || risc == "ERISC";
    if (!starts || moves_data) widen(program, Kind::kKernelDmStart, marker);
    for (std::size_t kind = static_cast<std::size_t>(Kind::kBriscKernel); kind < kProgramSpanKinds; ++kind) {
      if (kKinds[kind].risc == risc) widen(program, static_cast<Kind>(kind), marker);
    }
  }

  void finish(ProgramSpan& span) const {
    if (!span.cycles.is_whole() || span.cycles.end < span.cycles.start) {
      span.cycles = {};
      return;
    }
    constexpr double kMhzPerGhz = 1000;
    const double mhz = read_.clock_mhz > 0 ? read_.clock_mhz : kMhzPerGhz;
    span.ns = static_cast<std::uint64_t>(
        std::llround(static_cast<double>(span.cycles.end - span.cycles.start) * kMhzPerGhz / mhz));
  }

  const ProfilerReadout& read_;
  std::map<ExecutionKey, Program> programs_;
};

}  // namespace

std::string_view column_of(ProgramSpanKind kind) {
  return column_of(kKinds[static_cast<std::size_t>(kind)].figure);
}

std::vector<ProgramTimes> program_times(const ProfilerReadout& read) {
  return ProgramCollector(read).collect();
}

}  // namespace ttscope::perf
