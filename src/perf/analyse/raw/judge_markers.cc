#include "perf/analyse/raw/judge_markers.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

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
    constexpr std::uint64_t kJustBehind = 4096;
    if ((order[i]->time & (kCarry - 1)) >= kJustBehind) continue;
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

class CoreJudge {
 public:
  CoreJudge(RawRun& run, std::uint32_t core) : run_(run), core_(run.cores[core]), index_(core) {}

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
    constexpr std::uint32_t kLeast = 4;
    return is_classic() && push.words + kLeast > kBufferWords && !ends_in_quick_push(push);
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

std::uint64_t CoreJudge::unpaired(const RawRegion& region) {
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
  for (std::uint32_t core = 0; core < run.cores.size(); ++core) CoreJudge(run, core).judge();
}

}  // namespace ttscope::perf
