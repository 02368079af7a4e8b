#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "base/string_pool.h"
#include "base/trust.h"

namespace ttscope::timeline {

enum class FindingKind : std::uint8_t {
  kReaderWarning,       ///< a problem of an input as a whole, in its reader's words
  kBadRecords,          ///< records of an input of another subject could not be read or were mended
  kCaptureCut,          ///< a capture of Tracy ends too early
  kCaptureRestUnread,   ///< what stands behind its zones, messages and plots is damaged
  kEventsDroppedDisk,   ///< marks of a recording were dropped: no room on the disk
  kEventsDroppedRoom,   ///< marks of a recording were dropped: more than it was allowed to take
  kRecordingDamaged,    ///< pages or events of a recording were not understood
  kRecordingCut,        ///< a recording has fewer bytes than were written
  kThreadsCut,          ///< a recording that ended lacks the last marks of threads
  kOpBeforeHost,        ///< an op begins before the host sent it
  kOpsLongAfterHost,    ///< all ops of a device begin long after the host sent them
  kNoSuchCore,          ///< the core that was asked for is on no device
  kZonesReachOver,      ///< zones begin before the stretch that was asked for, or end behind it
  kNocEventsDamaged,    ///< a file of NoC events is no whole list
  kLogWithoutTimes,     ///< the memory of a log cannot be put on the axis
  kHostGuessed,         ///< which host wrote a log is not told
  kLogWithoutMemory,    ///< no line of a log tells how much memory is in use
  kDeviceZonesDropped,  ///< the device log has those of the capture, with their ops
  kOpsWithoutHost,      ///< executions on devices that the host's messages lack
  kOpsWithoutDevice,    ///< ops of the host without device data
  kSimulatedChips,      ///< nothing is wrong, but the devices' times are modeled
};

/// `capture_cut`, for other programs; empty: no kind.
std::string_view key_of(FindingKind kind);

/// One of them, with its figures and its place.
struct Finding {
  FindingKind kind = FindingKind::kReaderWarning;
  std::string file{};     ///< that it is about; empty: all of the run, or `text` names it
  std::string problem{};  ///< kBadRecords: the key of what is wrong with them
  std::string text{};     ///< kReaderWarning: the warning; kBadRecords: the same as a sentence;
                          ///< kCaptureCut, kCaptureRestUnread: what was found, if anything
  std::string place{};    ///< of the first record; kCaptureCut: the part of the file;
                          ///< kHostGuessed: the file of the host that was taken
  /// Of records, marks, threads, zones, ops; kRecordingDamaged: of pages.
  std::optional<std::uint64_t> count{};
  std::optional<std::uint64_t> events{};  ///< kRecordingDamaged
  std::optional<std::uint64_t> bytes{};   ///< read, there
  std::optional<std::uint64_t>
      whole_bytes{};                      ///< kRecordingCut: written; kEventsDroppedRoom: that it may take
  std::int64_t distance_ns = 0;           ///< kOpBeforeHost, kOpsLongAfterHost
  std::uint32_t device = kNone;           ///< the same
  std::optional<std::uint16_t> core_x{};  ///< kNoSuchCore
  std::optional<std::uint16_t> core_y{};

  bool operator==(const Finding&) const = default;
};

/// What is written behind the name of the host in captures whose chips were simulated, which they have no
/// other place for; Tracy shows it with the facts of the capture.
inline constexpr std::string_view kSimulatedChipsTag = " (chips simulated: times of devices are modelled)";

/// A warning of an input as a whole, as its reader worded it.
inline Finding reader_warning(std::string text) {
  return {.kind = FindingKind::kReaderWarning, .text = std::move(text)};
}

/// What can be wrong with single records.
enum class TimelineProblem : std::uint8_t {
  kZoneWithoutEnd,         ///< never closed, or the file is cut inside of it
  kZoneOfChildWithoutEnd,  ///< the same in a process that another one of the run began
  kZoneOutside,            ///< does not lie inside of the zone around it
  kUnknownText,
  kUnknownLocation,
  kUnknownThread,    ///< a message whose thread is not there
  kRowUnreadable,    ///< of a table
  kMarkerUnmatched,  ///< a start without an end on a device, or the other way round
  kWithoutClock,     ///< zones of a device whose clock is not known
  kFreeUnknown,      ///< memory is freed that was not allocated before
  kCount,
};

inline constexpr std::size_t kTimelineProblemCount = static_cast<std::size_t>(TimelineProblem::kCount);

const ProblemInfo& info_of(TimelineProblem problem);

using TimelineProblems = ProblemCounts<TimelineProblem, kTimelineProblemCount, std::string>;

/// A number of a text in Timeline::texts; 0 is the empty text.
using TextId = std::uint32_t;

/// An op that is not known.
inline constexpr std::uint64_t kNoOp = std::numeric_limits<std::uint64_t>::max();

/// Where zones stand in a source.
struct Location {
  TextId name = 0;
  TextId function = 0;
  TextId file = 0;
  std::uint32_t line = 0;
  std::uint32_t color = 0;  ///< 0xRRGGBB; 0: none

  bool operator==(const Location&) const = default;
};

/// What is said of single zones; most share one, and number 0 says nothing.
struct ZoneDetail {
  std::uint64_t op = kNoOp;  ///< GLOBAL CALL COUNT of the op that it belongs to
  TextId text = 0;
  TextId name = 0;  ///< instead of that of its location
  std::uint32_t color = 0;

  bool operator==(const ZoneDetail&) const = default;
};

enum class TrackKind : std::uint8_t {
  kThread,  ///< of a program on the host
  kFrames,  ///< stretches between the frame marks of one name
  kLane,    ///< what one processor of a core did
  kOps,     ///< the ops of a device, from the first start to the last end on its cores
  kGaps,    ///< when no op ran on a device, between its first and its last
};

/// `thread`, `frames`, `lane`, `ops`, `gaps`.
std::string_view key_of(TrackKind kind);

/// What tracks belong to: a program, a device, a core of it.
struct TrackGroup {
  TextId name = 0;
  std::uint32_t parent = kNone;
};

/// A row of the timeline. Its zones stand together, each behind the one that it lies in, in order of time.
struct Track {
  TextId name = 0;
  TrackKind kind = TrackKind::kThread;
  std::uint32_t group = 0;
  std::uint64_t id = 0;          ///< of the thread or lane, as the program numbers it
  std::uint32_t number = 0;      ///< of the thread in csvexport's tables
  std::uint32_t device = kNone;  ///< of lanes and ops
  std::uint16_t core_x = 0;      ///< of lanes
  std::uint16_t core_y = 0;
  std::uint16_t most_depth = 0;  ///< of its zones
  bool made = false;             ///< from other zones, not stored as a track
  std::size_t first_zone = 0;
  std::size_t zone_count = 0;

  bool is_of_device() const { return kind != TrackKind::kThread && kind != TrackKind::kFrames; }
  std::size_t end_zone() const { return first_zone + zone_count; }
};

/// All zones, track by track, as columns: 26 bytes each.
struct Zones {
  std::vector<std::int64_t> start_ns;
  std::vector<std::int64_t> end_ns;
  std::vector<std::uint32_t> location;
  std::vector<std::uint32_t> detail;
  std::vector<std::uint16_t> depth;  ///< 0: in no other

  std::size_t size() const { return start_ns.size(); }
  void reserve(std::size_t count);
  /// The end of the zone follows; the number of the new zone.
  std::size_t open(std::int64_t start, std::uint32_t place, std::uint32_t note, std::size_t nesting);
  std::int64_t length_ns(std::size_t zone) const { return end_ns[zone] - start_ns[zone]; }
};

struct Message {
  std::int64_t time_ns = 0;
  TextId text = 0;
  std::uint32_t track = kNone;
  std::uint32_t color = 0;

  bool operator==(const Message&) const = default;
};

enum class PlotUnit : std::uint8_t { kNumber, kBytes, kPercent };

/// `number`, `bytes`, `percent`.
std::string_view key_of(PlotUnit unit);

struct PlotPoint {
  std::int64_t time_ns = 0;
  double value = 0;

  bool operator==(const PlotPoint&) const = default;
};

/// A value over time. A point holds until the next one.
struct Plot {
  TextId name = 0;
  PlotUnit unit = PlotUnit::kNumber;
  bool made = false;  ///< from events (allocations), not stored as points
  std::uint32_t group = kNone;
  std::vector<PlotPoint> points;  ///< in order of time
};

/// An arrow between two zones: who started what.
struct Link {
  std::uint64_t from_zone = 0;
  std::uint64_t to_zone = 0;

  bool operator==(const Link&) const = default;
};

/// How a source came onto the axis.
enum class AlignmentBasis : std::uint8_t {
  kAxis,         ///< it is the axis
  kRecorded,     ///< by the file itself: device zones of a capture
  kSync,         ///< exchanges between host and device (sync_device_info.csv)
  kHostOps,      ///< no op begins before the host sent it
  kCollectives,  ///< devices leave a collective together
  kDeviceOps,    ///< ops that several devices run, taken to begin together
  kOps,          ///< ops that both name: a log and the host
  kStamps,       ///< both say the time of day
  kStart,        ///< nothing is shared: they begin together
};

/// `axis`, `recorded`, `sync`, `host_ops`, `collectives`, `device_ops`, `shared_ops`, `stamps`, `start`.
std::string_view key_of(AlignmentBasis basis);

/// Exchanges that bring devices to each other alone: a simulated host made them, whose clock is not that of
/// the zones.
struct PeerExchanges {
  enum class ToHost : std::uint8_t {
    kOwnOps,    ///< how the device lies beside the host, its own ops say
    kOtherOps,  ///< those of the other devices do
    kNotKnown,
  };
  std::uint64_t count = 0;  ///< 0: there are none
  double worst_ns = -1;     ///< the largest distance of one from the fit; below 0: not known
  ToHost to_host = ToHost::kOwnOps;
};

/// `own_ops`, `other_ops`, `not_known`.
std::string_view key_of(PeerExchanges::ToHost to_host);

struct Alignment {
  std::string what{};  ///< `device 0`, `run.log`
  AlignmentBasis basis = AlignmentBasis::kAxis;
  std::uint64_t samples = 0;  ///< exchanges or shared ops that it rests on
  double worst_ns = -1;       ///< the largest distance of one from the fit; below 0: not known
  double cycles_per_ns = 0;   ///< of a device; 0: not known
  PeerExchanges peers{};
};

/// What the lines of a log say of the time of day.
struct LineClock {
  std::int64_t at_zero_ns = 0;  ///< when 0 of the axis is, since 1970 or since a midnight
  std::int64_t within_ns = 0;   ///< how exactly that is known; 0: nobody says
  bool has_date = false;
  bool has_zone = false;  ///< else it is the time of the machine's place
};

/// A file that was read.
struct TimelineSource {
  std::string path{};
  std::string format{};  ///< `tracy 0.10.0`
  std::string program{};
  std::string host{};  ///< what the capture tells of the machine
  std::uint64_t process = 0;
  std::int64_t captured_at_ns = 0;      ///< when its 0 was, since 1970; 0: unknown
  std::int64_t captured_within_ns = 0;  ///< how exactly the file says that
  std::optional<LineClock> lines{};     ///< of a log whose lines have times
  std::uint64_t skipped_events = 0;     ///< lock events, call-stack samples: read over

  std::uint64_t captured_at_s() const;
};

/// A run on one axis. Times are nanoseconds.
struct Timeline {
  Timeline();

  StringPool texts;
  std::vector<Location> locations;
  std::vector<ZoneDetail> details;
  std::vector<TrackGroup> groups;
  std::vector<Track> tracks;
  Zones zones;
  std::vector<Message> messages;  ///< in order of time
  std::vector<Plot> plots;
  std::vector<Link> links;
  std::vector<Alignment> alignments;
  std::vector<TimelineSource> sources;
  std::vector<Finding> findings;  ///< of whole files, clocks and cuts
  TimelineProblems problems;
  std::int64_t first_ns = 0;  ///< of all that is in it
  std::int64_t last_ns = 0;   ///< what the sources call their end, or the last thing in it

  std::string_view text(TextId id) const { return texts[id]; }
  /// What a zone is called.
  std::string_view name_of_zone(std::size_t zone) const;
  std::string_view name_of_location(std::uint32_t location) const;
  /// The track of a zone.
  std::uint32_t track_of_zone(std::size_t zone) const;
  bool has_simulated_chips() const;
  bool has_content() const { return zones.size() > 0 || !messages.empty() || !plots.empty(); }
  /// Sets `first_ns` and `last_ns` by what is in it; the end stays where a source says a later one.
  void find_span();
  /// Zones of one place that several programs have stand in one location.
  void merge_equal_locations();
};

/// The path of a track through its groups: `python / Main thread`.
std::string full_name(const Timeline& timeline, const Track& track);
std::string full_name(const Timeline& timeline, std::uint32_t group);

}  // namespace ttscope::timeline
