#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// A marker as a host keeps it after reading: with the program that it belongs to.
struct ReadMarker {
  std::uint64_t time = 0;  ///< goes on where the device's 44 bits begin anew; of a sum that of the first zone
                           ///< of its launch
  std::uint64_t run_id = 0;  ///< program and device in one number, as the host's files have it
  std::array<std::uint64_t, 2> data{};
  std::int64_t trace = -1;  ///< of replays: the trace and which of its replays, from 1
  std::int64_t replay = -1;
  std::uint16_t id = 0;
  MarkerKind kind = MarkerKind::kZoneStart;

  bool is_zone() const { return kind == MarkerKind::kZoneStart || kind == MarkerKind::kZoneEnd; }
};

/// A processor of a core, in the order of the host's files.
struct LanePlace {
  std::int32_t x = 0;  ///< NOC0 coordinates
  std::int32_t y = 0;
  std::uint32_t processor = 0;  ///< in the order of the buffers

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what = default makes
  auto operator<=>(const LanePlace&) const = default;
};

/// The markers of one processor in the order of time, each once.
struct ReadLane {
  std::string risc;  ///< as the runtime's files name it: BRISC, TRISC_0
  std::vector<ReadMarker> markers;
  std::uint64_t last_time = 0;  ///< of the marker that was read last; kept when markers are given away
};

struct SubDevicePlace {
  std::uint32_t sub_device = 0;
  std::uint64_t manager = 0;
};

/// What a host has read from one device, in one or several reads.
struct ReadOut {
  std::uint32_t device = 0;
  std::string arch;
  double clock_mhz = 0;  ///< 0: not known
  std::uint32_t compute_cores = 0;
  RawModes modes;
  std::map<std::uint16_t, RawZone> zones;
  std::map<std::uint64_t, SubDevicePlace> sub_devices;  ///< of programs that ran on one, by run id
  std::map<LanePlace, ReadLane> lanes;

  /// Empty where no zone has this id, and for events, whose numbers are their own.
  std::string_view name_of(const ReadMarker& marker) const {
    if (marker.kind == MarkerKind::kEvent) return {};
    const auto found = zones.find(marker.id);
    return found == zones.end() ? std::string_view{} : std::string_view(found->second.name);
  }
};

/// Programs are numbered from 1 on all devices alike; the host's files put the device below. 0 stays 0.
inline std::uint64_t run_id_of(std::uint32_t host_id, std::uint32_t device) {
  constexpr unsigned kDeviceBits = 10;
  return host_id == 0 ? 0 : std::uint64_t{host_id} << kDeviceBits | device;
}

inline constexpr std::uint64_t kTimerMask = (std::uint64_t{1} << 44) - 1;

/// Ids of records that stand for no zone, beside kNocEventId.
inline constexpr std::uint16_t kNocDebugEventId = 23456;
inline constexpr std::uint16_t kPerfCounterMarkerId = 9090;

}  // namespace ttscope::perf
