#include "timeline/read/tracy_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/number_text.h"
#include "timeline/model/timeline.h"
#include "timeline/read/tracy_blocks.h"

namespace ttscope::timeline {
namespace {

/// The parts of a .tracy file. Each function reads one part and leaves the payload behind it; tracy_reader.cc
/// has their order.

/// 0.11.2 is 0x0B02.
constexpr std::uint32_t tracy_version(std::uint32_t minor, std::uint32_t patch) { return minor << 8 | patch; }

/// A place of the source, and the op whose zones alone it stands for.
struct TracyPlace {
  std::uint32_t location = 0;
  std::uint64_t op = kNoOp;
};

/// What the parts of a file tell each other.
struct TracyFile {
  TracyFile(std::string_view bytes, Timeline& to) : blocks(bytes), payload(blocks), timeline(to) {}

  TracyBlocks blocks;
  Payload payload;
  Timeline& timeline;
  std::uint32_t version = 0;
  std::string part;  ///< that is being read, in words

  std::vector<TextId> strings;                             ///< in the order of the file
  std::unordered_map<std::uint64_t, TextId> string_at;     ///< by the address it had
  std::unordered_map<std::uint64_t, TextId> named;         ///< by the address of its name
  std::unordered_map<std::uint64_t, TextId> thread_names;  ///< by thread
  std::unordered_map<std::uint64_t, std::uint32_t> thread_numbers;
  std::unordered_map<std::uint64_t, TracyPlace> static_places;  ///< by address
  std::vector<std::uint64_t> place_addresses;                   ///< by number
  std::vector<TracyPlace> dynamic_places;                       ///< by number
  std::unordered_map<std::string, std::uint32_t> op_places;     ///< locations of zones of ops
  std::uint32_t unknown_place = kNone;
  std::unordered_map<std::uint64_t, std::uint32_t> message_numbers;
  std::vector<std::uint32_t> extras;                            ///< details by number
  std::unordered_map<std::uint64_t, std::uint32_t> op_details;  ///< details that say an op alone

  bool is_at_least(std::uint32_t minor, std::uint32_t patch) const {
    return version >= tracy_version(minor, patch);
  }
  /// The place of a zone's number; one that is unknown where the file has none.
  TracyPlace place_of(std::int16_t number);
  /// A reference of nine bytes to a text.
  TextId read_reference();
  /// Three bytes: number of a text, and one.
  TextId read_text_number();
  /// The sum of a time and the next difference. Damaged files hold any number: it wraps.
  std::int64_t read_time(std::int64_t before);
};

void read_head(TracyFile& file, TimelineSource& source);
void read_frames(TracyFile& file, std::uint32_t group);
/// What frames are called stands behind them.
void name_frames(TracyFile& file);
void read_texts(TracyFile& file);
void read_locations(TracyFile& file);
void read_locks(TracyFile& file, TimelineSource& source);
void read_messages(TracyFile& file);
void read_extras(TracyFile& file);
void read_threads(TracyFile& file, std::uint32_t group, TimelineSource& source);
void read_device_contexts(TracyFile& file);
void read_plots(TracyFile& file, std::uint32_t group);
void read_memory(TracyFile& file, std::uint32_t group);

/// The parts in the order of the file. A file that is cut has no further ones.
void read_parts(TracyFile& file, TimelineSource& source) {
  Timeline& timeline = file.timeline;
  file.part = "head";
  read_head(file, source);
  const std::string_view shown = source.program.empty() ? std::string_view("Host") : source.program;
  timeline.groups.push_back({timeline.texts.intern(shown), kNone});
  constexpr std::uint32_t kProgram = 0;
  read_frames(file, kProgram);
  read_texts(file);
  name_frames(file);
  read_locations(file);
  read_locks(file, source);
  read_messages(file);
  read_extras(file);
  read_threads(file, kProgram, source);
  read_device_contexts(file);
  read_plots(file, kProgram);
  read_memory(file, kProgram);
}

/// Marks of a lane stand in a thread of its whole name, where this program wrote the file (tracy_writer.cc).
void restore_device_messages(Timeline& timeline) {
  std::map<std::string, std::uint32_t, std::less<>> lanes;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (timeline.tracks[i].is_of_device()) lanes.emplace(full_name(timeline, timeline.tracks[i]), i);
  }
  std::vector<std::uint32_t> lane_of(timeline.tracks.size(), kNone);
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.kind != TrackKind::kThread || track.zone_count > 0) continue;
    const auto lane = lanes.find(timeline.text(track.name));
    if (lane != lanes.end()) lane_of[i] = lane->second;
  }
  if (std::all_of(lane_of.begin(), lane_of.end(), [](std::uint32_t lane) { return lane == kNone; })) return;
  std::vector<std::uint32_t> number(timeline.tracks.size(), kNone);
  std::vector<Track> tracks;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    if (lane_of[i] != kNone) continue;
    number[i] = static_cast<std::uint32_t>(tracks.size());
    tracks.push_back(timeline.tracks[i]);
  }
  timeline.tracks = std::move(tracks);
  for (Message& message : timeline.messages) {
    if (message.track == kNone) continue;
    const std::uint32_t lane = lane_of[message.track];
    message.track = number[lane == kNone ? message.track : lane];
  }
}

void note_end(TracyFile& file, const std::string& name) {
  const bool is_cut = !file.payload.is_whole();
  if (!is_cut) file.blocks.check_rest();
  const std::string& problem = file.blocks.problem();
  if (is_cut) {
    file.timeline.findings.push_back({.kind = FindingKind::kCaptureCut,
                                      .file = name,
                                      .text = problem,
                                      .place = file.part,
                                      .bytes = file.payload.taken_bytes()});
  } else if (!problem.empty()) {
    file.timeline.findings.push_back(
        {.kind = FindingKind::kCaptureRestUnread, .file = name, .text = problem});
  }
}

}  // namespace

Result<Timeline> read_tracy(std::string_view bytes, const std::string& name) {
  Timeline timeline;
  TracyFile file(bytes, timeline);
  if (!file.blocks.is_known()) {
    return failure(bad_input(fmt::format("{}: not a capture of Tracy: it does not begin like one", name)));
  }
  const std::string magic = file.payload.read_text(5);
  const auto major = file.payload.read<std::uint8_t>();
  const auto minor = file.payload.read<std::uint8_t>();
  const auto patch = file.payload.read<std::uint8_t>();
  if (!file.payload.is_whole() || magic != "tracy") {
    const std::string& problem = file.blocks.problem();
    return failure(bad_input(fmt::format("{}: nothing of this capture of Tracy can be read{}{}", name,
                                         problem.empty() ? "" : ": ", problem)));
  }
  constexpr std::uint8_t kOldest = 10;
  constexpr std::uint8_t kNewest = 14;
  if (major != 0 || minor < kOldest || minor > kNewest) {
    return failure(bad_input(fmt::format(
        "{}: a capture of Tracy {}.{}.{}; those of 0.{} to 0.{} are read{}", name, major, minor, patch,
        kOldest, kNewest, minor < kOldest ? " (Tracy's own `update` makes newer files of old ones)" : "")));
  }
  file.version = tracy_version(minor, patch);
  TimelineSource source;
  source.path = name;
  source.format = fmt::format("tracy {}.{}.{}", major, minor, patch);
  read_parts(file, source);
  note_end(file, name);
  restore_device_messages(timeline);
  timeline.sources.push_back(std::move(source));
  timeline.alignments.push_back({.what = name, .basis = AlignmentBasis::kRecorded});
  // Threads send their messages by turns.
  std::stable_sort(timeline.messages.begin(), timeline.messages.end(),
                   [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
  timeline.find_span();
  return timeline;
}

namespace {

constexpr std::size_t kCrashBytes = 28;

/// Processors by package, die and core: of no use to a timeline.
void skip_topology(TracyFile& file, int levels) {
  for (auto count = file.payload.read<std::uint64_t>(); count > 0 && file.payload.is_whole(); --count) {
    file.payload.skip(4);
    if (levels > 1) {
      skip_topology(file, levels - 1);
    } else {
      file.payload.skip(file.payload.read<std::uint64_t>(), 4);
    }
  }
}

/// Of two bits less, so that differences of times stay numbers; Tracy's own have 47.
std::int64_t kept_time(std::uint64_t bits) { return static_cast<std::int64_t>(bits << 2) >> 2; }

std::string read_sized_text(Payload& payload) { return payload.read_text(payload.read<std::uint64_t>()); }

/// Pairs of a key and the address of its text.
void read_names(TracyFile& file, std::unordered_map<std::uint64_t, TextId>& names) {
  for (auto count = file.payload.read<std::uint64_t>(); count > 0 && file.payload.is_whole(); --count) {
    const auto key = file.payload.read<std::uint64_t>();
    const auto found = file.string_at.find(file.payload.read<std::uint64_t>());
    if (found != file.string_at.end()) names.insert_or_assign(key, found->second);
  }
}

/// `OP ID:1024`, which tt-metal writes as the function of a device's firmware zones.
std::uint64_t op_of_function(std::string_view function) {
  constexpr std::string_view kMark = "OP ID:";
  if (!function.starts_with(kMark)) return kNoOp;
  return parse_unsigned(function.substr(kMark.size())).value_or(kNoOp);
}

TracyPlace read_location(TracyFile& file) {
  Location place;
  place.name = file.read_reference();
  place.function = file.read_reference();
  place.file = file.read_reference();
  place.line = file.payload.read<std::uint32_t>();
  place.color = file.payload.read<std::uint32_t>() & 0xFFFFFF;
  std::vector<Location>& all = file.timeline.locations;
  const std::uint64_t op = op_of_function(file.timeline.text(place.function));
  if (op != kNoOp) {
    // Zones that differ by their op alone stand at one place.
    place.function = 0;
    const std::string key = fmt::format("{},{},{},{}", place.name, place.file, place.line, place.color);
    const auto [known, is_new] = file.op_places.try_emplace(key, static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(place);
    return {known->second, op};
  }
  all.push_back(place);
  return {static_cast<std::uint32_t>(all.size() - 1), op};
}

TracyPlace TracyFile::place_of(std::int16_t number) {
  if (number < 0) {
    const auto index = static_cast<std::size_t>(-(number + 1));
    if (index < dynamic_places.size()) return dynamic_places[index];
  } else if (static_cast<std::size_t>(number) < place_addresses.size()) {
    const auto found = static_places.find(place_addresses[static_cast<std::size_t>(number)]);
    if (found != static_places.end()) return found->second;
  }
  timeline.problems.add(TimelineProblem::kUnknownLocation, part);
  if (unknown_place == kNone) {
    unknown_place = static_cast<std::uint32_t>(timeline.locations.size());
    timeline.locations.push_back({.name = timeline.texts.intern("(unknown)")});
  }
  return {unknown_place, kNoOp};
}

TextId TracyFile::read_reference() {
  const auto value = payload.read<std::uint64_t>();
  const auto flags = payload.read<std::uint8_t>();
  if ((flags & 2) == 0) return 0;
  if ((flags & 1) != 0) {
    if (value < strings.size()) return strings[static_cast<std::size_t>(value)];
  } else {
    const auto found = named.find(value);
    if (found != named.end()) return found->second;
  }
  if (payload.is_whole()) timeline.problems.add(TimelineProblem::kUnknownText, part);
  return 0;
}

TextId TracyFile::read_text_number() {
  const std::uint32_t number = payload.read_24();
  if (number == 0) return 0;
  if (number <= strings.size()) return strings[number - 1];
  timeline.problems.add(TimelineProblem::kUnknownText, part);
  return 0;
}

std::int64_t TracyFile::read_time(std::int64_t before) {
  return kept_time(static_cast<std::uint64_t>(before) + payload.read<std::uint64_t>());
}

void read_head(TracyFile& file, TimelineSource& source) {
  Payload& payload = file.payload;
  if (!file.is_at_least(12, 3)) payload.skip(8);  // the profiler's delay
  payload.skip(8 + 8);                            // resolution, multiplier of the timer
  file.timeline.last_ns = kept_time(payload.read<std::uint64_t>());
  payload.skip(8);  // number of the first frame
  source.process = payload.read<std::uint64_t>();
  payload.skip(8 + 1 + 4 + 12 + 1);  // sampling, kind of processor, whether it was asked for on demand
  read_sized_text(payload);          // a name of the capture, which holds the time too
  source.program = read_sized_text(payload);
  constexpr std::uint64_t kNsPerS = 1'000'000'000;
  const auto captured_at_s = payload.read<std::uint64_t>();
  if (captured_at_s < INT64_MAX / kNsPerS) {
    source.captured_at_ns = static_cast<std::int64_t>(captured_at_s * kNsPerS);
    source.captured_within_ns = kNsPerS;
  }
  payload.skip(8);  // of the program's file
  source.host = read_sized_text(payload);
  if (source.host.ends_with(kSimulatedChipsTag)) {
    source.host.resize(source.host.size() - kSimulatedChipsTag.size());
    file.timeline.findings.push_back({.kind = FindingKind::kSimulatedChips, .file = source.path});
  }
  skip_topology(file, file.is_at_least(11, 2) ? 3 : 2);
  payload.skip(kCrashBytes);
}

void read_texts(TracyFile& file) {
  file.part = "texts";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    const auto address = payload.read<std::uint64_t>();
    const TextId text = file.timeline.texts.intern(read_sized_text(payload));
    if (!payload.is_whole()) return;
    file.strings.push_back(text);
    file.string_at.insert_or_assign(address, text);
  }
  file.part = "names";
  read_names(file, file.named);
  read_names(file, file.thread_names);
  payload.skip(payload.read<std::uint64_t>(), std::uint64_t{3} * 8);  // threads of other programs
  std::uint32_t number = 0;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.thread_numbers.insert_or_assign(payload.read<std::uint64_t>(), number++);
  }
  payload.skip(payload.read<std::uint64_t>(), 8);
}

void read_locations(TracyFile& file) {
  file.part = "source places";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    const auto address = payload.read<std::uint64_t>();
    file.static_places.insert_or_assign(address, read_location(file));
  }
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.place_addresses.push_back(payload.read<std::uint64_t>());
  }
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.dynamic_places.push_back(read_location(file));
  }
  for (int tables = 0; tables < 2; ++tables) payload.skip(payload.read<std::uint64_t>(), 2 + 8);  // counts
}

void read_locks(TracyFile& file, TimelineSource& source) {
  file.part = "locks";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    payload.skip(4 + 3 + 2 + 1 + 1 + 8 + 8);
    payload.skip(payload.read<std::uint64_t>(), 8);
    const auto events = payload.read<std::uint64_t>();
    payload.skip(events, 8 + 2 + 1 + 1);
    if (payload.is_whole()) source.skipped_events += events;
  }
}

void read_extras(TracyFile& file) {
  file.part = "texts of zones";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    payload.skip(3);  // call stack
    ZoneDetail detail;
    detail.text = file.read_text_number();
    detail.name = file.read_text_number();
    detail.color = payload.read_24();
    if (!payload.is_whole()) return;
    if (detail == ZoneDetail{}) {
      file.extras.push_back(0);
    } else {
      file.timeline.details.push_back(detail);
      file.extras.push_back(static_cast<std::uint32_t>(file.timeline.details.size() - 1));
    }
  }
}

}  // namespace

std::optional<CoreName> core_of_context(std::string_view name) {
  constexpr std::string_view kDevice = "Device: ";
  if (!name.starts_with(kDevice)) return std::nullopt;
  std::string_view core;
  for (const std::string_view mark : {"Physical (", "Core ("}) {
    const std::size_t at = name.find(mark);
    if (core.empty() && at != std::string_view::npos) core = name.substr(at + mark.size());
  }
  const std::string_view device = name.substr(kDevice.size(), name.find(',') - kDevice.size());
  const std::size_t comma = core.find(',');
  const std::size_t bracket = core.find(')');
  if (comma == std::string_view::npos || bracket == std::string_view::npos || bracket < comma) {
    return std::nullopt;
  }
  const auto id = parse_unsigned(device);
  const auto x = parse_unsigned(core.substr(0, comma));
  const auto y = parse_unsigned(core.substr(comma + 1, bracket - comma - 1));
  if (!id || !x || !y || *id >= kNone || *x > UINT16_MAX || *y > UINT16_MAX) return std::nullopt;
  return CoreName{static_cast<std::uint32_t>(*id), static_cast<std::uint16_t>(*x),
                  static_cast<std::uint16_t>(*y)};
}

std::optional<WholeDevice> device_of_context(std::string_view name) {
  constexpr std::string_view kDevice = "Device: ";
  constexpr std::string_view kSeparator = ", ";
  if (!name.starts_with(kDevice)) return std::nullopt;
  for (const TrackKind kind : {TrackKind::kOps, TrackKind::kGaps}) {
    if (!name.ends_with(key_of(kind))) continue;
    std::string_view id_text =
        name.substr(kDevice.size(), name.size() - kDevice.size() - key_of(kind).size());
    if (!id_text.ends_with(kSeparator)) continue;
    id_text.remove_suffix(kSeparator.size());
    const auto id = parse_unsigned(id_text);
    if (id && *id < kNone) return WholeDevice{static_cast<std::uint32_t>(*id), kind};
  }
  return std::nullopt;
}

std::string lane_name(std::uint64_t lane, bool of_core) {
  constexpr std::array<std::string_view, 6> kProcessors = {"BRISC",   "NCRISC",  "TRISC_0",
                                                           "TRISC_1", "TRISC_2", "ERISC"};
  if (of_core && (lane & 7) < kProcessors.size()) return std::string(kProcessors[lane & 7]);
  return fmt::format("lane {}", lane);
}

std::string track_name(const WholeDevice& whole, std::uint64_t number) {
  const std::string name = whole.kind == TrackKind::kOps ? "Ops" : "Gaps";
  return number == 0 ? name : fmt::format("{} {}", name, number + 1);
}

namespace {

/// Room is made on the word of a file only so far.
constexpr std::uint64_t kMaxReserved = std::uint64_t{1} << 24;

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
    constexpr std::size_t kOwnFrames = 2;
    if (track.zone_count == 0 || (name == 0 && track.zone_count <= kOwnFrames)) {
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
                         static_cast<std::size_t>(std::min(payload.read<std::uint64_t>(), kMaxReserved)));
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
      if (payload.is_whole()) source.skipped_events += samples;
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
                         static_cast<std::size_t>(std::min(payload.read<std::uint64_t>(), kMaxReserved)));
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

}  // namespace

}  // namespace ttscope::timeline
