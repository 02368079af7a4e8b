// Parts of tracy_file.h: what has a time.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

#include "base/number_text.h"
#include "timeline/read/tracy/device_context.h"
#include "timeline/read/tracy/tracy_file.h"

namespace ttscope::timeline {
namespace {

/// Room is made on the word of a file only so far.
constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 24;

/// Zones of a track as they are read: a zone, then those in it, then its end. The nesting is not recursion,
/// because a file may hold any.
template <typename Source, typename Count>
class ZoneTree {
 public:
  ZoneTree(TracyFile& file, Source& source) : file_(file), zones_(file.timeline.zones), source_(source) {}

  void read(Track& track, Count count) {
    track.first_zone = zones_.size();
    levels_.assign(1, {count, 0});
    std::int64_t last = 0;
    while (!levels_.empty() && file_.payload.is_whole()) {
      if (levels_.back().left == 0) {
        levels_.pop_back();
        if (levels_.empty()) break;
        const std::int64_t inside_until = last;
        last = close(levels_.back().zone);
        if (last < inside_until) note_outside();
        continue;
      }
      --levels_.back().left;
      const std::size_t zone = open(track);
      if (!file_.payload.is_whole()) break;
      last = zones_.start_ns[zone];
      const auto inside = file_.payload.read<Count>();
      levels_.back().zone = zone;
      if (inside == 0) {
        last = close(zone);
      } else {
        levels_.push_back({inside, 0});
      }
    }
    end_cut_zones(last);
    track.zone_count = zones_.size() - track.first_zone;
  }

 private:
  struct Level {
    Count left;
    std::size_t zone;
  };

  std::size_t open(Track& track) {
    std::uint32_t place = 0;
    std::uint32_t detail = 0;
    const std::int64_t start = source_.read_start(place, detail);
    if (!file_.payload.is_whole()) return 0;
    const std::size_t depth = levels_.size() - 1;
    track.most_depth = static_cast<std::uint16_t>(
        std::max<std::size_t>(track.most_depth, std::min<std::size_t>(depth, UINT16_MAX)));
    const std::size_t zone = zones_.open(start, place, detail, depth);
    if (depth > 0 && start < zones_.start_ns[levels_[depth - 1].zone]) note_outside();
    return zone;
  }

  std::int64_t close(std::size_t zone) {
    std::int64_t end = source_.read_end();
    if (!file_.payload.is_whole()) {
      cut_zone_ = zone;
      return zones_.start_ns[zone];
    }
    if (end < zones_.start_ns[zone]) {
      file_.timeline.problems.add(TimelineProblem::kZoneWithoutEnd, file_.part);
      end = zones_.start_ns[zone];
    }
    zones_.end_ns[zone] = end;
    return end;
  }

  void note_outside() { file_.timeline.problems.add(TimelineProblem::kZoneOutside, file_.part); }

  /// The file ended inside of them.
  void end_cut_zones(std::int64_t last) {
    if (file_.payload.is_whole()) return;
    const auto end = [&](std::size_t zone) {
      zones_.end_ns[zone] = std::max(last, zones_.start_ns[zone]);
      file_.timeline.problems.add(TimelineProblem::kZoneWithoutEnd, file_.part);
    };
    // The innermost level has no open zone unless its end was what could not be read.
    for (std::size_t level = 0; level + 1 < levels_.size(); ++level) end(levels_[level].zone);
    if (cut_zone_ != SIZE_MAX) end(cut_zone_);
  }

  TracyFile& file_;
  Zones& zones_;
  Source& source_;
  std::vector<Level> levels_;
  std::size_t cut_zone_ = SIZE_MAX;
};

/// Zones of a thread.
class ThreadZones {
 public:
  explicit ThreadZones(TracyFile& file) : file_(file) {}

  std::int64_t read_start(std::uint32_t& place, std::uint32_t& detail) {
    const auto number = file_.payload.read<std::int16_t>();
    time_ = file_.read_time(time_);
    const auto extra = file_.payload.read<std::uint32_t>();
    if (!file_.payload.is_whole()) return 0;
    place = file_.place_of(number).location;
    detail = extra < file_.extras.size() ? file_.extras[extra] : 0;
    return time_;
  }
  std::int64_t read_end() { return time_ = file_.read_time(time_); }

 private:
  TracyFile& file_;
  std::int64_t time_ = 0;
};

/// Zones of a lane of a device. Their times on the host, when they were asked for, are not kept.
class LaneZones {
 public:
  explicit LaneZones(TracyFile& file) : file_(file), has_queries_(file.is_at_least(12, 4)) {}

  std::int64_t read_start(std::uint32_t& place, std::uint32_t& detail) {
    file_.payload.skip(8);
    time_ = file_.read_time(time_);
    const auto number = file_.payload.read<std::int16_t>();
    file_.payload.skip(3 + 2);
    if (!file_.payload.is_whole()) return 0;
    const TracyPlace found = file_.place_of(number);
    place = found.location;
    detail = found.op == kNoOp ? 0 : detail_of(found.op);
    return time_;
  }
  std::int64_t read_end() {
    file_.payload.skip(8);
    time_ = file_.read_time(time_);
    if (has_queries_) file_.payload.skip(2);
    return time_;
  }

 private:
  std::uint32_t detail_of(std::uint64_t op) {
    std::vector<ZoneDetail>& details = file_.timeline.details;
    const auto [found, is_new] = file_.op_details.try_emplace(op, static_cast<std::uint32_t>(details.size()));
    if (is_new) details.push_back({.op = op});
    return found->second;
  }

  TracyFile& file_;
  bool has_queries_;
  std::int64_t time_ = 0;
};

std::uint32_t add_group(Timeline& timeline, std::string_view name, std::uint32_t parent) {
  timeline.groups.push_back({timeline.texts.intern(name), parent});
  return static_cast<std::uint32_t>(timeline.groups.size() - 1);
}

/// The groups that lanes go to, each made once.
class DeviceGroups {
 public:
  explicit DeviceGroups(Timeline& timeline) : timeline_(timeline) {}

  std::uint32_t of_device(std::uint32_t device) {
    const auto [found, is_new] = devices_.try_emplace(device, 0);
    if (is_new) found->second = add_group(timeline_, fmt::format("Device {}", device), kNone);
    return found->second;
  }
  std::uint32_t of_core(const CoreName& core) {
    const std::uint32_t device = of_device(core.device);
    const auto [found, is_new] = cores_.try_emplace({core.device, core.x, core.y}, 0);
    if (is_new) found->second = add_group(timeline_, fmt::format("Core {},{}", core.x, core.y), device);
    return found->second;
  }
  std::uint32_t of_context(std::string_view name) {
    return add_group(timeline_, name.empty() ? "Device" : name, kNone);
  }

 private:
  Timeline& timeline_;
  std::map<std::uint32_t, std::uint32_t> devices_;
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::uint32_t> cores_;
};

void read_context(TracyFile& file, DeviceGroups& groups) {
  Payload& payload = file.payload;
  payload.skip(8 + 1 + 8 + 4 + 1);  // thread, calibrated, zones, period, kind
  const std::string name(file.timeline.text(file.read_text_number()));
  payload.skip(8);
  if (file.is_at_least(12, 4)) payload.skip(payload.read<std::uint64_t>(), 8 + 3);
  const auto lanes = payload.read<std::uint64_t>();
  if (!payload.is_whole()) return;
  const std::optional<CoreName> core = core_of_context(name);
  const std::optional<WholeDevice> whole = device_of_context(name);
  const std::uint32_t group = core    ? groups.of_core(*core)
                              : whole ? groups.of_device(whole->device)
                                      : groups.of_context(name);
  for (std::uint64_t i = 0; i < lanes && payload.is_whole(); ++i) {
    Track track;
    track.kind = whole ? whole->kind : TrackKind::kLane;
    track.group = group;
    track.id = payload.read<std::uint64_t>();
    const auto count = payload.read<std::uint64_t>();
    if (!payload.is_whole()) return;
    track.name = file.timeline.texts.intern(whole ? track_name(*whole, track.id)
                                                  : lane_name(track.id, core.has_value()));
    if (whole) track.device = whole->device;
    if (core) {
      track.device = core->device;
      track.core_x = core->x;
      track.core_y = core->y;
    }
    LaneZones zones(file);
    ZoneTree<LaneZones, std::uint64_t>(file, zones).read(track, count);
    file.timeline.tracks.push_back(track);
  }
  if (!file.is_at_least(12, 4)) return;
  for (auto queries = payload.read<std::uint64_t>(); queries > 0 && payload.is_whole(); --queries) {
    payload.skip(2);
    payload.skip(payload.read<std::uint64_t>(), 8 + 8);
  }
}

PlotUnit unit_of(std::uint8_t format) {
  return format == 1 ? PlotUnit::kBytes : format == 2 ? PlotUnit::kPercent : PlotUnit::kNumber;
}

/// Where a frame begins that ends the one before; in a damaged file it may say a time before that one.
std::int64_t next_frame_start(TracyFile& file, std::int64_t start) {
  Zones& zones = file.timeline.zones;
  if (start < zones.start_ns.back()) {
    file.timeline.problems.add(TimelineProblem::kZoneOutside, file.part);
    start = zones.start_ns.back();
  }
  zones.end_ns.back() = start;
  return start;
}

}  // namespace

void read_frames(TracyFile& file, std::uint32_t group) {
  file.part = "frames";
  Payload& payload = file.payload;
  Timeline& timeline = file.timeline;
  for (auto sets = payload.read<std::uint64_t>(); sets > 0 && payload.is_whole(); --sets) {
    const auto name = payload.read<std::uint64_t>();
    const bool continuous = payload.read<std::uint8_t>() != 0;
    auto count = payload.read<std::uint64_t>();
    Track track;
    track.kind = TrackKind::kFrames;
    track.group = group;
    track.id = name;
    track.first_zone = timeline.zones.size();
    std::int64_t time = 0;
    const auto place = static_cast<std::uint32_t>(timeline.locations.size());
    for (; count > 0; --count) {
      time = file.read_time(time);
      std::int64_t start = time;
      if (!continuous) time = file.read_time(time);
      payload.skip(4);
      if (!payload.is_whole()) break;
      if (continuous && timeline.zones.size() > track.first_zone) start = next_frame_start(file, start);
      timeline.zones.open(start, place, 0, 0);
      timeline.zones.end_ns.back() = continuous ? std::max(timeline.last_ns, start) : std::max(start, time);
    }
    track.zone_count = timeline.zones.size() - track.first_zone;
    // Two marks without a name are the capture's own: its beginning and that of the program.
    constexpr std::size_t kOwnMarks = 2;
    if (track.zone_count == 0 || (name == 0 && track.zone_count <= kOwnMarks)) {
      for (; track.zone_count > 0; --track.zone_count) {
        timeline.zones.start_ns.pop_back();
        timeline.zones.end_ns.pop_back();
        timeline.zones.location.pop_back();
        timeline.zones.detail.pop_back();
        timeline.zones.depth.pop_back();
      }
      continue;
    }
    timeline.locations.push_back({});
    timeline.tracks.push_back(track);
  }
  if (file.is_at_least(13, 5)) {
    for (auto kinds = payload.read<std::uint64_t>(); kinds > 0 && payload.is_whole(); --kinds) {
      payload.skip(2);
      payload.skip(payload.read<std::uint64_t>(), 6 + 6 + 3);
    }
    payload.skip(payload.read<std::uint64_t>(), 2 + 3);
  } else if (file.is_at_least(13, 4)) {
    payload.skip(payload.read<std::uint64_t>(), 6 + 6 + 3);
  }
}

void name_frames(TracyFile& file) {
  for (Track& track : file.timeline.tracks) {
    if (track.kind != TrackKind::kFrames) continue;
    const auto found = file.named.find(track.id);
    track.name = found == file.named.end() ? file.timeline.texts.intern("Frame") : found->second;
    file.timeline.locations[file.timeline.zones.location[track.first_zone]].name = track.name;
  }
}

void read_messages(TracyFile& file) {
  file.part = "messages";
  Payload& payload = file.payload;
  std::int64_t time = 0;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    const auto id = payload.read<std::uint64_t>();
    Message message;
    message.time_ns = time = file.read_time(time);
    message.text = file.read_reference();
    message.color = payload.read<std::uint32_t>() & 0xFFFFFF;
    payload.skip(file.is_at_least(13, 2) ? 3 + 2 : 3);
    if (!payload.is_whole()) return;
    file.message_numbers.insert_or_assign(id, static_cast<std::uint32_t>(file.timeline.messages.size()));
    file.timeline.messages.push_back(message);
  }
}

void read_threads(TracyFile& file, std::uint32_t group, TimelineSource& source) {
  Payload& payload = file.payload;
  Timeline& timeline = file.timeline;
  file.part = "zones of threads";
  timeline.zones.reserve(timeline.zones.size() +
                         static_cast<std::size_t>(std::min(payload.read<std::uint64_t>(), kMostReserved)));
  payload.skip(8);
  for (auto threads = payload.read<std::uint64_t>(); threads > 0 && payload.is_whole(); --threads) {
    Track track;
    track.group = group;
    track.id = payload.read<std::uint64_t>();
    payload.skip(8 + 8 + 1);
    if (file.is_at_least(11, 1)) payload.skip(4);
    const auto count = payload.read<std::uint32_t>();
    if (!payload.is_whole()) return;
    const auto name = file.thread_names.find(track.id);
    track.name = name != file.thread_names.end() ? name->second
                                                 : timeline.texts.intern(fmt::format("thread {}", track.id));
    // As Tracy numbers threads that the table of the file lacks: on from it.
    const auto next = static_cast<std::uint32_t>(file.thread_numbers.size());
    track.number = file.thread_numbers.try_emplace(track.id, next).first->second;
    ThreadZones zones(file);
    ZoneTree<ThreadZones, std::uint32_t>(file, zones).read(track, count);
    const auto place = static_cast<std::uint32_t>(timeline.tracks.size());
    timeline.tracks.push_back(track);
    for (auto messages = payload.read<std::uint64_t>(); messages > 0; --messages) {
      const auto id = payload.read<std::uint64_t>();
      if (!payload.is_whole()) return;
      const auto found = file.message_numbers.find(id);
      if (found != file.message_numbers.end()) timeline.messages[found->second].track = place;
    }
    for (int list = 0; list < 2; ++list) {
      const auto samples = payload.read<std::uint64_t>();
      payload.skip(samples, 8 + 3);
      if (payload.is_whole()) source.not_kept += samples;
    }
  }
  if (!payload.is_whole()) return;
  for (const Message& message : timeline.messages) {
    if (message.track == kNone) timeline.problems.add(TimelineProblem::kUnknownThread, "messages");
  }
}

void read_device_contexts(TracyFile& file) {
  file.part = "zones of devices";
  Payload& payload = file.payload;
  Timeline& timeline = file.timeline;
  timeline.zones.reserve(timeline.zones.size() +
                         static_cast<std::size_t>(std::min(payload.read<std::uint64_t>(), kMostReserved)));
  payload.skip(8);
  DeviceGroups groups(timeline);
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    read_context(file, groups);
  }
}

void read_plots(TracyFile& file, std::uint32_t group) {
  file.part = "plots";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    constexpr std::uint8_t kProcessorUse = 2;  // the profiler's own plot, which has no name
    const auto kind = payload.read<std::uint8_t>();
    Plot plot;
    plot.unit = unit_of(payload.read<std::uint8_t>());
    payload.skip(1 + 1 + 4);
    const auto name = file.named.find(payload.read<std::uint64_t>());
    if (kind == kProcessorUse) {
      plot.name = file.timeline.texts.intern("CPU usage");
    } else if (name != file.named.end()) {
      plot.name = name->second;
    }
    plot.group = group;
    payload.skip(std::uint64_t{3} * 8);
    std::int64_t time = 0;
    for (auto points = payload.read<std::uint64_t>(); points > 0; --points) {
      time = file.read_time(time);
      const auto value = payload.read<double>();
      if (!payload.is_whole()) break;
      plot.points.push_back({time, value});
    }
    std::stable_sort(plot.points.begin(), plot.points.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.time_ns < b.time_ns; });
    if (!plot.points.empty()) file.timeline.plots.push_back(std::move(plot));
  }
}

void read_memory(TracyFile& file, std::uint32_t group) {
  file.part = "allocations";
  Payload& payload = file.payload;
  const auto pools = payload.read<std::uint64_t>();
  payload.skip(8);
  for (std::uint64_t i = 0; i < pools && payload.is_whole(); ++i) {
    const auto name = payload.read<std::uint64_t>();
    auto events = payload.read<std::uint64_t>();
    payload.skip(8 + 8);
    std::vector<PlotPoint> changes;
    std::int64_t time = 0;
    for (; events > 0; --events) {
      payload.skip(8);
      const auto size = static_cast<double>(payload.read<std::uint64_t>());
      payload.skip(3 + 3);
      time = file.read_time(time);
      const auto lived = payload.read<std::int64_t>();
      payload.skip(2 + 2);
      if (!payload.is_whole()) break;
      changes.push_back({time, size});
      if (lived >= 0 && lived <= INT64_MAX - std::max<std::int64_t>(time, 0)) {
        changes.push_back({time + lived, -size});
      }
    }
    payload.skip(std::uint64_t{4} * 8);
    if (changes.empty()) continue;
    std::stable_sort(changes.begin(), changes.end(),
                     [](const PlotPoint& a, const PlotPoint& b) { return a.time_ns < b.time_ns; });
    Plot plot;
    // The pool of the program itself has no name, and its 0 is that of the frames without one.
    const auto found = name == 0 ? file.named.end() : file.named.find(name);
    plot.name = found != file.named.end() ? found->second : file.timeline.texts.intern("Memory");
    plot.unit = PlotUnit::kBytes;
    plot.made = true;
    plot.group = group;
    double used = 0;
    for (const PlotPoint& change : changes) {
      used += change.value;
      if (!plot.points.empty() && plot.points.back().time_ns == change.time_ns) {
        plot.points.back().value = used;
      } else {
        plot.points.push_back({change.time_ns, used});
      }
    }
    file.timeline.plots.push_back(std::move(plot));
  }
}

}  // namespace ttscope::timeline
