#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace ttscope::perf {

/// What a marker says; the numbers are those of the packet types on the device.
enum class MarkerKind : std::uint8_t {
  kZoneStart = 0,
  kZoneEnd = 1,
  kZoneTotal = 2,
  kData = 3,
  kEvent = 4,
  kData16 = 5,
};

/// `ZONE_START`, ...; as the profiler's files name them.
std::string_view key_of(MarkerKind kind);

/// Why a marker must not be believed.
enum class Suspicion : std::uint8_t {
  kNone,
  kTime,    ///< the two halves of the clock were read on both sides of a carry: 2^32 cycles too early
  kStale,   ///< recorded by an earlier launch and sent again under the id of this one
  kHeader,  ///< the words that say which program it belongs to were overwritten
  kPlaced,  ///< written over the header of another processor's buffer, whose marker it is not
};

/// `time`, `stale`, `header`, `placed`; empty for none.
std::string_view key_of(Suspicion suspicion);

/// A marker as it is stored.
struct RawMarker {
  std::uint32_t word = 0;     ///< where it begins in its region
  std::uint32_t run = kNone;  ///< into RawRegion::runs; kNone: before the first
  MarkerKind kind = MarkerKind::kZoneStart;
  std::uint16_t id = 0;
  Suspicion suspicion = Suspicion::kNone;
  std::uint64_t time = 0;               ///< 44 bits, as stored; a ZONE_TOTAL has none
  std::array<std::uint64_t, 2> data{};  ///< of TS_DATA the first; of a ZONE_TOTAL its sum of cycles

  bool has_time() const { return kind != MarkerKind::kZoneTotal; }
  bool is_zone() const { return kind == MarkerKind::kZoneStart || kind == MarkerKind::kZoneEnd; }
};

/// The header of a launch, or of a part of it that was sent while it ran.
struct RawLaunch {
  std::uint32_t word = 0;     ///< where it begins
  std::uint32_t host_id = 0;  ///< program id of the host
  std::uint16_t trace = 0;    ///< how many replays the device had counted
  std::uint8_t risc = 0;
  std::uint8_t flat_id = 0;  ///< the lowest eight bits
  bool intact = true;        ///< false: its sentinel was overwritten, the ids may be right all the same
  bool unfinished = false;   ///< a replay that had not ended, or in which this core had nothing to do

  /// Zeros only: nothing was ever written there.
  bool is_blank() const { return host_id == 0 && trace == 0 && risc == 0 && flat_id == 0; }
};

/// The words that one processor wrote to one place.
struct RawRegion {
  std::uint32_t end_words = 0;   ///< what the control words say is there
  std::uint32_t kept_words = 0;  ///< what of it the file holds
  std::vector<RawLaunch> runs;
  std::vector<RawMarker> markers;
  std::uint32_t bad_words = 0;  ///< pairs that are neither header, marker nor filling
};

struct RawProcessor {
  std::string name;  ///< `brisc`, `trisc0`, ...
  RawRegion dram;
  RawRegion l1;
  bool dropped = false;  ///< its bit says that DRAM was full
  bool running = false;  ///< saved before its launch had ended: L1 holds what that had recorded
};

struct RawCore {
  std::int32_t x = 0;  ///< NOC0 coordinates
  std::int32_t y = 0;
  std::uint32_t flat_id = 0;
  bool has_dram = true;  ///< the device knew where to send its markers
  bool is_done = true;   ///< the device said that everything was sent
  std::uint32_t control_cut =
      0;  ///< control words that the file does not hold: the flags above are not known
  std::vector<RawProcessor> processors;
};

/// A place in a source that ids stand for.
struct RawZone {
  std::string name;
  std::string file;
  std::uint32_t line = 0;
};

/// How the kernels were built.
struct RawModes {
  bool trace_only = false;
  bool accumulates = false;
  bool noc_events = false;
};

/// What went wrong on the device, with what it costs.
enum class RawProblem : std::uint8_t {
  kDramFull,        ///< the drop bit: DRAM was full
  kL1Full,          ///< a buffer of L1 was full: what came after it left no trace
  kNocStalled,      ///< the recorder of NoC events stopped at one place: later events left no trace
  kNeverSent,       ///< the index advanced but nothing was sent
  kHeaderLost,      ///< a header was overwritten
  kStaleMarkers,    ///< markers of an earlier launch under the id of a later one
  kEarlyTimes,      ///< times that are 2^32 cycles too small
  kMainZoneMisuse,  ///< a kernel used the zones of the firmware
  kBadWords,        ///< words that are no marker
  kCut,             ///< the file holds less than the control words promise
  kOnlyInL1,        ///< markers that had not reached DRAM
  kUnpaired,        ///< zone starts or ends without their partner
  kNotDone,         ///< read before the device had sent everything
  kCount,
};

struct RawProblemInfo {
  std::string_view key;
  std::string_view sentence;
};

const RawProblemInfo& info_of(RawProblem problem);

struct RawFinding {
  RawProblem problem = RawProblem::kCut;
  std::uint32_t core = 0;       ///< into RawRun::cores
  std::uint32_t processor = 0;  ///< into RawCore::processors
  std::uint64_t count = 0;      ///< words or markers, as the sentence says
};

/// A launch that had not ended when the buffers were saved.
struct RunningLaunch {
  std::uint32_t core = 0;       ///< into RawRun::cores
  std::uint32_t processor = 0;  ///< into RawCore::processors
  std::uint32_t host_id = 0;
  std::vector<std::uint16_t> zones;  ///< those it was in, the outermost first
  std::uint64_t last_time = 0;       ///< of its last marker
};

/// The buffers of the device profiler as they were saved, before any interpretation by a host.
struct RawRun {
  std::string name;
  std::string title;
  std::string arch;
  std::uint32_t device = 0;
  std::string snapshot;  ///< the label of the one that was read: the last
  double clock_mhz = 0;  ///< 0: the file does not say
  RawModes modes;
  std::map<std::uint16_t, RawZone> zones;
  std::vector<RawCore> cores;
  std::vector<RawFinding> findings;
  std::vector<RunningLaunch> running;
  std::vector<std::string> warnings;  ///< of the files themselves

  /// Empty where no zone has this id.
  std::string_view name_of(std::uint16_t id) const;
  /// Of a marker; events have numbers of their own and no name.
  std::string_view name_of(const RawMarker& marker) const {
    return marker.kind == MarkerKind::kEvent ? std::string_view{} : name_of(marker.id);
  }
};

/// The program id of the header before a marker; none where there is no header, or it was overwritten.
std::optional<std::uint32_t> host_id_of(const RawRegion& region, const RawMarker& marker);

/// Headers of launches; zeros are none.
std::uint64_t launch_count(const RawRegion& region);

/// `trisc0` as the runtime names it: BRISC, NCRISC, TRISC_0, ERISC.
std::string log_name_of(std::string_view risc);

/// Whether anything was recorded, in DRAM or in L1.
bool has_markers(const RawRun& run);

/// Words of a buffer in L1: ids, four guaranteed markers, the rest.
inline constexpr std::uint32_t kBufferWords = 512;
inline constexpr std::uint32_t kFirstOptionalWord = 12;

/// The id of a NoC event, which stands for no zone.
inline constexpr std::uint16_t kNocEventId = 12345;

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
struct LaneId {
  std::int32_t x = 0;  ///< NOC0 coordinates
  std::int32_t y = 0;
  std::uint32_t processor = 0;  ///< in the order of the buffers

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what = default makes
  auto operator<=>(const LaneId&) const = default;
};

/// The markers of one processor in the order of time, each once.
struct ReadLane {
  std::string risc;  ///< as the runtime's files name it: BRISC, TRISC_0
  std::vector<ReadMarker> markers;
  std::uint64_t last_time = 0;  ///< of the marker that was read last; kept when markers are given away
};

struct SubDeviceKey {
  std::uint32_t sub_device = 0;
  std::uint64_t manager = 0;
};

/// What a host has read from one device, in one or several reads.
struct ProfilerReadout {
  std::uint32_t device = 0;
  std::string arch;
  double clock_mhz = 0;  ///< 0: not known
  std::uint32_t compute_cores = 0;
  RawModes modes;
  std::map<std::uint16_t, RawZone> zones;
  std::map<std::uint64_t, SubDeviceKey> sub_devices;  ///< of programs that ran on one, by run id
  std::map<LaneId, ReadLane> lanes;

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
