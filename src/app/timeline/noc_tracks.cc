#include "app/timeline/noc_tracks.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <tuple>

#include "io/whole_text.h"
#include "perf/read/noc_trace/noc_events.h"

namespace ttscope::app {
namespace {

using timeline::Timeline;
using timeline::TimelineProblem;
using timeline::Track;

constexpr std::int64_t kBucketNs = 1000;
constexpr std::uint32_t kTransferColor = 0x8FBC8F;

class NocTracks {
 public:
  NocTracks(const std::map<std::uint32_t, DeviceClock>& clocks, Timeline& timeline)
      : clocks_(clocks), timeline_(timeline) {
    for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
      const Track& track = timeline.tracks[i];
      if (track.kind != timeline::TrackKind::kLane) continue;
      lanes_.try_emplace({track.device, track.core_x, track.core_y, std::string(timeline.text(track.name))},
                         i);
    }
  }

  void add_file(const perf::Capture& capture, const std::string& path) {
    const Result<io::WholeText> text = io::open_whole_text(path);
    const std::string name = std::filesystem::path(path).filename().string();
    const perf::ExecutionKey key = perf::key_of_noc_file(name);
    const auto device = static_cast<std::uint32_t>(key.device + capture.device_offset);
    const auto clock = clocks_.find(device);
    if (!text) {
      timeline_.findings.push_back(timeline::reader_warning(text.error().message));
      return;
    }
    anchors_.clear();
    const bool is_list = perf::read_noc_events(text->bytes(), [&](const perf::NocEvent& event) {
      if (clock == clocks_.end() || !clock->second.is_known() || std::isnan(clock->second.anchor_cycle)) {
        timeline_.problems.add_count(TimelineProblem::kWithoutClock, 1);
        return;
      }
      take(device, key, clock->second, event);
    });
    if (!is_list)
      timeline_.findings.push_back({.kind = timeline::FindingKind::kNocEventsDamaged, .file = path});
    if (is_list) timeline_.sources.push_back({.path = path, .format = "NoC trace"});
  }

  void finish() {
    for (const auto& [device, buckets] : buckets_) add_plot(device, buckets);
  }

 private:
  using LaneKey = std::tuple<std::uint32_t, std::uint16_t, std::uint16_t, std::string>;
  struct Anchor {
    std::uint64_t cycle = 0;
    std::int64_t ns = 0;
  };

  void take(std::uint32_t device, const perf::ExecutionKey& key, const DeviceClock& clock,
            const perf::NocEvent& event) {
    const LaneKey lane = {device, event.x, event.y, std::string(event.risc)};
    const auto track = lanes_.find(lane);
    if (event.type.empty()) {
      if (track != lanes_.end()) note_start(lane, timeline_.tracks[track->second], key, event);
      return;
    }
    const std::int64_t at = time_of(lane, clock, event.cycle);
    std::string text = fmt::format("{} {} B", event.type, event.bytes);
    if (!event.noc.empty()) text += fmt::format(" {}", event.noc);
    if (!event.to.empty())
      text += fmt::format(" {} {}", event.type.starts_with("READ") ? "from" : "to", event.to);
    timeline_.messages.push_back(
        {at, timeline_.texts.intern(text), track == lanes_.end() ? kNone : track->second, kTransferColor});
    const std::int64_t bucket = at >= 0 ? at / kBucketNs : -((-at + kBucketNs - 1) / kBucketNs);
    buckets_[device][bucket] += static_cast<double>(event.bytes);
  }

  /// The times of a trace may be those of another device's clock (clocks that were synchronised): the zones
  /// that the trace and the log both have tell where it stands.
  void note_start(const LaneKey& lane, const Track& track, const perf::ExecutionKey& key,
                  const perf::NocEvent& event) {
    if (anchors_.find(lane) != anchors_.end() || key.trace >= 0) return;
    const std::uint64_t op = key.op_id != 0 ? key.op_id : event.op;
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      if (timeline_.details[timeline_.zones.detail[zone]].op != op ||
          timeline_.name_of_zone(zone) != event.zone)
        continue;
      anchors_[lane] = {event.cycle, timeline_.zones.start_ns[zone]};
      return;
    }
  }

  std::int64_t time_of(const LaneKey& lane, const DeviceClock& clock, std::uint64_t cycle) const {
    constexpr double kMost = 4e18;
    const auto anchor = anchors_.find(lane);
    double ns = clock.ns_at(static_cast<double>(cycle));
    if (anchor != anchors_.end()) {
      const double cycles = static_cast<double>(cycle) - static_cast<double>(anchor->second.cycle);
      ns = static_cast<double>(anchor->second.ns) + cycles / clock.cycles_per_ns;
    }
    return std::llround(std::clamp(ns, -kMost, kMost));
  }

  void add_plot(std::uint32_t device, const std::map<std::int64_t, double>& buckets) {
    timeline::Plot& plot = timeline_.plots.emplace_back();
    plot.name = timeline_.texts.intern(fmt::format("Device {} NoC bytes per us", device));
    plot.unit = timeline::PlotUnit::kBytes;
    plot.made = true;
    plot.group = group_of(device);
    for (auto bucket = buckets.begin(); bucket != buckets.end(); ++bucket) {
      plot.points.push_back({bucket->first * kBucketNs, bucket->second});
      const auto next = std::next(bucket);
      if (next == buckets.end() || next->first > bucket->first + 1) {
        plot.points.push_back({(bucket->first + 1) * kBucketNs, 0});
      }
    }
  }

  std::uint32_t group_of(std::uint32_t device) const {
    for (const auto& [key, track] : lanes_) {
      if (std::get<0>(key) == device) return timeline_.groups[timeline_.tracks[track].group].parent;
    }
    return kNone;
  }

  const std::map<std::uint32_t, DeviceClock>& clocks_;
  Timeline& timeline_;
  std::map<LaneKey, std::uint32_t> lanes_;
  std::map<LaneKey, Anchor> anchors_;
  std::map<std::uint32_t, std::map<std::int64_t, double>> buckets_;
};

}  // namespace

void add_noc_tracks(const perf::Profile& run, const std::map<std::uint32_t, DeviceClock>& clocks,
                    timeline::Timeline& timeline) {
  NocTracks tracks(clocks, timeline);
  for (const perf::Capture& capture : run.captures) {
    for (const std::string& path : capture.files.noc_traces) tracks.add_file(capture, path);
  }
  tracks.finish();
}

}  // namespace ttscope::app
