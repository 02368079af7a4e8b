#include "timeline/read/recording/thread_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ttscope::timeline {

namespace {

using record::EventKind;

/// A zone that has begun, with what was said of it so far.
struct OpenZone {
  std::size_t zone = 0;
  ZoneDetail detail{};
  std::string text{};
};

/// Goes over the events of one thread.
class ThreadReader {
 public:
  ThreadReader(const RecordedThread& thread, ProcessEvents& events)
      : thread_(thread), events_(events), timeline_(events.timeline) {}

  void read() {
    track_.group = events_.group;
    track_.id = thread_.thread_id;
    track_.number = static_cast<std::uint32_t>(timeline_.tracks.size());
    track_.first_zone = timeline_.zones.size();
    for (const std::vector<std::uint64_t>& chunk : thread_.chunks) read_chunk(chunk);
    end_cut_zones();
    track_.zone_count = timeline_.zones.size() - track_.first_zone;
    track_.name = timeline_.texts.intern(name_.empty() ? usual_name() : name_);
    timeline_.tracks.push_back(track_);
  }

 private:
  void read_chunk(const std::vector<std::uint64_t>& chunk) {
    std::size_t at = 0;
    RecordedEvent event;
    bool is_bad = false;
    while (next_event(chunk, at, event, is_bad)) take(event);
    if (is_bad) ++events_.bad_events;
  }

  void take(const RecordedEvent& event) {
    if (event.is_short_zone) return take_short_zone(event.word);
    switch (event.kind) {
      case EventKind::kSync:
        ticks_ = event.word & record::kTicksMask;
        return;
      case EventKind::kZoneBegin:
        pass(event.rest);
        return begin_zone(static_cast<std::uint32_t>(event.field));
      case EventKind::kZoneEnd:
        pass(event.rest);
        return end_zone();
      case EventKind::kTextPart:
        if (part_.size() + event.text.size() <= record::kMostTextBytes) part_ += event.text;
        return;
      case EventKind::kZoneText:
      case EventKind::kZoneName:
      case EventKind::kZoneColor:
      case EventKind::kZoneValue:
        return add_to_zone(event);
      case EventKind::kMessage:
        pass(event.rest);
        return add_message(event);
      case EventKind::kPlotUnit:
        events_.units[static_cast<std::uint32_t>(event.field)] = event.rest == 1   ? PlotUnit::kBytes
                                                                 : event.rest == 2 ? PlotUnit::kPercent
                                                                                   : PlotUnit::kNumber;
        return;
      case EventKind::kPlace:
        return add_place(event);
      case EventKind::kThreadName:
        name_ = whole_text(event);
        return;
      default:
        pass(event.rest);
        return add_shared(event);
    }
  }

  /// Time goes on. That of threads does not go back, whatever the counters of two processors say.
  void pass(std::uint64_t delta) {
    ticks_ += delta;
    now_ns_ = std::max(now_ns_, events_.offset_ns + events_.process.since_start_ns(ticks_));
    events_.last_ns = std::max(events_.last_ns, now_ns_);
  }

  /// The text of an event with the parts that stood before it.
  std::string whole_text(const RecordedEvent& event) {
    std::string text = std::exchange(part_, {});
    text += event.text;
    return text;
  }

  void take_short_zone(std::uint64_t word) {
    pass(word >> record::kShortTicksBits & record::kShortTicksMask);
    begin_zone(static_cast<std::uint32_t>(word >> record::kShortPlaceShift & record::kShortPlaceMask));
    pass(word & record::kShortTicksMask);
    end_zone();
  }

  void begin_zone(std::uint32_t place) {
    const std::size_t depth = open_.size();
    track_.most_depth =
        std::max(track_.most_depth, static_cast<std::uint16_t>(std::min<std::size_t>(depth, UINT16_MAX)));
    const std::size_t zone = timeline_.zones.open(now_ns_, events_.location_of(place), 0, depth);
    open_.push_back({.zone = zone});
  }

  void end_zone() {
    if (open_.empty()) {
      ++events_.bad_events;
      return;
    }
    OpenZone& ended = open_.back();
    timeline_.zones.end_ns[ended.zone] = now_ns_;
    if (!ended.text.empty()) ended.detail.text = timeline_.texts.intern(ended.text);
    if (!(ended.detail == ZoneDetail{})) timeline_.zones.detail[ended.zone] = events_.detail_of(ended.detail);
    open_.pop_back();
  }

  void add_to_zone(const RecordedEvent& event) {
    std::string text = whole_text(event);
    if (event.rest == 0 || event.rest > open_.size()) {
      ++events_.bad_events;
      return;
    }
    OpenZone& zone = open_[event.rest - 1];
    if (event.kind == EventKind::kZoneColor) {
      zone.detail.color = static_cast<std::uint32_t>(event.field);
    } else if (event.kind == EventKind::kZoneName) {
      zone.detail.name = timeline_.texts.intern(text);
    } else {
      // As Tracy words values.
      if (event.kind == EventKind::kZoneValue)
        text = fmt::format("{} [0x{:X}]", event.words[0], event.words[0]);
      if (!zone.text.empty()) zone.text += '\n';
      zone.text += text;
    }
  }

  void add_message(const RecordedEvent& event) {
    Message message;
    message.time_ns = now_ns_;
    message.text = timeline_.texts.intern(whole_text(event));
    message.track = static_cast<std::uint32_t>(timeline_.tracks.size());
    message.color = static_cast<std::uint32_t>(event.words[0] & 0xFFFFFF);
    timeline_.messages.push_back(message);
  }

  void add_shared(const RecordedEvent& event) {
    SharedEvent shared{now_ns_, event.kind, static_cast<std::uint32_t>(event.field), 0, 0};
    if (event.kind == EventKind::kPlot || event.kind == EventKind::kFree) shared.first = event.words[0];
    if (event.kind == EventKind::kAlloc)
      std::tie(shared.first, shared.second) = std::tie(event.words[0], event.words[1]);
    events_.shared.push_back(shared);
  }

  void add_place(const RecordedEvent& event) {
    const std::string text = whole_text(event);
    const std::size_t name = event.words[1] & record::kRestMask;
    const std::size_t function = event.words[1] >> 32;
    if (name > text.size() || function > text.size() - name) {
      ++events_.bad_events;
      return;
    }
    Location& place = timeline_.locations[events_.location_of(static_cast<std::uint32_t>(event.rest))];
    const std::string_view all = text;
    place.name = timeline_.texts.intern(all.substr(0, name));
    place.function = timeline_.texts.intern(all.substr(name, function));
    place.file = timeline_.texts.intern(all.substr(name + function));
    place.line = static_cast<std::uint32_t>(event.words[0]);
    place.color = static_cast<std::uint32_t>(event.words[0] >> 32 & 0xFFFFFF);
  }

  /// The program was killed inside of them, or they have not ended yet.
  void end_cut_zones() {
    const auto problem =
        events_.is_child ? TimelineProblem::kZoneOfChildWithoutEnd : TimelineProblem::kZoneWithoutEnd;
    for (; !open_.empty(); end_zone()) timeline_.problems.add(problem, events_.part);
  }

  std::string usual_name() const {
    return thread_.thread_id == events_.process.process ? "Main thread"
                                                        : fmt::format("thread {}", thread_.thread_id);
  }

  const RecordedThread& thread_;
  ProcessEvents& events_;
  Timeline& timeline_;
  Track track_;
  std::string name_;
  std::string part_;
  std::vector<OpenZone> open_;
  std::uint64_t ticks_ = 0;
  std::int64_t now_ns_ = 0;
};

}  // namespace

std::uint32_t ProcessEvents::location_of(std::uint32_t number) {
  const auto next = static_cast<std::uint32_t>(timeline.locations.size());
  const auto [found, is_new] = places.try_emplace(number, next);
  if (is_new) timeline.locations.emplace_back();
  return found->second;
}

std::uint32_t ProcessEvents::detail_of(const ZoneDetail& detail) {
  const auto next = static_cast<std::uint32_t>(timeline.details.size());
  const auto [found, is_new] = details.try_emplace({detail.text, detail.name, detail.color}, next);
  if (is_new) timeline.details.push_back(detail);
  return found->second;
}

void add_thread(const RecordedThread& thread, ProcessEvents& events) {
  events.part = fmt::format("thread {} of process {}", thread.thread_id, events.process.process);
  ThreadReader(thread, events).read();
}

}  // namespace ttscope::timeline
