#include "timeline/read/recording_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/result.h"
#include "timeline/model/timeline.h"
#include "timeline/read/recording_format.h"

namespace ttscope::timeline {
namespace {

/// The events of a thread, in order: words as the file has them, up to the first that was not written.
struct RecordedThread {
  std::uint32_t number = 0;     ///< in the process
  std::uint64_t thread_id = 0;  ///< of the system
  std::vector<std::vector<std::uint64_t>> chunks;
};

/// What a recording says before its events are looked at.
struct RecordedProcess {
  std::uint64_t process = 0;
  std::uint64_t parent = 0;
  std::int64_t first_mono_ns = 0;
  std::int64_t first_real_ns = 0;
  double ns_per_tick = 1;
  bool is_ended = false;  ///< else it is still written, or the program was killed
  bool is_disk_full = false;
  std::uint64_t dropped = 0;
  std::uint64_t most_bytes = 0;
  std::string boot;
  std::string host;
  std::string program;
  std::vector<RecordedThread> threads;  ///< in the order of their numbers
  std::uint64_t bad_chunks = 0;         ///< that cannot be of this recorder
  std::uint64_t cut_threads = 0;        ///< with a gap, behind which nothing is taken
  std::uint64_t file_bytes = 0;         ///< that the file has
  std::uint64_t used_bytes = 0;         ///< and had when it was written; 0: not known

  /// The end is missing, or was written after the file was opened.
  bool is_short() const { return file_bytes < used_bytes; }

  /// Nanoseconds since the recording began.
  std::int64_t since_start_ns(std::uint64_t ticks) const;
};

/// One event of a chunk.
struct RecordedEvent {
  record::EventKind kind = record::EventKind::kNone;
  bool is_short_zone = false;
  std::uint64_t word = 0;
  std::uint64_t field = 0;
  std::uint64_t rest = 0;
  const std::uint64_t* words = nullptr;  ///< behind the first
  std::string_view text{};
};

/// Takes the event at a place of a chunk and moves on. False at the end, and at what cannot be an event,
/// which `is_bad` tells then.
bool next_event(const std::vector<std::uint64_t>& chunk, std::size_t& at, RecordedEvent& event, bool& is_bad);

using record::ChunkHead;
using record::EventKind;
using record::FileHead;

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);

std::string text_in(const char* field, std::size_t size) { return {field, strnlen(field, size)}; }

/// How many words stand behind the first of an event, without its text.
std::size_t fixed_words(EventKind kind) {
  switch (kind) {
    case EventKind::kSync:
    case EventKind::kZoneValue:
    case EventKind::kMessage:
    case EventKind::kPlot:
    case EventKind::kFree:
      return 1;
    case EventKind::kAlloc:
    case EventKind::kPlace:
      return 2;
    default:
      return 0;
  }
}

bool has_text(EventKind kind) {
  return kind == EventKind::kTextPart || kind == EventKind::kZoneText || kind == EventKind::kZoneName ||
         kind == EventKind::kMessage || kind == EventKind::kPlace || kind == EventKind::kThreadName;
}

/// The words in their order: the program may be writing, and an event counts from its first word on. memcpy
/// would copy them in any.
void copy_in_order(const char* from, std::uint64_t* words, std::size_t count) {
  const bool is_mapped = reinterpret_cast<std::uintptr_t>(from) % kWordBytes == 0;
  if (!is_mapped) {  // so nobody writes it
    if (count > 0) std::memcpy(words, from, count * kWordBytes);
    return;
  }
  auto* const source = reinterpret_cast<std::uint64_t*>(const_cast<char*>(from));  // only read
  for (std::size_t i = 0; i < count; ++i) {
    words[i] = std::atomic_ref(source[i]).load(std::memory_order_acquire);
  }
}

/// How many words are events.
std::size_t written_words(const std::vector<std::uint64_t>& chunk) {
  std::size_t at = 0;
  RecordedEvent event;
  bool is_bad = false;
  while (next_event(chunk, at, event, is_bad)) {
  }
  return at;
}

/// The words of a slot that may be written at this moment. The latest event may still be replaced: a zone
/// that begins, by the same zone whole. So what was written is read again, and the rest is left for later.
void copy_slot(const char* from, std::vector<std::uint64_t>& words) {
  copy_in_order(from, words.data(), words.size());
  const std::size_t written = written_words(words);
  copy_in_order(from, words.data(), written);
  std::fill(words.begin() + static_cast<std::ptrdiff_t>(written), words.end(), 0);
}

ChunkHead copied_head(const char* from) {
  static_assert(sizeof(ChunkHead) % kWordBytes == 0);
  std::uint64_t words[sizeof(ChunkHead) / kWordBytes];
  copy_in_order(from, words, std::size(words));
  ChunkHead head;
  std::memcpy(&head, words, sizeof(head));
  return head;
}

/// The words of a chunk. The program may begin to fill its slot anew while it is copied; then it is another
/// chunk, and is copied again.
std::optional<std::pair<ChunkHead, std::vector<std::uint64_t>>> copied_chunk(std::string_view bytes) {
  constexpr int kMaxTries = 3;
  for (int i = 0; i < kMaxTries; ++i) {
    const ChunkHead head = copied_head(bytes.data());
    const std::size_t size = std::min<std::size_t>(head.bytes, bytes.size());
    std::vector<std::uint64_t> words((size - sizeof(head)) / kWordBytes);
    const char* const from = bytes.data() + sizeof(head);
    if (head.bytes == record::kSlotBytes) {
      copy_slot(from, words);
    } else {
      copy_in_order(from, words.data(), words.size());
    }
    const ChunkHead after = copied_head(bytes.data());
    if (std::memcmp(&head, &after, sizeof(head)) == 0) return std::pair(head, std::move(words));
  }
  return std::nullopt;
}

struct FoundChunk {
  std::vector<std::uint64_t> words;
  /// It is no slot, which may have been filled further since it was copied.
  bool is_whole = false;
};

struct FoundThread {
  std::uint64_t thread_id = 0;
  std::map<std::uint32_t, FoundChunk> chunks;  ///< by number
};

/// A program that ends while a slot is emptied leaves its content twice, once perhaps cut.
void keep_longer(std::vector<std::uint64_t> words, bool is_whole, FoundChunk& kept) {
  kept.is_whole |= is_whole;
  if (kept.words.empty() || written_words(words) > written_words(kept.words)) kept.words = std::move(words);
}

std::map<std::uint32_t, FoundThread> found_threads(std::string_view bytes, RecordedProcess& process) {
  std::map<std::uint32_t, FoundThread> threads;
  // Behind a page that is not written yet stand pages of the same chunk, while the process goes on.
  bool is_unfinished = false;
  for (std::size_t at = record::kHeadBytes; at + sizeof(ChunkHead) <= bytes.size();) {
    ChunkHead head;
    std::memcpy(&head, bytes.data() + at, sizeof(head));
    if (head.magic != record::kChunkMagic) {
      if (head.magic == 0) is_unfinished = !process.is_ended;
      if (head.magic != 0 && !is_unfinished) ++process.bad_chunks;
      at += record::kPageBytes;
      continue;
    }
    is_unfinished = false;
    const bool is_possible = head.bytes >= sizeof(ChunkHead) && head.bytes <= record::kSlotBytes;
    auto copied = is_possible ? copied_chunk(bytes.substr(at)) : std::nullopt;
    if (!copied) {
      process.bad_chunks += is_possible ? 0 : 1;
      at += record::kPageBytes;
      continue;
    }
    FoundThread& thread = threads[copied->first.thread];
    thread.thread_id = copied->first.thread_id;
    // The file may be cut, or have grown since it was opened: its end is in a chunk then, and cuts no event.
    const bool is_cut = copied->first.bytes > bytes.size() - at;
    if (is_cut) copied->second.resize(written_words(copied->second));
    if (!copied->second.empty() && copied->second.front() != 0) {
      keep_longer(std::move(copied->second), !is_cut && copied->first.bytes < record::kSlotBytes,
                  thread.chunks[copied->first.sequence]);
    }
    at += (head.bytes + record::kPageBytes - 1) / record::kPageBytes * record::kPageBytes;
  }
  return threads;
}

/// The latest moment that is known on both clocks, in ticks since the beginning.
std::pair<std::uint64_t, std::int64_t> latest_pair(const FileHead& head, const RecordedProcess& process) {
  std::pair<std::uint64_t, std::int64_t> latest{head.last_ticks, head.last_mono_ns};
  for (const RecordedThread& thread : process.threads) {
    for (const std::vector<std::uint64_t>& chunk : thread.chunks) {
      if (chunk.size() < 2 || chunk[0] >> record::kKindShift != static_cast<std::uint64_t>(EventKind::kSync))
        continue;
      const std::uint64_t ticks = chunk[0] & record::kTicksMask;
      if (ticks > latest.first) latest = {ticks, static_cast<std::int64_t>(chunk[1])};
    }
  }
  return latest;
}

/// Measured over the whole recording where it lasted, else what was measured when it began.
double rate_of(const FileHead& head, const RecordedProcess& process) {
  constexpr double kNsPerS = 1e9;
  constexpr double kFastest = 1e12;
  constexpr double kSlowest = 1e5;
  if (head.clock != record::ClockKind::kCounter) return 1;
  const bool is_sound = head.ticks_per_s >= kSlowest && head.ticks_per_s <= kFastest;
  const double first = is_sound ? kNsPerS / head.ticks_per_s : 1;
  const auto [ticks, mono_ns] = latest_pair(head, process);
  constexpr double kLongEnoughNs = 1e7;
  const double passed_ns = static_cast<double>(mono_ns) - static_cast<double>(head.first_mono_ns);
  if (ticks == 0 || passed_ns < kLongEnoughNs) return first;
  const double measured = passed_ns / static_cast<double>(ticks);
  constexpr double kMaxDifference = 1e-2;
  return std::abs(measured / first - 1) < kMaxDifference ? measured : first;
}

void take_head(const FileHead& head, RecordedProcess& process) {
  process.process = head.process;
  process.parent = head.parent;
  process.first_mono_ns = head.first_mono_ns;
  process.first_real_ns = head.first_real_ns;
  process.is_ended = head.end == record::EndKind::kEnded;
  process.is_disk_full = head.is_disk_full != 0;
  for (const record::DropCounter& counter : head.dropped) process.dropped += counter.count;
  process.most_bytes = head.most_bytes;
  process.used_bytes = head.used_bytes;
  process.boot = text_in(head.boot, sizeof(head.boot));
  process.host = text_in(head.host, sizeof(head.host));
  process.program = text_in(head.program, sizeof(head.program));
}

std::int64_t RecordedProcess::since_start_ns(std::uint64_t ticks) const {
  constexpr double kMax = 4e18;
  return static_cast<std::int64_t>(std::min(static_cast<double>(ticks) * ns_per_tick, kMax));
}

bool next_event(const std::vector<std::uint64_t>& chunk, std::size_t& at, RecordedEvent& event,
                bool& is_bad) {
  if (at >= chunk.size() || chunk[at] == 0) return false;
  const std::uint64_t word = chunk[at];
  event = {};
  event.word = word;
  if ((word & record::kShortZone) != 0) {
    event.is_short_zone = true;
    ++at;
    return true;
  }
  const std::uint64_t kind = word >> record::kKindShift;
  is_bad = kind == 0 || kind > record::kLastEventKind;
  if (is_bad) return false;
  event.kind = static_cast<EventKind>(kind);
  event.field = word >> record::kFieldShift & record::kFieldMask;
  event.rest = word & record::kRestMask;
  const std::size_t fixed = fixed_words(event.kind);
  const std::size_t text_bytes = has_text(event.kind) ? event.field : 0;
  const std::size_t words = 1 + fixed + (text_bytes + kWordBytes - 1) / kWordBytes;
  is_bad = words > chunk.size() - at;
  if (is_bad) return false;
  event.words = chunk.data() + at + 1;
  if (text_bytes > 0) event.text = {reinterpret_cast<const char*>(event.words + fixed), text_bytes};
  at += words;
  return true;
}

/// Takes a file apart. It may be cut anywhere and may be written to meanwhile. An error where it is none.
Result<RecordedProcess> take_apart(std::string_view bytes, const std::string& name) {
  FileHead head;
  if (bytes.size() < sizeof(head) ||
      std::memcmp(bytes.data(), record::kFileMagic, sizeof(record::kFileMagic)) != 0) {
    return failure(bad_input(fmt::format("{}: not a recording, or its first page is not there", name)));
  }
  std::memcpy(&head, bytes.data(), sizeof(head));
  if (head.version != record::kFileVersion || head.head_bytes != record::kHeadBytes) {
    return failure(bad_input(fmt::format("{}: a recording of version {}; version {} is read", name,
                                         head.version, record::kFileVersion)));
  }
  RecordedProcess process;
  take_head(head, process);
  process.file_bytes = bytes.size();
  for (auto& [number, found] : found_threads(bytes, process)) {
    RecordedThread thread{number, found.thread_id, {}};
    std::uint32_t expected = 0;
    bool is_whole = true;
    for (auto& [sequence, chunk] : found.chunks) {
      // Behind a gap it is not known which zones are open. While a file is written, the gap is what came in
      // the meantime.
      if (sequence != expected || !is_whole) {
        ++process.cut_threads;
        break;
      }
      ++expected;
      is_whole = chunk.is_whole;
      thread.chunks.push_back(std::move(chunk.words));
    }
    process.threads.push_back(std::move(thread));
  }
  process.ns_per_tick = rate_of(head, process);
  return process;
}

/// A frame mark, a value or a change of memory, which the threads of a process make together.
struct SharedEvent {
  std::int64_t time_ns = 0;
  record::EventKind kind = record::EventKind::kNone;
  std::uint32_t name = 0;  ///< number of a place
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// What the threads of one process tell each other while they are read.
struct ProcessEvents {
  ProcessEvents(const RecordedProcess& from, Timeline& to) : process(from), timeline(to) {}

  const RecordedProcess& process;
  Timeline& timeline;
  bool is_child = false;       ///< another process of the run began it
  std::int64_t offset_ns = 0;  ///< of the beginning of the recording on the axis
  std::uint32_t group = 0;
  std::string part;                                         ///< that is being read, in words
  std::unordered_map<std::uint32_t, std::uint32_t> places;  ///< locations by number
  std::map<std::tuple<TextId, TextId, std::uint32_t>, std::uint32_t> details;
  std::unordered_map<std::uint32_t, PlotUnit> units;
  std::vector<SharedEvent> shared;
  std::int64_t last_ns = 0;
  std::uint64_t bad_events = 0;

  /// The location of a place, which may be told later, by another thread.
  std::uint32_t location_of(std::uint32_t number);
  std::uint32_t detail_of(const ZoneDetail& detail);
};

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
    track_.name = timeline_.texts.intern(name_.empty() ? default_name() : name_);
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
        if (part_.size() + event.text.size() <= record::kMaxTextBytes) part_ += event.text;
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

  std::string default_name() const {
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

/// Adds a thread's track, zones and messages; what belongs to the process goes to `events.shared`.
void add_thread(const RecordedThread& thread, ProcessEvents& events) {
  events.part = fmt::format("thread {} of process {}", thread.thread_id, events.process.process);
  ThreadReader(thread, events).read();
}

bool is_frame(EventKind kind) {
  return kind == EventKind::kFrame || kind == EventKind::kFrameBegin || kind == EventKind::kFrameEnd;
}

/// The frames of one name, whose marks are in order of time.
void add_frames(std::uint32_t name, const std::vector<SharedEvent>& marks, ProcessEvents& events) {
  Timeline& timeline = events.timeline;
  const std::uint32_t place = events.location_of(name);
  Track track;
  track.kind = TrackKind::kFrames;
  track.group = events.group;
  track.id = timeline.tracks.size();
  track.name = timeline.locations[place].name;
  track.first_zone = timeline.zones.size();
  bool is_open = false;
  for (const SharedEvent& mark : marks) {
    if (is_open) timeline.zones.end_ns.back() = mark.time_ns;
    is_open = mark.kind != EventKind::kFrameEnd;
    if (is_open) timeline.zones.open(mark.time_ns, place, 0, 0);
  }
  if (is_open) timeline.zones.end_ns.back() = std::max(events.last_ns, timeline.zones.start_ns.back());
  track.zone_count = timeline.zones.size() - track.first_zone;
  if (track.zone_count > 0) timeline.tracks.push_back(track);
}

/// Adds a point; of several at one time the last counts.
void add_point(std::int64_t time_ns, double value, Plot& plot) {
  if (!plot.points.empty() && plot.points.back().time_ns == time_ns) {
    plot.points.back().value = value;
  } else {
    plot.points.push_back({time_ns, value});
  }
}

/// What is allocated in a pool.
struct Pool {
  Plot plot;
  std::unordered_map<std::uint64_t, std::uint64_t> sizes;  ///< by address
  double used = 0;

  void take(const SharedEvent& event, TimelineProblems& problems) {
    if (event.kind == EventKind::kAlloc) {
      // An address that comes again was freed unseen.
      const auto [found, is_new] = sizes.try_emplace(event.first, event.second);
      if (!is_new) used -= static_cast<double>(std::exchange(found->second, event.second));
      used += static_cast<double>(event.second);
    } else {
      const auto found = sizes.find(event.first);
      if (found == sizes.end()) return problems.add(TimelineProblem::kFreeUnknown, "allocations");
      used -= static_cast<double>(found->second);
      sizes.erase(found);
    }
    add_point(event.time_ns, used, plot);
  }
};

/// Adds what the threads of a process marked together: tracks of frames, curves, the memory of pools.
void add_shared_events(ProcessEvents& events) {
  Timeline& timeline = events.timeline;
  std::stable_sort(events.shared.begin(), events.shared.end(),
                   [](const SharedEvent& a, const SharedEvent& b) { return a.time_ns < b.time_ns; });
  std::map<std::uint32_t, std::vector<SharedEvent>> frames;
  std::map<std::uint32_t, Plot> curves;
  std::map<std::uint32_t, Pool> pools;
  for (const SharedEvent& event : events.shared) {
    if (is_frame(event.kind)) {
      frames[event.name].push_back(event);
    } else if (event.kind == EventKind::kPlot) {
      const auto value = std::bit_cast<double>(event.first);
      if (std::isfinite(value)) add_point(event.time_ns, value, curves[event.name]);
    } else {
      pools[event.name].take(event, timeline.problems);
    }
  }
  for (const auto& [name, marks] : frames) add_frames(name, marks, events);
  const auto add_plot = [&](std::uint32_t name, Plot plot) {
    plot.name = timeline.locations[events.location_of(name)].name;
    plot.group = events.group;
    if (!plot.points.empty()) timeline.plots.push_back(std::move(plot));
  };
  for (auto& [name, plot] : curves) {
    const auto unit = events.units.find(name);
    if (unit != events.units.end()) plot.unit = unit->second;
    add_plot(name, std::move(plot));
  }
  for (auto& [name, pool] : pools) {
    pool.plot.unit = PlotUnit::kBytes;
    pool.plot.made = true;
    add_plot(name, std::move(pool.plot));
  }
}

namespace fs = std::filesystem;

struct NamedProcess {
  std::string file;
  RecordedProcess process;
  bool is_settled = false;  ///< what is missing does not come

  bool is_cut() const { return process.is_short() && (process.is_ended || is_settled); }
};

bool has_ending(const std::string& name) { return name.ends_with(record::kFileEnding); }

/// What a process is called: its program, with its number where there are several.
std::string shown_name(const RecordedProcess& process, bool is_alone) {
  std::string name = fs::path(process.program).filename().string();
  if (name.empty()) name = "program";
  return is_alone ? name : fmt::format("{} {}", name, process.process);
}

void add_findings(const NamedProcess& named, std::uint64_t bad_events, std::vector<Finding>& findings) {
  const RecordedProcess& process = named.process;
  if (process.dropped > 0) {
    findings.push_back(
        {.kind = process.is_disk_full ? FindingKind::kEventsDroppedDisk : FindingKind::kEventsDroppedRoom,
         .file = named.file,
         .count = process.dropped,
         .whole_bytes = process.is_disk_full ? std::nullopt : std::optional(process.most_bytes)});
  }
  if (process.bad_chunks + bad_events > 0) {
    findings.push_back({.kind = FindingKind::kRecordingDamaged,
                        .file = named.file,
                        .count = process.bad_chunks,
                        .events = bad_events});
  }
  if (named.is_cut()) {
    findings.push_back({.kind = FindingKind::kRecordingCut,
                        .file = named.file,
                        .bytes = process.file_bytes,
                        .whole_bytes = process.used_bytes});
  } else if (process.is_ended && process.cut_threads > 0) {
    findings.push_back({.kind = FindingKind::kThreadsCut, .file = named.file, .count = process.cut_threads});
  }
}

void count_unknown_places(const ProcessEvents& events, Timeline& timeline) {
  for (const auto& [number, location] : events.places) {
    if (timeline.locations[location] == Location{}) {
      timeline.problems.add(TimelineProblem::kUnknownLocation, fmt::format("place {}", number));
    }
  }
}

TimelineSource source_of(const NamedProcess& named) {
  TimelineSource source;
  source.path = named.file;
  source.format = fmt::format("recording {}", record::kFileVersion);
  source.program = fs::path(named.process.program).filename().string();
  source.host = named.process.host;
  source.process = named.process.process;
  source.captured_at_ns = std::max<std::int64_t>(named.process.first_real_ns, 0);
  return source;
}

/// The difference of two times of a file, which may be any numbers.
std::int64_t distance_ns(std::int64_t later, std::int64_t earlier) {
  constexpr std::int64_t kMax = 4'000'000'000'000'000'000;
  const double distance = static_cast<double>(later) - static_cast<double>(earlier);
  return distance > 0 && distance < static_cast<double>(kMax) ? later - earlier : 0;
}

/// Where the recording of each process begins on the axis. Those of one boot share a clock; others share the
/// time of day.
std::vector<std::int64_t> offsets_of(const std::vector<NamedProcess>& processes, Timeline& timeline) {
  const std::string& boot = processes.front().process.boot;
  const bool is_one_clock =
      !boot.empty() && std::all_of(processes.begin(), processes.end(),
                                   [&](const auto& named) { return named.process.boot == boot; });
  const auto begin_of = [&](const NamedProcess& named) {
    return is_one_clock ? named.process.first_mono_ns : named.process.first_real_ns;
  };
  std::int64_t first = begin_of(processes.front());
  for (const NamedProcess& named : processes) first = std::min(first, begin_of(named));
  std::vector<std::int64_t> offsets;
  for (const NamedProcess& named : processes) {
    offsets.push_back(distance_ns(begin_of(named), first));
    const bool is_recorded = is_one_clock || processes.size() == 1;
    timeline.alignments.push_back(
        {.what = named.file, .basis = is_recorded ? AlignmentBasis::kRecorded : AlignmentBasis::kStamps});
  }
  return offsets;
}

/// Workers that their pool ends by a signal, or that leave without a look back, say nothing of the program.
bool is_child_of_one(const RecordedProcess& process, const std::vector<NamedProcess>& processes) {
  return std::any_of(processes.begin(), processes.end(), [&](const NamedProcess& other) {
    return other.process.process == process.parent && other.process.program == process.program &&
           other.process.boot == process.boot && other.process.host == process.host;
  });
}

void add_process(const NamedProcess& named, std::int64_t offset_ns, const std::vector<NamedProcess>& all,
                 Timeline& timeline) {
  const bool is_alone = all.size() == 1;
  ProcessEvents events(named.process, timeline);
  events.is_child = is_child_of_one(named.process, all);
  events.offset_ns = offset_ns;
  events.last_ns = offset_ns;
  events.group = static_cast<std::uint32_t>(timeline.groups.size());
  timeline.groups.push_back({timeline.texts.intern(shown_name(named.process, is_alone)), kNone});
  for (const RecordedThread& thread : named.process.threads) add_thread(thread, events);
  add_shared_events(events);
  count_unknown_places(events, timeline);
  add_findings(named, events.bad_events, timeline.findings);
  timeline.sources.push_back(source_of(named));
}

}  // namespace

bool is_recording(const io::Beginning& beginning) {
  if (beginning.path_kind == io::PathKind::kFolder) {
    return std::any_of(beginning.names.begin(), beginning.names.end(), has_ending);
  }
  return beginning.bytes.starts_with(std::string_view(record::kFileMagic, sizeof(record::kFileMagic)));
}

std::vector<std::string> recording_files(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator at(path, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end; at.increment(error)) {
    std::error_code no_file;
    if (has_ending(at->path().filename().string()) && at->is_regular_file(no_file))
      files.push_back(at->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<Timeline> read_recordings(const std::vector<RecordingInput>& files) {
  Timeline timeline;
  std::vector<NamedProcess> processes;
  for (const RecordingInput& file : files) {
    Result<RecordedProcess> process = take_apart(file.bytes, file.name);
    if (!process && files.size() == 1) return failure(process.error());
    if (process) {
      NamedProcess named = {file.name, std::move(*process), file.is_settled};
      const bool is_missing = named.process.is_short() || named.process.cut_threads > 0;
      if (file.has_grown != nullptr)
        *file.has_grown |= is_missing && !named.process.is_ended && !named.is_cut();
      processes.push_back(std::move(named));
    } else {
      timeline.findings.push_back(reader_warning(process.error().message));
    }
  }
  if (processes.empty()) return failure(bad_input("none of the files is a recording"));
  std::stable_sort(processes.begin(), processes.end(), [](const NamedProcess& a, const NamedProcess& b) {
    return a.process.first_real_ns < b.process.first_real_ns;
  });
  const std::vector<std::int64_t> offsets = offsets_of(processes, timeline);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    add_process(processes[i], offsets[i], processes, timeline);
    processes[i].process.threads.clear();
  }
  if (processes.size() > 1) timeline.merge_equal_locations();
  std::stable_sort(timeline.messages.begin(), timeline.messages.end(),
                   [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
  timeline.find_span();
  return timeline;
}

}  // namespace ttscope::timeline
