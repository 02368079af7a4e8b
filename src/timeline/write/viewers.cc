#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/text.h"
#include "timeline/write/exports.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::timeline {
namespace {

/// Microseconds with three decimals.
void append_us(fmt::memory_buffer& to, std::int64_t ns) {
  const std::int64_t whole = ns / 1000;
  const std::int64_t part = ns % 1000;
  fmt::format_to(std::back_inserter(to), "{}{}.{:03}", ns < 0 && whole == 0 ? "-" : "", whole,
                 part < 0 ? -part : part);
  // Tracy's importer cuts what it gets by multiplying, where 2.01 becomes 2009: neighbors would overlap
  // then.
  const auto cut = static_cast<std::int64_t>(static_cast<double>(ns) / 1000 * 1000);
  if (ns > 0 && cut < ns) to.push_back('1');
}

class ChromeWriter {
 public:
  ChromeWriter(const Timeline& timeline, Writer& out)
      : timeline_(timeline),
        zones_(timeline.zones),
        out_(out),
        quoter_({.ascii = true}),
        texts_({.ascii = true}) {}

  void write() {
    out_.write("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n");
    write_names();
    write_name_of_messages();
    write_zones();
    write_messages();
    write_plots();
    write_links();
    out_.write("\n]}\n");
  }

 private:
  /// Each root of the groups is a process.
  std::uint32_t process_of(std::uint32_t group) const {
    while (timeline_.groups[group].parent != kNone) group = timeline_.groups[group].parent;
    return group + 1;
  }
  std::uint32_t process_of(const Track& track) const { return process_of(track.group); }

  std::string_view quoted(TextId text) {
    return texts_.get(text, [&](ui::JsonQuoter& quoter) { return quoter.quoted(timeline_.text(text)); });
  }

  void begin() {
    line_.clear();
    if (!first_) fmt::format_to(std::back_inserter(line_), ",\n");
    first_ = false;
  }
  void end() { out_.write({line_.data(), line_.size()}); }
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(line_), format, std::forward<Args>(args)...);
  }

  void write_names() {
    for (std::uint32_t group = 0; group < timeline_.groups.size(); ++group) {
      if (timeline_.groups[group].parent != kNone) continue;
      begin();
      add(R"({{"ph":"M","name":"process_name","pid":{},"tid":0,"args":{{"name":{}}}}})", group + 1,
          quoted(timeline_.groups[group].name));
      end();
    }
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      // What the groups below a process are called goes into the name.
      const Track& track = timeline_.tracks[i];
      std::string name = full_name(timeline_, track);
      const std::string process(timeline_.text(timeline_.groups[process_of(track) - 1].name));
      if (name.starts_with(process + " / ")) name.erase(0, process.size() + 3);
      begin();
      add(R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})", process_of(track),
          i + 1, quoter_.quoted(name));
      end();
      begin();
      add(R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}})",
          process_of(track), i + 1, i);
      end();
    }
  }

  /// Messages that no track has, and plots, are thread 0 of the first process or their own.
  void write_name_of_messages() {
    const bool has_own = std::any_of(timeline_.messages.begin(), timeline_.messages.end(),
                                     [](const Message& message) { return message.track == kNone; });
    if (!has_own) return;
    begin();
    add(R"({{"ph":"M","name":"thread_name","pid":1,"tid":0,"args":{{"name":"Messages"}}}})");
    end();
  }

  /// All tracks by turns, in order of time: readers that sort keep the order of equal times.
  void write_zones() {
    struct Next {
      std::int64_t start;
      std::size_t zone;
      std::uint32_t track;
      bool operator>(const Next& other) const {
        return start != other.start ? start > other.start : zone > other.zone;
      }
    };
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      const Track& track = timeline_.tracks[i];
      if (track.zone_count > 0) next.push({zones_.start_ns[track.first_zone], track.first_zone, i});
    }
    while (!next.empty()) {
      Next at = next.top();
      next.pop();
      const Track& track = timeline_.tracks[at.track];
      // A track goes on as long as it is its turn.
      const std::int64_t until = next.empty() ? INT64_MAX : next.top().start;
      do {
        write_zone(at.zone, at.track);
        ++at.zone;
      } while (at.zone < track.end_zone() && zones_.start_ns[at.zone] <= until);
      if (at.zone < track.end_zone()) next.push({zones_.start_ns[at.zone], at.zone, at.track});
    }
  }

  void write_zone(std::size_t zone, std::uint32_t track) {
    const ZoneDetail& detail = timeline_.details[zones_.detail[zone]];
    const Location& place = timeline_.locations[zones_.location[zone]];
    const TextId name = detail.name != 0 ? detail.name : place.name != 0 ? place.name : place.function;
    begin();
    add(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":)", quoted(name), process_of(timeline_.tracks[track]),
        track + 1);
    append_us(line_, zones_.start_ns[zone]);
    add(",\"dur\":");
    append_us(line_, zones_.length_ns(zone));
    if (place.file != 0) add(",\"loc\":{}", place_text(zones_.location[zone]));
    if (detail.text != 0 || detail.op != kNoOp) {
      add(",\"args\":{{");
      if (detail.text != 0) add("\"text\":{}", quoted(detail.text));
      if (detail.op != kNoOp) add("{}\"op\":{}", detail.text != 0 ? "," : "", detail.op);
      add("}}");
    }
    add("}}");
    end();
  }

  /// `"file:line"`.
  std::string_view place_text(std::uint32_t location) {
    return places_.get(location, [&](ui::JsonQuoter& quoter) {
      const Location& place = timeline_.locations[location];
      place_ = fmt::format("{}:{}", timeline_.text(place.file), place.line);
      return quoter.quoted(place_);
    });
  }

  void write_messages() {
    for (const Message& message : timeline_.messages) {
      const bool is_of_track = message.track != kNone;
      begin();
      add(R"({{"ph":"i","s":"t","name":{},"pid":{},"tid":{},"ts":)", quoted(message.text),
          is_of_track ? process_of(timeline_.tracks[message.track]) : 1, is_of_track ? message.track + 1 : 0);
      append_us(line_, message.time_ns);
      add("}}");
      end();
    }
  }

  /// The name of a plot, with its group where several are called so: Tracy would make one of them.
  std::string key_of_plot(const Plot& plot, bool is_shared) const {
    std::string key(timeline_.text(plot.name));
    if (is_shared && plot.group != kNone) key = full_name(timeline_, plot.group) + " / " + key;
    return key;
  }

  /// Tracy names a plot by its key and takes one that ends in `_bytes` for memory.
  void write_plots() {
    std::unordered_map<TextId, std::size_t> named;
    for (const Plot& plot : timeline_.plots) ++named[plot.name];
    for (const Plot& plot : timeline_.plots) {
      std::string key = key_of_plot(plot, named[plot.name] > 1);
      if (plot.unit == PlotUnit::kBytes && !key.ends_with("_bytes")) key += "_bytes";
      const std::string quoted_key(quoter_.quoted(key));
      const std::uint32_t process = plot.group == kNone ? 1 : process_of(plot.group);
      for (const PlotPoint& point : plot.points) {
        begin();
        add(R"({{"ph":"C","name":{},"pid":{},"tid":0,"ts":)", quoted(plot.name), process);
        append_us(line_, point.time_ns);
        add(",\"args\":{{{}:{}}}}}", quoted_key, quoter_.number(point.value));
        end();
      }
    }
  }

  void write_links() {
    for (std::size_t i = 0; i < timeline_.links.size(); ++i) {
      write_flow("s", "", timeline_.links[i].from_zone, i);
      write_flow("f", ",\"bp\":\"e\"", timeline_.links[i].to_zone, i);
    }
  }
  void write_flow(std::string_view phase, std::string_view more, std::size_t zone, std::size_t id) {
    const std::uint32_t track = timeline_.track_of_zone(zone);
    begin();
    add(R"({{"ph":"{}","cat":"link","name":"link","id":{},"pid":{},"tid":{}{},"ts":)", phase, id + 1,
        process_of(timeline_.tracks[track]), track + 1, more);
    append_us(line_, zones_.start_ns[zone]);
    add("}}");
    end();
  }

  const Timeline& timeline_;
  const Zones& zones_;
  Writer& out_;
  ui::JsonQuoter quoter_;
  ui::JsonTable texts_;
  ui::JsonTable places_{{.ascii = true}};
  std::string place_;
  fmt::memory_buffer line_;
  bool first_ = true;
};

}  // namespace

void write_chrome(const Timeline& timeline, Writer& out) { ChromeWriter(timeline, out).write(); }

namespace {

/// A message of protocol buffers as bytes: fields one behind the other.
class ProtoBuffer {
 public:
  void clear() { bytes_.clear(); }
  const std::string& bytes() const { return bytes_; }

  void number(std::uint32_t field, std::uint64_t value) {
    varint(field << 3);
    varint(value);
  }
  void real(std::uint32_t field, double value) {
    varint(field << 3 | 1);
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(raw));
  }
  /// A fixed number of eight bytes.
  void fixed(std::uint32_t field, std::uint64_t value) {
    varint(field << 3 | 1);
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(raw));
  }
  /// A text or a message.
  void content(std::uint32_t field, std::string_view bytes) {
    varint(field << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

 private:
  std::string bytes_;
};

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

namespace {

/// A text of V8 has 512 MB at most, and chrome://tracing takes a file as one.
constexpr std::uint64_t kMaxChromeBytes = 500'000'000;
/// The memory of ui.perfetto.dev is about 2 GB, and it needs two to four times the file.
constexpr std::uint64_t kMaxPerfettoBytes = 700'000'000;

constexpr std::string_view kCutAdvice = "write a part of it (--from, --to, --op, --core)";

/// What the names and texts of all zones take; `place` says what a place of the source adds.
template <typename OfPlace>
std::uint64_t text_bytes(const Timeline& timeline, OfPlace place) {
  std::vector<std::uint64_t> places;
  for (const Location& location : timeline.locations) places.push_back(place(location));
  std::uint64_t sum = 0;
  for (std::size_t zone = 0; zone < timeline.zones.size(); ++zone) {
    const ZoneDetail& detail = timeline.details[timeline.zones.detail[zone]];
    sum += places[timeline.zones.location[zone]] + timeline.text(detail.text).size() +
           (detail.op != kNoOp ? 18 : 0);
  }
  for (const Message& message : timeline.messages) sum += timeline.text(message.text).size();
  return sum;
}

std::uint64_t point_count(const Timeline& timeline) {
  std::uint64_t points = 0;
  for (const Plot& plot : timeline.plots) points += plot.points.size();
  return points;
}

}  // namespace

std::uint64_t chrome_bytes(const Timeline& timeline) {
  constexpr std::uint64_t kZone = 78, kMessage = 65, kPoint = 110, kArrow = 180;
  const std::uint64_t texts = text_bytes(timeline, [&](const Location& place) {
    const std::size_t file = place.file == 0 ? 0 : timeline.text(place.file).size() + 14;
    return timeline.text(place.name).size() + file;
  });
  return texts + kZone * timeline.zones.size() + kMessage * timeline.messages.size() +
         kPoint * point_count(timeline) + kArrow * timeline.links.size();
}

std::uint64_t perfetto_bytes(const Timeline& timeline) {
  constexpr std::uint64_t kZone = 48, kMessage = 28, kPoint = 30, kArrow = 22;
  // Names and places are written once.
  const std::uint64_t texts = text_bytes(timeline, [](const Location&) { return std::uint64_t{0}; });
  return texts + kZone * timeline.zones.size() + kMessage * timeline.messages.size() +
         kPoint * point_count(timeline) + kArrow * timeline.links.size();
}

std::string chrome_size_warning(std::uint64_t bytes) {
  if (bytes <= kMaxChromeBytes) return {};
  return fmt::format("about {}, and browsers open no more than {} of JSON; {}, or .pftrace or .tracy",
                     ui::size_text(static_cast<std::int64_t>(bytes)),
                     ui::size_text(static_cast<std::int64_t>(kMaxChromeBytes)), kCutAdvice);
}

std::string perfetto_size_warning(std::uint64_t bytes) {
  if (bytes <= kMaxPerfettoBytes) return {};
  return fmt::format(
      "about {}, more than ui.perfetto.dev opens in the memory of a browser; {}, or open it beside "
      "`trace_processor --httpd`",
      ui::size_text(static_cast<std::int64_t>(bytes)), kCutAdvice);
}

}  // namespace ttscope::timeline
