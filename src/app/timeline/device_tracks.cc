#include "app/timeline/device_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>

#include "base/number_text.h"
#include "io/open_input.h"
#include "perf/load.h"
#include "perf/read/side_files.h"
#include "timeline/analyze/op_tracks.h"

namespace ttscope::app {
namespace {

using timeline::AlignmentBasis;

AlignmentBasis basis_of(perf::ClockBasis basis) {
  switch (basis) {
    case perf::ClockBasis::kCollectives:
      return AlignmentBasis::kCollectives;
    case perf::ClockBasis::kSharedOps:
      return AlignmentBasis::kDeviceOps;
    case perf::ClockBasis::kHost:
      return AlignmentBasis::kHostOps;
    case perf::ClockBasis::kSync:
      return AlignmentBasis::kSync;
    case perf::ClockBasis::kNone:
      break;
  }
  return AlignmentBasis::kStart;
}

/// Which times of two hosts are the same, and how well that is known.
void set_shift(HostClock& host, AlignmentBasis basis, std::vector<double> distances) {
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  host.shift_ns = *middle;
  host.basis = basis;
  host.samples = distances.size();
  for (const double distance : distances)
    host.worst_ns = std::max(host.worst_ns, std::abs(distance - host.shift_ns));
}

/// Captures of Tracy say the second in which they began, recordings the time of day of their machine.
void move_by_time(const HostClock& first, HostClock& host) {
  if (first.captured_at_ns != 0 && host.captured_at_ns != 0) {
    const double distance =
        static_cast<double>(host.captured_at_ns) - static_cast<double>(first.captured_at_ns);
    set_shift(host, AlignmentBasis::kStamps, {distance});
    const std::int64_t within_ns = std::max(first.captured_within_ns, host.captured_within_ns);
    host.worst_ns = within_ns > 0 ? static_cast<double>(within_ns) : -1;
    return;
  }
  host.shift_ns = static_cast<double>(first.first_ns - host.first_ns);
  host.basis = AlignmentBasis::kStart;
}

class ClockFinder {
 public:
  ClockFinder(const perf::Profile& run, std::vector<HostClock>& hosts) : run_(run), hosts_(hosts) {}

  std::map<std::uint32_t, DeviceClock> find() {
    take_op_clocks();
    take_other_clocks();
    bool moved = false;
    for (std::size_t i = 0; i < run_.captures.size(); ++i) moved |= move_to_host(i);
    for (std::size_t i = 0; i < run_.captures.size(); ++i) take_sync(i);
    for (std::size_t i = 1; i < run_.captures.size(); ++i) align_host(i);
    if (!moved && clocks_.size() == 1 && clocks_.begin()->second.alignment.basis == AlignmentBasis::kStart) {
      clocks_.begin()->second.alignment.basis = AlignmentBasis::kAxis;
    }
    for (auto& [device, clock] : clocks_) {
      clock.alignment.what = fmt::format("device {}", device);
      clock.alignment.cycles_per_ns = clock.cycles_per_ns;
    }
    return std::move(clocks_);
  }

 private:
  /// The capture that a device is of.
  std::size_t capture_of(std::uint32_t device) const {
    std::size_t found = 0;
    for (std::size_t i = 0; i < run_.captures.size(); ++i) {
      if (run_.captures[i].device_offset <= device) found = i;
    }
    return found;
  }

  /// As the ops of all devices were brought to one clock.
  void take_op_clocks() {
    const perf::RunClock& shared = run_.analysis.ops.clock;
    for (const perf::DeviceLane& lane : shared.lanes) {
      if (lane.ops.empty() || lane.device < 0 || lane.cycles_per_ns <= 0) continue;
      const perf::TimedOp& first = lane.ops.front();
      DeviceClock clock;
      clock.cycles_per_ns = lane.cycles_per_ns;
      clock.anchor_cycle = run_.report.rows[first.row].fw_start_cycle;
      clock.anchor_ns = first.start_ns;
      clock.alignment.basis = basis_of(shared.basis);
      if (shared.basis == perf::ClockBasis::kCollectives) clock.alignment.samples = shared.collectives;
      clocks_.emplace(static_cast<std::uint32_t>(lane.device), clock);
      if (shared.basis == perf::ClockBasis::kSync) exchanged_.insert(static_cast<std::uint32_t>(lane.device));
    }
  }

  /// The cycle of the first op of each device, also of those that the table of ops does not show.
  std::map<std::uint32_t, double> first_cycles() const {
    std::map<std::uint32_t, double> first;
    for (const perf::OpRow& row : run_.report.rows) {
      if (!perf::has_cycles(row) || row.device < 0) continue;
      const double cycle = row.fw_start_cycle;
      const auto [known, is_new] = first.try_emplace(static_cast<std::uint32_t>(row.device), cycle);
      if (!is_new) known->second = std::min(known->second, cycle);
    }
    return first;
  }

  /// Devices whose ops are not aligned with others: the first op, or the first marker, is at 0.
  void take_other_clocks() {
    const std::map<std::uint32_t, double> first = first_cycles();
    for (const perf::Capture& capture : run_.captures) {
      if (!capture.log) continue;
      for (const std::uint32_t device : capture.log->devices) {
        const auto global = static_cast<std::uint32_t>(device + capture.device_offset);
        if (clocks_.find(global) != clocks_.end()) continue;
        double mhz = perf::clock_of(capture.clocks, device);
        if (mhz <= 0) mhz = capture.log->clock_mhz;
        DeviceClock clock;
        clock.cycles_per_ns = mhz / 1000;
        const auto op = first.find(global);
        clock.anchor_cycle = op != first.end()
                                 ? op->second
                                 : std::numeric_limits<double>::quiet_NaN();  // the first one that is seen
        clock.alignment.basis = AlignmentBasis::kStart;
        clocks_.emplace(global, clock);
      }
    }
  }

  /// No op begins before the host sent it: the least shift that keeps to that.
  bool move_to_host(std::size_t capture) {
    const HostStarts& host = hosts_[capture].starts;
    if (host.empty()) return false;
    std::map<std::uint32_t, double> shifts;
    std::map<std::uint32_t, std::uint64_t> shared;
    for (const perf::OpRow& row : run_.report.rows) {
      if (!perf::has_cycles(row) || !std::isnan(row.trace_id) || row.device < 0) continue;
      if (!(row.call_count >= 0) || row.call_count > 1e18) continue;
      const auto sent = host.find(static_cast<std::uint64_t>(row.call_count));
      const auto clock = clocks_.find(static_cast<std::uint32_t>(row.device));
      if (sent == host.end() || clock == clocks_.end() || capture_of(clock->first) != capture) continue;
      const double shift = static_cast<double>(sent->second) - clock->second.ns_at(row.fw_start_cycle);
      const auto [known, is_new] = shifts.try_emplace(clock->first, shift);
      if (!is_new) known->second = std::max(known->second, shift);
      ++shared[clock->first];
    }
    if (shifts.empty()) return false;
    move_devices(capture, shifts, shared);
    moved_.insert(capture);
    return true;
  }

  void move_devices(std::size_t capture, const std::map<std::uint32_t, double>& shifts,
                    std::map<std::uint32_t, std::uint64_t>& shared) {
    // Devices that are aligned with each other move together.
    const perf::ClockBasis basis = run_.analysis.ops.clock.basis;
    const bool together = basis == perf::ClockBasis::kCollectives || basis == perf::ClockBasis::kSharedOps ||
                          basis == perf::ClockBasis::kSync;
    double most = shifts.begin()->second;
    for (const auto& [device, shift] : shifts) most = std::max(most, shift);
    for (auto& [device, clock] : clocks_) {
      if (capture_of(device) != capture) continue;
      const auto own = shifts.find(device);
      if (!together && own == shifts.end()) continue;
      clock.anchor_ns += together ? most : own->second;
      if (own == shifts.end()) continue;
      if (together && clock.alignment.basis == AlignmentBasis::kCollectives) continue;
      clock.alignment.basis = AlignmentBasis::kHostOps;
      clock.alignment.samples = shared[device];
    }
  }

  /// When the devices of a host left each collective: the last of them.
  std::map<std::uint32_t, double> collective_ends(std::size_t capture) const {
    std::map<std::uint32_t, double> ends;
    for (const perf::DeviceLane& lane : run_.analysis.ops.clock.lanes) {
      if (lane.device < 0 || capture_of(static_cast<std::uint32_t>(lane.device)) != capture) continue;
      const auto clock = clocks_.find(static_cast<std::uint32_t>(lane.device));
      if (clock == clocks_.end() || !clock->second.is_known()) continue;
      for (const perf::TimedOp& op : lane.ops) {
        if (op.collective == kNone) continue;
        const double end = clock->second.ns_at(run_.report.rows[op.row].fw_end_cycle);
        const auto [known, is_new] = ends.try_emplace(op.collective, end);
        if (!is_new) known->second = std::max(known->second, end);
      }
    }
    return ends;
  }

  /// Hosts count from their own start, their devices leave a collective together.
  void align_host(std::size_t capture) {
    HostClock& host = hosts_[capture];
    const std::map<std::uint32_t, double> first = collective_ends(0);
    std::vector<double> distances;
    for (const auto& [collective, end] : collective_ends(capture)) {
      const auto known = first.find(collective);
      if (known != first.end()) distances.push_back(known->second - end);
    }
    if (!distances.empty()) {
      set_shift(host, AlignmentBasis::kCollectives, std::move(distances));
    } else if (host.has_content && hosts_.front().has_content) {
      move_by_time(hosts_.front(), host);
    }
    for (auto& [device, clock] : clocks_) {
      if (capture_of(device) == capture) clock.anchor_ns += host.shift_ns;
    }
  }

  void take_sync(std::size_t number) {
    const perf::Capture& capture = run_.captures[number];
    double shift_ns = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [device, line] : capture.sync) {
      if (!line.is_on_host_axis) {
        keep_relative_to_host(static_cast<std::uint32_t>(device + capture.device_offset), line, number);
        continue;
      }
      DeviceClock& clock = clocks_[static_cast<std::uint32_t>(device + capture.device_offset)];
      const DeviceClock before = clock;
      clock.cycles_per_ns = line.cycles_per_ns;
      clock.anchor_cycle = line.cycles;
      clock.anchor_ns = line.ns;
      clock.alignment.basis = AlignmentBasis::kSync;
      clock.alignment.samples = line.samples;
      clock.alignment.worst_ns = line.worst_ns;
      if (before.is_known() && std::isnan(shift_ns))
        shift_ns = clock.ns_at(before.anchor_cycle) - before.anchor_ns;
    }
    if (!std::isnan(shift_ns)) move_others(number, shift_ns);
  }

  /// Exchanges with a simulated host relate devices with each other: nothing tells when its time began.
  void keep_relative_to_host(std::uint32_t device, const perf::DeviceClockLine& line, std::size_t capture) {
    const auto clock = clocks_.find(device);
    if (clock == clocks_.end() || exchanged_.count(device) == 0) return;
    timeline::Alignment& alignment = clock->second.alignment;
    const bool is_alone = std::none_of(exchanged_.begin(), exchanged_.end(), [&](std::uint32_t other) {
      return other != device && capture_of(other) == capture;
    });
    const bool has_own_ops = alignment.basis != AlignmentBasis::kSync;
    if (is_alone && hosts_[capture].has_content) {
      if (!has_own_ops) alignment.basis = AlignmentBasis::kStart;
      return;
    }
    if (!has_own_ops) {
      alignment.samples = line.samples;
      alignment.worst_ns = line.worst_ns;
    }
    if (!hosts_[capture].has_content) return;
    using ToHost = timeline::PeerExchanges::ToHost;
    const ToHost by_others = moved_.count(capture) > 0 ? ToHost::kOtherOps : ToHost::kNotKnown;
    alignment.peers = {line.samples, line.worst_ns, has_own_ops ? ToHost::kOwnOps : by_others};
  }

  /// Devices without exchanges stay where they were beside those that have some, unless the host knows
  /// better.
  void move_others(std::size_t number, double shift_ns) {
    const perf::Capture& capture = run_.captures[number];
    for (auto& [device, clock] : clocks_) {
      const auto own = static_cast<std::uint32_t>(device - capture.device_offset);
      if (capture_of(device) != number || capture.sync.find(own) != capture.sync.end()) continue;
      if (clock.alignment.basis != AlignmentBasis::kHostOps) clock.anchor_ns += shift_ns;
    }
  }

  const perf::Profile& run_;
  std::vector<HostClock>& hosts_;
  std::set<std::uint32_t> exchanged_;  ///< devices whose ops were brought to one clock by exchanges
  std::set<std::size_t> moved_;        ///< captures whose devices were moved to their host
  std::map<std::uint32_t, DeviceClock> clocks_;
};

}  // namespace

std::map<std::uint32_t, DeviceClock> device_clocks(const perf::Profile& run, std::vector<HostClock>& hosts) {
  return ClockFinder(run, hosts).find();
}

void align_hosts_by_time(std::vector<HostClock>& hosts) {
  for (std::size_t i = 1; i < hosts.size(); ++i) move_by_time(hosts.front(), hosts[i]);
}

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

  /// The times of a trace may be those of another device's clock (clocks that were synchronized): the zones
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
    constexpr double kMax = 4e18;
    const auto anchor = anchors_.find(lane);
    double ns = clock.ns_at(static_cast<double>(cycle));
    if (anchor != anchors_.end()) {
      const double cycles = static_cast<double>(cycle) - static_cast<double>(anchor->second.cycle);
      ns = static_cast<double>(anchor->second.ns) + cycles / clock.cycles_per_ns;
    }
    return std::llround(std::clamp(ns, -kMax, kMax));
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

namespace {

using timeline::kNoOp;
using timeline::TrackKind;

constexpr double kTimerTurn = 17592186044416.0;  // 44 bits

/// The processors as tt-metal numbers them in Tracy, and the colors that it gives them.
struct ProcessorStyle {
  std::string_view name;
  std::uint32_t color;
};

constexpr std::array<ProcessorStyle, 6> kProcessors = {{{"BRISC", 0xEE9A00},
                                                        {"NCRISC", 0x43CD80},
                                                        {"TRISC_0", 0x6CA6CD},
                                                        {"TRISC_1", 0x00E5EE},
                                                        {"TRISC_2", 0x98F5FF},
                                                        {"ERISC", 0xCDCD00}}};
constexpr std::uint32_t kOtherColor = 0x79CDCD;
constexpr std::uint32_t kProfilerColor = 0xCD4F39;
constexpr std::uint32_t kMarkColor = 0xFFD700;

std::size_t processor_number(std::string_view risc) {
  for (std::size_t i = 0; i < kProcessors.size(); ++i) {
    if (kProcessors[i].name == risc) return i;
  }
  return kProcessors.size();
}

class DeviceTracks {
 public:
  DeviceTracks(DeviceRun& given, Timeline& timeline)
      : run_(given.run), given_(given), clocks_(given.clocks), timeline_(timeline) {}

  void add() {
    add_ops();
    for (const perf::Capture& capture : run_.captures) {
      if (!capture.log) continue;
      perf::read_lane_zones(capture.log_text.bytes(), given_.threads,
                            [&](const perf::LaneZones& lane) { add_lane(capture, lane); });
      known_zones_.clear();
    }
    add_links();
    add_noc_tracks(run_, clocks_, timeline_);
    std::stable_sort(
        timeline_.messages.begin(), timeline_.messages.end(),
        [](const timeline::Message& a, const timeline::Message& b) { return a.time_ns < b.time_ns; });
    for (const auto& [device, clock] : clocks_) timeline_.alignments.push_back(clock.alignment);
  }

 private:
  std::uint32_t add_group(std::string_view name, std::uint32_t parent) {
    timeline_.groups.push_back({timeline_.texts.intern(name), parent});
    return static_cast<std::uint32_t>(timeline_.groups.size() - 1);
  }
  std::uint32_t device_group(std::uint32_t device) {
    const auto [found, is_new] = device_groups_.try_emplace(device, 0);
    if (is_new) found->second = add_group(fmt::format("Device {}", device), kNone);
    return found->second;
  }
  std::uint32_t core_group(std::uint32_t device, std::uint16_t x, std::uint16_t y) {
    const std::uint32_t parent = device_group(device);
    const auto [found, is_new] = core_groups_.try_emplace({device, x, y}, 0);
    if (is_new) found->second = add_group(fmt::format("Core {},{}", x, y), parent);
    return found->second;
  }

  std::uint32_t detail_of_op(std::uint64_t op) {
    if (op == kNoOp) return 0;
    const auto [found, is_new] =
        op_details_.try_emplace(op, static_cast<std::uint32_t>(timeline_.details.size()));
    if (is_new) timeline_.details.push_back({.op = op});
    return found->second;
  }

  std::uint32_t location_of(const timeline::Location& place) {
    const auto [found, is_new] =
        locations_.try_emplace(fmt::format("{},{},{},{}", place.name, place.file, place.line, place.color),
                               static_cast<std::uint32_t>(timeline_.locations.size()));
    if (is_new) timeline_.locations.push_back(place);
    return found->second;
  }

  void add_ops() {
    std::map<std::uint32_t, std::vector<timeline::OpSpan>> by_device;
    for (std::uint32_t i = 0; i < run_.report.rows.size(); ++i) {
      const perf::OpRow& row = run_.report.rows[i];
      if (!perf::has_cycles(row) || row.device < 0) continue;
      const auto clock = clocks_.find(static_cast<std::uint32_t>(row.device));
      if (clock == clocks_.end() || !clock->second.is_known() || std::isnan(clock->second.anchor_cycle))
        continue;
      const std::string_view name = run_.report.text(run_.report.kind_of(row).op_code);
      by_device[clock->first].push_back(
          {to_axis(clock->second, row.fw_start_cycle), to_axis(clock->second, row.fw_end_cycle), op_id(row),
           timeline_.texts.intern(name.empty() ? "op without a name" : name), i});
    }
    timeline::OpTracks tracks(timeline_);
    for (auto& [device, spans] : by_device) {
      tracks.add({device, device_group(device)}, spans);
      for (const timeline::OpSpan& span : spans) row_zones_[static_cast<std::uint32_t>(span.key)] = span.zone;
    }
  }

  static std::uint64_t op_id(const perf::OpRow& row) {
    return row.call_count >= 0 && row.call_count < 1e18 ? static_cast<std::uint64_t>(row.call_count) : kNoOp;
  }

  static std::int64_t to_axis(const DeviceClock& clock, double cycle) {
    constexpr double kMax = 4e18;
    return std::llround(std::clamp(clock.ns_at(cycle), -kMax, kMax));
  }

  void add_lane(const perf::Capture& capture, const perf::LaneZones& lane) {
    const auto device = static_cast<std::uint32_t>(lane.device + capture.device_offset);
    if (lane.unmatched > 0) {
      timeline_.problems.add_count(TimelineProblem::kMarkerUnmatched, lane.unmatched);
      timeline_.problems.add_place(
          TimelineProblem::kMarkerUnmatched,
          fmt::format("device {}, core {},{}, {}", device, lane.x, lane.y, lane.risc));
    }
    if (lane.zones.empty() && lane.marks.empty()) return;
    DeviceClock& clock = clocks_[device];
    if (!clock.is_known()) {
      timeline_.problems.add_count(TimelineProblem::kWithoutClock, lane.zones.size() + lane.marks.size());
      return;
    }
    const auto first =
        static_cast<double>(lane.zones.empty() ? lane.marks.front().cycle : lane.zones.front().start_cycle);
    if (std::isnan(clock.anchor_cycle)) clock.anchor_cycle = first;
    // The timer may have begun again before this processor was first seen.
    const double turns = std::round((clock.anchor_cycle - first) / kTimerTurn) * kTimerTurn;
    Track track;
    track.name = timeline_.texts.intern(lane.risc);
    track.kind = TrackKind::kLane;
    track.group = core_group(device, lane.x, lane.y);
    const std::size_t number = processor_number(lane.risc);
    track.id = (number & 7) | (lane.x & 15U) << 3 | (lane.y & 15U) << 7 | (std::uint64_t{device} & 255) << 11;
    track.device = device;
    track.core_x = lane.x;
    track.core_y = lane.y;
    track.first_zone = timeline_.zones.size();
    track.zone_count = lane.zones.size();
    Known& known = known_zones_[lane.catalog];
    for (const perf::LaneZone& zone : lane.zones) {
      const std::uint32_t place = place_of(known, *lane.catalog, zone.zone, number);
      const std::uint32_t detail = detail_of(known, *lane.catalog, zone.execution);
      timeline_.zones.open(to_axis(clock, static_cast<double>(zone.start_cycle) + turns), place, detail,
                           zone.depth);
      timeline_.zones.end_ns.back() = to_axis(clock, static_cast<double>(zone.end_cycle) + turns);
      track.most_depth = std::max(track.most_depth, zone.depth);
    }
    add_marks(lane, clock, turns);
    timeline_.tracks.push_back(track);
  }

  /// Moments that a kernel's author marked are messages of the lane, which is the next track.
  void add_marks(const perf::LaneZones& lane, const DeviceClock& clock, double turns) {
    const auto track = static_cast<std::uint32_t>(timeline_.tracks.size());
    for (const perf::LaneMarker& mark : lane.marks) {
      const perf::ZoneSource& source = lane.catalog->zones[mark.zone];
      const bool has_value = source.kind == perf::ZoneKind::kData;
      const timeline::TextId text = timeline_.texts.intern(
          has_value ? fmt::format("{} = {}", source.name, mark.value) : std::string_view(source.name));
      timeline_.messages.push_back(
          {to_axis(clock, static_cast<double>(mark.cycle) + turns), text, track, kMarkColor});
    }
  }

  /// What the numbers of a catalog are here.
  struct Known {
    std::array<std::vector<std::uint32_t>, kProcessors.size() + 1> places;  ///< by processor, for its color
    std::vector<std::uint32_t> details;
  };

  std::uint32_t place_of(Known& known, const perf::ZoneCatalog& catalog, std::uint32_t zone,
                         std::size_t processor) {
    std::vector<std::uint32_t>& places = known.places[processor];
    if (places.size() < catalog.zones.size()) places.resize(catalog.zones.size(), kNone);
    if (places[zone] != kNone) return places[zone];
    const perf::ZoneSource& source = catalog.zones[zone];
    timeline::Location place;
    place.name = timeline_.texts.intern(source.name);
    place.file = timeline_.texts.intern(source.file);
    place.line = static_cast<std::uint32_t>(parse_unsigned(source.line).value_or(0));
    place.color = source.kind == perf::ZoneKind::kProfiler ? kProfilerColor
                  : processor < kProcessors.size()         ? kProcessors[processor].color
                                                           : kOtherColor;
    return places[zone] = location_of(place);
  }

  std::uint32_t detail_of(Known& known, const perf::ZoneCatalog& catalog, std::uint32_t execution) {
    if (execution == kNone) return 0;
    if (known.details.size() < catalog.executions.size())
      known.details.resize(catalog.executions.size(), kNone);
    std::uint32_t& detail = known.details[execution];
    if (detail == kNone) detail = detail_of_op(catalog.executions[execution].op_id);
    return detail;
  }

  void add_links() {
    for (const auto& [row, zone] : row_zones_) {
      const perf::OpRow& op = run_.report.rows[row];
      if (!std::isnan(op.trace_id) || !(op.call_count >= 0) || op.call_count > 1e18) continue;
      const HostOpZones* sent = host_zones_of(op.device);
      if (sent == nullptr) continue;
      const auto host = sent->find(static_cast<std::uint64_t>(op.call_count));
      if (host != sent->end()) timeline_.links.push_back({host->second, zone});
    }
    std::map<std::uint32_t, std::size_t> collectives;
    for (const perf::DeviceLane& lane : run_.analysis.ops.clock.lanes) {
      for (const perf::TimedOp& op : lane.ops) {
        const auto zone = row_zones_.find(op.row);
        if (op.collective == kNone || zone == row_zones_.end()) continue;
        const auto [first, is_new] = collectives.try_emplace(op.collective, zone->second);
        if (!is_new) timeline_.links.push_back({first->second, zone->second});
      }
    }
  }

  const HostOpZones* host_zones_of(std::int32_t device) const {
    const HostOpZones* found = nullptr;
    for (std::size_t i = 0; i < run_.captures.size() && i < given_.host_zones.size(); ++i) {
      if (run_.captures[i].device_offset <= device) found = &given_.host_zones[i];
    }
    return found;
  }

  const perf::Profile& run_;
  DeviceRun& given_;
  std::map<std::uint32_t, DeviceClock>& clocks_;
  Timeline& timeline_;
  std::map<std::uint32_t, std::uint32_t> device_groups_;
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::uint32_t> core_groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> op_details_;
  std::unordered_map<std::string, std::uint32_t> locations_;
  std::map<std::uint32_t, std::size_t> row_zones_;
  std::map<const perf::ZoneCatalog*, Known> known_zones_;
};

}  // namespace

void add_device_tracks(DeviceRun run, timeline::Timeline& timeline) { DeviceTracks(run, timeline).add(); }

}  // namespace ttscope::app
