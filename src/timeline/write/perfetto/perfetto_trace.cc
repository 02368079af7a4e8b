#include "timeline/write/perfetto/perfetto_trace.h"

#include <algorithm>
#include <vector>

#include "base/utf8.h"
#include "timeline/write/perfetto/proto_buffer.h"

namespace ttscope::timeline {
namespace {

// Numbers of the fields as Perfetto publishes them (protos/perfetto/trace).
namespace field {
constexpr std::uint32_t kTracePacket = 1;
constexpr std::uint32_t kTimestamp = 8, kSequenceId = 10, kTrackEvent = 11, kInternedData = 12,
                        kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint32_t kTrackUuid = 1, kTrackName = 2, kTrackProcess = 3, kTrackParent = 5,
                        kTrackCounter = 8, kChildOrdering = 11, kSiblingRank = 12;
constexpr std::uint32_t kProcessId = 1, kProcessName = 6;
constexpr std::uint32_t kCounterUnit = 3;
constexpr std::uint32_t kEventAnnotations = 4, kEventType = 9, kEventNameId = 10, kEventTrack = 11,
                        kEventName = 23, kEventLocationId = 34, kEventCounterDouble = 44, kEventFlow = 47,
                        kEventFlowEnd = 48;
constexpr std::uint32_t kInternedNames = 2, kInternedLocations = 4;
constexpr std::uint32_t kInternedId = 1, kInternedText = 2;
constexpr std::uint32_t kLocationFile = 2, kLocationFunction = 3, kLocationLine = 4;
constexpr std::uint32_t kAnnotationUint = 3, kAnnotationText = 6, kAnnotationName = 10;
}  // namespace field

constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;
constexpr std::uint64_t kSizeInBytes = 3;
constexpr std::uint64_t kOrderByRank = 3;
constexpr std::uint64_t kSequence = 1;

class PerfettoWriter {
 public:
  PerfettoWriter(const Timeline& timeline, Writer& out)
      : timeline_(timeline),
        zones_(timeline.zones),
        out_(out),
        name_known_(timeline.texts.size()),
        place_known_(timeline.locations.size()) {
    for (const Link& link : timeline.links) {
      flows_.push_back({link.from_zone, flow_count_, false});
      flows_.push_back({link.to_zone, flow_count_++, true});
    }
    std::sort(flows_.begin(), flows_.end());
    shift_ns_ = perfetto_shift_ns(timeline);
  }

  void write() {
    packet_.clear();
    packet_.number(field::kSequenceId, kSequence);
    packet_.number(field::kSequenceFlags, kStateCleared);
    end_packet();
    write_groups();
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) write_track(i);
    write_messages();
    for (std::uint32_t i = 0; i < timeline_.plots.size(); ++i) write_plot(i);
  }

 private:
  // Groups, tracks and plots share one space of numbers; 0 is none.
  static std::uint64_t group_id(std::uint32_t group) { return 1 + std::uint64_t{group}; }
  static std::uint64_t track_id(std::uint32_t track) { return (std::uint64_t{1} << 33) + track; }
  static std::uint64_t plot_id(std::uint32_t plot) { return (std::uint64_t{2} << 33) + plot; }

  static constexpr std::uint64_t kMessagesTrack = std::uint64_t{3} << 33;

  void end_packet() {
    head_.clear();
    head_.content(field::kTracePacket, packet_.bytes());
    out_.write(head_.bytes());
  }

  /// Names are text, whatever bytes a log held.
  static std::string utf8(std::string_view text) { return utf8_repaired(text); }

  void write_descriptor() {
    packet_.clear();
    packet_.number(field::kSequenceId, kSequence);
    packet_.content(field::kTrackDescriptor, inner_.bytes());
    end_packet();
  }

  void write_groups() {
    for (std::uint32_t group = 0; group < timeline_.groups.size(); ++group) {
      const TrackGroup& own = timeline_.groups[group];
      inner_.clear();
      inner_.number(field::kTrackUuid, group_id(group));
      if (own.parent == kNone) {
        // A process of its own, so that the viewer folds it. Their numbers are not those of the programs:
        // devices have none.
        process_.clear();
        process_.number(field::kProcessId, group + 1);
        process_.content(field::kProcessName, utf8(timeline_.text(own.name)));
        inner_.content(field::kTrackProcess, process_.bytes());
      } else {
        inner_.content(field::kTrackName, utf8(timeline_.text(own.name)));
        inner_.number(field::kTrackParent, group_id(own.parent));
        inner_.number(field::kSiblingRank, group);
      }
      inner_.number(field::kChildOrdering, kOrderByRank);
      write_descriptor();
    }
  }

  void write_track(std::uint32_t number) {
    const Track& track = timeline_.tracks[number];
    inner_.clear();
    inner_.number(field::kTrackUuid, track_id(number));
    inner_.content(field::kTrackName, utf8(timeline_.text(track.name)));
    inner_.number(field::kTrackParent, group_id(track.group));
    inner_.number(field::kSiblingRank, number);
    write_descriptor();
    open_.clear();
    std::int64_t last = INT64_MIN;  // no event of a track may go back
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      while (open_.size() > zones_.depth[zone]) last = close(number, last);
      last = std::max(last, zones_.start_ns[zone]);
      std::int64_t end = std::max(last, zones_.end_ns[zone]);
      if (!open_.empty()) end = std::min(end, open_.back());
      end = std::max(end, last);
      open(number, zone, last);
      open_.push_back(end);
    }
    while (!open_.empty()) last = close(number, last);
  }

  void open(std::uint32_t track, std::size_t zone, std::int64_t start) {
    const ZoneDetail& detail = timeline_.details[zones_.detail[zone]];
    const std::uint32_t location = zones_.location[zone];
    const Location& place = timeline_.locations[location];
    const TextId name = detail.name != 0 ? detail.name : place.name != 0 ? place.name : place.function;
    interned_.clear();
    if (!name_known_[name]) {
      name_known_[name] = true;
      inner_.clear();
      inner_.number(field::kInternedId, name + 1);
      inner_.content(field::kInternedText, utf8(timeline_.text(name)));
      interned_.content(field::kInternedNames, inner_.bytes());
    }
    if (place.file != 0 && !place_known_[location]) {
      place_known_[location] = true;
      inner_.clear();
      inner_.number(field::kInternedId, location + 1);
      inner_.content(field::kLocationFile, utf8(timeline_.text(place.file)));
      if (place.function != 0) inner_.content(field::kLocationFunction, utf8(timeline_.text(place.function)));
      inner_.number(field::kLocationLine, place.line);
      interned_.content(field::kInternedLocations, inner_.bytes());
    }
    event_.clear();
    event_.number(field::kEventType, kSliceBegin);
    event_.number(field::kEventTrack, track_id(track));
    event_.number(field::kEventNameId, name + 1);
    if (place.file != 0) event_.number(field::kEventLocationId, location + 1);
    if (detail.text != 0) annotate("text", utf8(timeline_.text(detail.text)));
    if (detail.op != kNoOp) {
      inner_.clear();
      inner_.content(field::kAnnotationName, "op");
      inner_.number(field::kAnnotationUint, detail.op);
      event_.content(field::kEventAnnotations, inner_.bytes());
    }
    for (auto flow = std::lower_bound(flows_.begin(), flows_.end(), Flow{zone, 0, false});
         flow != flows_.end() && flow->zone == zone; ++flow) {
      event_.fixed(flow->ends ? field::kEventFlowEnd : field::kEventFlow, flow->id + 1);
    }
    write_event(start, true);
  }

  std::int64_t close(std::uint32_t track, std::int64_t last) {
    const std::int64_t end = std::max(last, open_.back());
    open_.pop_back();
    event_.clear();
    event_.number(field::kEventType, kSliceEnd);
    event_.number(field::kEventTrack, track_id(track));
    interned_.clear();
    write_event(end, false);
    return end;
  }

  void annotate(std::string_view name, std::string_view text) {
    inner_.clear();
    inner_.content(field::kAnnotationName, name);
    inner_.content(field::kAnnotationText, text);
    event_.content(field::kEventAnnotations, inner_.bytes());
  }

  void write_event(std::int64_t time, bool needs_names) {
    packet_.clear();
    packet_.number(field::kTimestamp, static_cast<std::uint64_t>(time + shift_ns_));
    packet_.number(field::kSequenceId, kSequence);
    if (needs_names) packet_.number(field::kSequenceFlags, kNeedsState);
    if (!interned_.bytes().empty()) packet_.content(field::kInternedData, interned_.bytes());
    packet_.content(field::kTrackEvent, event_.bytes());
    end_packet();
  }

  /// Messages that no track has get one of their own; the viewer draws the others over the slices of theirs.
  void write_messages() {
    const bool has_own = std::any_of(timeline_.messages.begin(), timeline_.messages.end(),
                                     [](const Message& message) { return message.track == kNone; });
    if (has_own) {
      inner_.clear();
      inner_.number(field::kTrackUuid, kMessagesTrack);
      inner_.content(field::kTrackName, "Messages");
      if (!timeline_.groups.empty()) inner_.number(field::kTrackParent, group_id(0));
      write_descriptor();
    }
    interned_.clear();
    for (const Message& message : timeline_.messages) {
      event_.clear();
      event_.number(field::kEventType, kInstant);
      event_.number(field::kEventTrack, message.track == kNone ? kMessagesTrack : track_id(message.track));
      event_.content(field::kEventName, utf8(timeline_.text(message.text)));
      write_event(message.time_ns, false);
    }
  }

  void write_plot(std::uint32_t number) {
    const Plot& plot = timeline_.plots[number];
    inner_.clear();
    inner_.number(field::kTrackUuid, plot_id(number));
    inner_.content(field::kTrackName, utf8(timeline_.text(plot.name)));
    if (plot.group != kNone) inner_.number(field::kTrackParent, group_id(plot.group));
    process_.clear();
    if (plot.unit == PlotUnit::kBytes) process_.number(field::kCounterUnit, kSizeInBytes);
    inner_.content(field::kTrackCounter, process_.bytes());
    write_descriptor();
    interned_.clear();
    for (const PlotPoint& point : plot.points) {
      event_.clear();
      event_.number(field::kEventType, kCounter);
      event_.number(field::kEventTrack, plot_id(number));
      event_.real(field::kEventCounterDouble, point.value);
      write_event(point.time_ns, false);
    }
  }

  struct Flow {
    std::uint64_t zone = 0;
    std::uint64_t id = 0;
    bool ends = false;
    bool operator<(const Flow& other) const {
      return zone != other.zone ? zone < other.zone : id != other.id ? id < other.id : ends < other.ends;
    }
  };

  const Timeline& timeline_;
  const Zones& zones_;
  Writer& out_;
  std::vector<bool> name_known_;
  std::vector<bool> place_known_;
  std::vector<Flow> flows_;
  std::uint64_t flow_count_ = 0;
  std::int64_t shift_ns_ = 0;
  std::vector<std::int64_t> open_;
  ProtoBuffer packet_, head_, inner_, process_, event_, interned_;
};

}  // namespace

std::int64_t perfetto_shift_ns(const Timeline& timeline) {
  return timeline.first_ns < 0 ? -timeline.first_ns : 0;
}

void write_perfetto(const Timeline& timeline, Writer& out) { PerfettoWriter(timeline, out).write(); }

}  // namespace ttscope::timeline
