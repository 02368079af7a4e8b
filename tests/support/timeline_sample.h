#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/writer.h"
#include "timeline/model/timeline.h"
#include "timeline/write/exports.h"

/// Timelines for tests: put together by hand, or at random.
namespace ttscope::timeline {

/// Adds to a timeline as a test tells it.
class SampleMaker {
 public:
  std::uint32_t group(std::string_view name, std::uint32_t parent = kNone) {
    made.groups.push_back({made.texts.intern(name), parent});
    return static_cast<std::uint32_t>(made.groups.size() - 1);
  }
  std::uint32_t place(std::string_view name, std::string_view file = "host.cpp", std::uint32_t line = 42) {
    made.locations.push_back({made.texts.intern(name), 0, made.texts.intern(file), line, 0});
    return static_cast<std::uint32_t>(made.locations.size() - 1);
  }
  std::uint32_t detail(ZoneDetail detail) {
    made.details.push_back(detail);
    return static_cast<std::uint32_t>(made.details.size() - 1);
  }
  Track& track(std::string_view name, TrackKind kind, std::uint32_t of_group) {
    Track& track = made.tracks.emplace_back();
    track.name = made.texts.intern(name);
    track.kind = kind;
    track.group = of_group;
    track.first_zone = made.zones.size();
    return track;
  }
  void zone(std::int64_t start, std::int64_t end, std::uint32_t place, std::size_t depth = 0,
            std::uint32_t detail = 0) {
    made.zones.open(start, place, detail, depth);
    made.zones.end_ns.back() = end;
    Track& track = made.tracks.back();
    ++track.zone_count;
    track.most_depth = std::max(track.most_depth, static_cast<std::uint16_t>(depth));
  }

  Timeline made;
};

/// Two threads, a core with two processors, an op, frames, messages and a plot.
inline Timeline sample_timeline() {
  SampleMaker maker;
  Timeline& made = maker.made;
  made.sources.push_back({"sample", "sample", "prog", "a machine", 77, 1'700'000'000'000'000'000, 0, {}, 0});
  const std::uint32_t host = maker.group("prog");
  const std::uint32_t device = maker.group("Device 0");
  const std::uint32_t core = maker.group("Core 1,2", device);
  const std::uint32_t enqueue = maker.place("EnqueueProgram");
  const std::uint32_t leaf = maker.place("Leaf", "leaf,\"x\".cpp", 7);
  const std::uint32_t firmware = maker.place("BRISC-FW", "brisc.cc", 433);
  const std::uint32_t kernel = maker.place("BRISC-KERNEL", "brisck.cc", 78);
  const std::uint32_t frame = maker.place("step", "", 0);
  const std::uint32_t matmul = maker.place("Matmul", "", 0);
  const std::uint32_t text = maker.detail({.text = made.texts.intern("id:1024")});
  const std::uint32_t renamed = maker.detail({.name = made.texts.intern("RENAMED"), .color = 0x102030});
  const std::uint32_t op = maker.detail({.op = 1024});
  maker.track("step", TrackKind::kFrames, host);
  maker.zone(1000, 5000, frame);
  maker.zone(5000, 9500, frame);
  Track& main = maker.track("main", TrackKind::kThread, host);
  main.id = 4242;
  main.number = 1;
  maker.zone(1000, 6000, enqueue, 0, text);
  maker.zone(2000, 3000, leaf, 1);
  maker.zone(3000, 3000, leaf, 1, renamed);
  maker.zone(7000, 9000, enqueue);
  Track& worker = maker.track("worker", TrackKind::kThread, host);
  worker.id = 4243;
  worker.number = 2;
  maker.zone(1500, 2500, leaf);
  Track& ops = maker.track("Ops", TrackKind::kOps, device);
  ops.device = 0;
  maker.zone(2000, 5100, matmul);
  for (std::uint64_t risc = 0; risc < 2; ++risc) {
    Track& lane = maker.track(risc == 0 ? "BRISC" : "NCRISC", TrackKind::kLane, core);
    lane.id = risc | 1U << 3 | 2U << 7;
    lane.device = 0;
    lane.core_x = 1;
    lane.core_y = 2;
    const auto shift = static_cast<std::int64_t>(risc * 10);
    maker.zone(2000 + shift, 5000 + shift, firmware, 0, risc == 0 ? op : 0);
    maker.zone(2100 + shift, 4900 + shift, kernel, 1);
  }
  made.messages = {{900, made.texts.intern("`TT_SIGNPOST: Warmup`"), 1, 0xF0F8FF},
                   {6500, made.texts.intern("second\nline"), 2, 0}};
  Plot& plot = made.plots.emplace_back();
  plot.name = made.texts.intern("L1_used_bytes");
  plot.unit = PlotUnit::kBytes;
  plot.group = host;
  plot.points = {{1000, 10}, {5000, 50}, {9000, 20}};
  made.find_span();
  return std::move(maker.made);
}

/// A timeline of threads and lanes with zones nested at random.
inline Timeline random_timeline(std::uint32_t seed, std::size_t zones) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t end) { return static_cast<std::uint32_t>(random() % end); };
  SampleMaker maker;
  Timeline& made = maker.made;
  const std::uint32_t host = maker.group("prog");
  const std::uint32_t core = maker.group("Core 3,4", maker.group("Device 1"));
  for (int i = 0; i < 20; ++i)
    maker.place("zone " + std::to_string(i), "f.cc", static_cast<std::uint32_t>(i));
  for (int i = 0; i < 5; ++i) maker.detail({.text = made.texts.intern("text " + std::to_string(i))});
  for (std::uint32_t number = 0; number < 6; ++number) {
    const bool lane = number >= 3;
    Track& track = lane ? maker.track(std::vector<std::string_view>{"BRISC", "NCRISC", "TRISC_0"}[number - 3],
                                      TrackKind::kLane, core)
                        : maker.track("thread " + std::to_string(number), TrackKind::kThread, host);
    track.id = lane ? (number - 3) | 3U << 3 | 4U << 7 | 1U << 11 : 100 + number;
    track.number = lane ? 0 : number + 1;
    if (lane) {
      track.device = 1;
      track.core_x = 3;
      track.core_y = 4;
    }
    std::vector<std::int64_t> ends;
    std::int64_t time = 0;
    for (std::size_t i = 0; i < zones / 6; ++i) {
      time += below(100);
      while (!ends.empty() && (ends.back() <= time || below(4) == 0)) {
        time = std::max(time, ends.back());
        ends.pop_back();
      }
      const std::int64_t room = ends.empty() ? 5000 : ends.back() - time;
      const std::int64_t end = time + static_cast<std::int64_t>(random()) % (room + 1);
      maker.zone(time, std::max(time, end), below(20), ends.size(), lane ? 0 : below(6));
      ends.push_back(std::max(time, end));
    }
  }
  made.find_span();
  return std::move(maker.made);
}

/// What can be compared of zones, whatever their texts are numbered.
using ZoneFacts = std::tuple<std::string, std::string, std::int64_t, std::int64_t, std::uint16_t, std::string,
                             std::uint64_t, std::string>;
inline std::vector<ZoneFacts> facts_of(const Timeline& timeline) {
  std::vector<ZoneFacts> facts;
  for (const Track& track : timeline.tracks) {
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      const ZoneDetail& detail = timeline.details[timeline.zones.detail[zone]];
      const Location& place = timeline.locations[timeline.zones.location[zone]];
      facts.emplace_back(full_name(timeline, track), timeline.name_of_zone(zone),
                         timeline.zones.start_ns[zone], timeline.zones.end_ns[zone],
                         timeline.zones.depth[zone], timeline.text(detail.text), detail.op,
                         std::string(timeline.text(place.file)) + ":" + std::to_string(place.line));
    }
  }
  return facts;
}

inline std::string tracy_bytes(const Timeline& timeline, TracyVersion version = TracyVersion::kMinor11) {
  StringWriter out;
  if (!write_tracy(timeline, version, out) || !out.finish()) return {};
  return out.text();
}

}  // namespace ttscope::timeline
