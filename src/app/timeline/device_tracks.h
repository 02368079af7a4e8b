#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "perf/analyze/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// How cycles of a device become times of the axis.
struct DeviceClock {
  double cycles_per_ns = 0;  ///< 0: not known
  double anchor_cycle = 0;
  double anchor_ns = 0;
  timeline::Alignment alignment;

  bool is_known() const { return cycles_per_ns > 0; }
  double ns_at(double cycle) const { return anchor_ns + (cycle - anchor_cycle) / cycles_per_ns; }
};

/// When a host sent ops, by GLOBAL CALL COUNT: on the axis of its zones.
using HostStarts = std::map<std::uint64_t, std::int64_t>;

/// What is known of the clock of the host of one capture.
struct HostClock {
  HostStarts starts;
  std::int64_t captured_at_ns = 0;  ///< time of day of its 0; 0: not known
  std::int64_t captured_within_ns = 0;
  std::int64_t first_ns = 0;
  bool has_content = false;
  // Found out:
  double shift_ns = 0;  ///< to be added to its times, and done to those of its devices
  timeline::AlignmentBasis basis = timeline::AlignmentBasis::kAxis;
  std::uint64_t samples = 0;
  double worst_ns = -1;
};

/// The clocks of all devices of a run, by their number over all hosts: by exchanges with the host where
/// sync_device_info.csv has them, else by what they share, else they begin together at 0. Without host starts
/// the axis is that of the devices. `hosts` are those of the captures, in their order; the first one is the
/// axis, the others are moved to it by collectives that their devices took part in, else by the time of day.
std::map<std::uint32_t, DeviceClock> device_clocks(const perf::Profile& run, std::vector<HostClock>& hosts);

/// The same for hosts without devices.
void align_hosts_by_time(std::vector<HostClock>& hosts);

/// Adds the transfers of the NoC traces beside a device log: messages of the lanes that began them, and a
/// plot of the bytes that each device moved over time. The lanes are in the timeline already.
void add_noc_tracks(const perf::Profile& run, const std::map<std::uint32_t, DeviceClock>& clocks,
                    timeline::Timeline& timeline);

/// The zones of a host that are ops, by GLOBAL CALL COUNT.
using HostOpZones = std::unordered_map<std::uint64_t, std::size_t>;

/// What device tracks are made of.
struct DeviceRun {
  const perf::Profile& run;
  std::map<std::uint32_t, DeviceClock> clocks;  ///< by device
  std::vector<HostOpZones> host_zones;          ///< by capture
  unsigned threads = 1;
};

/// Adds what devices did: their ops and the gaps between them, and the zones and marks of every processor,
/// with links from the host's zones of an op to it and between the parts of a collective; of NoC traces the
/// transfers and their bytes over time.
void add_device_tracks(DeviceRun run, timeline::Timeline& timeline);

}  // namespace ttscope::app
