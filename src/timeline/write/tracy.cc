#include <fmt/format.h>
#include <lz4.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/writer.h"
#include "timeline/analyze/op_tracks.h"
#include "timeline/model/timeline.h"
#include "timeline/write/exports.h"

namespace ttscope::timeline {
namespace {

/// The payload of a .tracy file on its way: collected into blocks of 64 KiB, each packed by LZ4 with the one
/// before it as its dictionary.
class BlockWriter {
 public:
  explicit BlockWriter(Writer& out);
  ~BlockWriter();
  BlockWriter(const BlockWriter&) = delete;
  BlockWriter& operator=(const BlockWriter&) = delete;

  template <typename T>
  void put(T value) {
    put_bytes({reinterpret_cast<const char*>(&value), sizeof(T)});
  }
  /// The lowest three bytes.
  void put_24(std::uint32_t value) {
    put(static_cast<std::uint16_t>(value));
    put(static_cast<std::uint8_t>(value >> 16));
  }
  void put_zeros(std::size_t count) {
    for (; count > 0; --count) put(char{0});
  }
  void put_bytes(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t part = bytes.size() < room() ? bytes.size() : room();
      std::memcpy(buffers_[turn_].data() + used_, bytes.data(), part);
      used_ += part;
      bytes.remove_prefix(part);
      if (room() == 0) flush();
    }
  }
  /// Its length in eight bytes, then the text.
  void put_text(std::string_view text) {
    put(std::uint64_t{text.size()});
    put_bytes(text);
  }
  /// Writes what is left.
  void finish();

 private:
  struct Packer;
  static constexpr std::size_t kBlockBytes = std::size_t{64} << 10;

  std::size_t room() const { return kBlockBytes - used_; }
  void flush();

  Writer& out_;
  std::unique_ptr<Packer> packer_;
  std::array<std::vector<char>, 2> buffers_ = {std::vector<char>(kBlockBytes),
                                               std::vector<char>(kBlockBytes)};
  std::size_t turn_ = 0;
  std::size_t used_ = 0;
  bool started_ = false;
};

struct BlockWriter::Packer {
  Packer() : stream(LZ4_createStream()), packed(static_cast<std::size_t>(LZ4_COMPRESSBOUND(kBlockBytes))) {}
  ~Packer() { LZ4_freeStream(stream); }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;

  LZ4_stream_t* stream;
  std::vector<char> packed;
};

BlockWriter::BlockWriter(Writer& out) : out_(out), packer_(std::make_unique<Packer>()) {}

BlockWriter::~BlockWriter() = default;

void BlockWriter::flush() {
  if (used_ == 0) return;
  if (!started_) out_.write({"tlZ\x04", 4});
  started_ = true;
  const int size =
      LZ4_compress_fast_continue(packer_->stream, buffers_[turn_].data(), packer_->packed.data(),
                                 static_cast<int>(used_), static_cast<int>(packer_->packed.size()), 1);
  const auto bytes = static_cast<std::uint32_t>(size);
  out_.write({reinterpret_cast<const char*>(&bytes), sizeof(bytes)});
  out_.write({packer_->packed.data(), bytes});
  turn_ = 1 - turn_;
  used_ = 0;
}

void BlockWriter::finish() { flush(); }

/// A context of the file: the lanes of a core, or the ops of a device.
struct TracyContext {
  std::string name;
  std::vector<std::uint32_t> tracks;
};

/// Tracy keeps messages by thread: those of a lane get one of their own, which has its whole name.
struct MarkerThread {
  std::uint32_t track = 0;
  std::string name;
};

/// The numbers of the messages of each track; the last list: those of none.
using MessagesOf = std::vector<std::vector<std::size_t>>;

std::string context_name(const Timeline& timeline, const Track& track) {
  if (track.kind == TrackKind::kOps || track.kind == TrackKind::kGaps) {
    return fmt::format("Device: {}, {}", track.device, key_of(track.kind));
  }
  if (track.device == kNone) return std::string(timeline.text(timeline.groups[track.group].name));
  // The logical place of a core is not in the log: only the physical one is told.
  return fmt::format("Device: {}, Logical (?,?) Physical ({},{})", track.device, track.core_x, track.core_y);
}

std::vector<TracyContext> tracy_contexts(const Timeline& timeline) {
  std::vector<TracyContext> contexts;
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> known;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (!track.is_of_device()) continue;
    const auto [found, is_new] =
        known.try_emplace({track.group, context_name(timeline, track)}, contexts.size());
    if (is_new) contexts.push_back({found->first.second, {}});
    contexts[found->second].tracks.push_back(i);
  }
  return contexts;
}

MessagesOf messages_by_track(const Timeline& timeline) {
  MessagesOf messages(timeline.tracks.size() + 1);
  for (std::size_t i = 0; i < timeline.messages.size(); ++i) {
    const std::uint32_t track = timeline.messages[i].track;
    const bool is_known = track != kNone && timeline.tracks[track].kind != TrackKind::kFrames;
    messages[is_known ? track : timeline.tracks.size()].push_back(i);
  }
  return messages;
}

std::vector<MarkerThread> marker_threads(const Timeline& timeline, const MessagesOf& messages) {
  std::vector<MarkerThread> threads;
  for (std::uint32_t i = 0; i < timeline.tracks.size(); ++i) {
    const Track& track = timeline.tracks[i];
    if (track.is_of_device() && !messages[i].empty()) threads.push_back({i, full_name(timeline, track)});
  }
  return threads;
}

/// Places of the source that a .tracy file can name.
constexpr std::size_t kMaxTracyPlaces = 32767;

constexpr std::int64_t kTimeEnd = std::int64_t{1} << 47;
constexpr std::size_t kMaxTexts = (std::size_t{1} << 24) - 2;

/// What must be added to all times: those of the file have 47 bits and no sign.
std::int64_t tracy_shift_ns(const Timeline& timeline) {
  return timeline.first_ns < 0 || timeline.last_ns >= kTimeEnd ? -timeline.first_ns : 0;
}

/// An error where a .tracy file cannot hold the timeline.
Result<void> check_tracy_limits(const Timeline& timeline) {
  if (timeline.last_ns + tracy_shift_ns(timeline) >= kTimeEnd) {
    return failure(bad_input(fmt::format(
        "a .tracy file holds 39 hours, this timeline has {:.0f}; a part of it (--from, --to) would fit",
        static_cast<double>(timeline.last_ns - timeline.first_ns) / 3.6e12)));
  }
  if (timeline.locations.size() > kMaxTracyPlaces) {
    return failure(bad_input(fmt::format(
        "a .tracy file names {} places of the source, this timeline has {}; other forms have no such limit",
        kMaxTracyPlaces, timeline.locations.size())));
  }
  if (timeline.texts.size() > kMaxTexts) {
    return failure(bad_input(
        fmt::format("a .tracy file holds {} texts, this timeline has {}", kMaxTexts, timeline.texts.size())));
  }
  return {};
}

constexpr std::uint64_t kTextAddress = 0x10000;
constexpr std::uint64_t kMessageId = 0x500000;
constexpr std::uint64_t kFrameKey = 1;
constexpr std::uint64_t kPlotKey = 0x900000;
constexpr std::uint64_t kMarkerThread = std::uint64_t{1} << 62;  // threads have no such ids
constexpr std::size_t kMaxHeadText = 1000;                       // Tracy reads them into a buffer of 1024

class Capture {
 public:
  Capture(const Timeline& timeline, TracyVersion version, Writer& out)
      : timeline_(timeline), zones_(timeline.zones), version_(version), writer_(out) {}

  Result<TracyLosses> prepare() {
    RETURN_IF_ERROR(check_tracy_limits(timeline_));
    losses_.shift_ns = tracy_shift_ns(timeline_);
    losses_.links = timeline_.links.size();
    find_op_places();
    contexts_ = tracy_contexts(timeline_);
    context_text_ = timeline_.texts.size();  // their names are no texts of the timeline
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      const TrackKind kind = timeline_.tracks[i].kind;
      if (kind == TrackKind::kThread) threads_.push_back(i);
      if (kind == TrackKind::kFrames) frames_.push_back(i);
    }
    messages_of_ = messages_by_track(timeline_);
    mark_threads_ = marker_threads(timeline_, messages_of_);
    return losses_;
  }

  void write() {
    write_head();
    write_frames();
    write_texts();
    write_places();
    writer_.put(std::uint64_t{0});  // locks
    write_messages();
    write_details();
    write_threads();
    write_contexts();
    write_plots();
    write_empty_rest();
    writer_.finish();
  }

 private:
  std::int64_t shifted(std::int64_t time) const { return time + losses_.shift_ns; }

  void put_time(std::int64_t time, std::int64_t& before) {
    writer_.put(shifted(time) - before);
    before = shifted(time);
  }
  /// A reference to a text by its number.
  void put_reference(TextId text) {
    writer_.put(std::uint64_t{text});
    writer_.put(static_cast<std::uint8_t>(text == 0 ? 0 : 3));
  }
  void put_text_number(TextId text) { writer_.put_24(text == 0 ? 0 : text + 1); }

  /// Places of firmware zones, one for each op, which tt-metal gives them as their function; none where there
  /// are too many.
  void find_op_places() {
    for (const Track& track : timeline_.tracks) {
      if (track.kind != TrackKind::kLane) continue;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        const std::uint64_t op = timeline_.details[zones_.detail[zone]].op;
        if (op == kNoOp || !is_op_message(timeline_, track, zones_.location[zone])) continue;
        const auto next = static_cast<std::uint32_t>(timeline_.locations.size() + op_places_.size());
        op_places_.try_emplace({zones_.location[zone], op}, next);
        if (timeline_.locations.size() + op_places_.size() <= kMaxTracyPlaces) continue;
        op_places_.clear();
        losses_.ops = true;
        return;
      }
    }
  }

  /// What threads belong to, where no source says it.
  std::string_view program(const TimelineSource& source) const {
    if (!source.program.empty() || threads_.empty()) return source.program;
    return timeline_.text(timeline_.groups[timeline_.tracks[threads_.front()].group].name);
  }

  void write_head() {
    const TimelineSource source = timeline_.sources.empty() ? TimelineSource{} : timeline_.sources.front();
    const char minor = version_ == TracyVersion::kMinor11 ? 11 : 10;
    writer_.put_bytes("tracy");
    for (const char byte : {char{0}, minor, char{0}}) writer_.put(byte);
    writer_.put_zeros(8 + 8);  // delay, resolution
    writer_.put(1.0);          // multiplier of the timer
    writer_.put(shifted(timeline_.last_ns));
    writer_.put(std::uint64_t{0});  // number of the first frame
    writer_.put(source.process);
    writer_.put_zeros(8 + 1 + 4 + 12 + 1);  // sampling, kind of processor, on demand
    writer_.put_text(std::string_view(source.path).substr(0, kMaxHeadText));
    writer_.put_text(program(source).substr(0, kMaxHeadText));
    writer_.put(source.captured_at_s());
    writer_.put(std::uint64_t{0});
    std::string host = source.host.substr(0, kMaxHeadText - kSimulatedChipsTag.size());
    if (timeline_.has_simulated_chips()) host += kSimulatedChipsTag;
    writer_.put_text(host);
    writer_.put_zeros(8 + 28);  // processors, crash
  }

  void write_frames() {
    writer_.put(std::uint64_t{1 + frames_.size()});
    writer_.put(std::uint64_t{0});  // the set without a name comes first
    writer_.put(std::uint8_t{1});
    writer_.put(std::uint64_t{0});
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      const Track& track = timeline_.tracks[frames_[i]];
      writer_.put(kFrameKey + i);
      writer_.put(std::uint8_t{0});
      writer_.put(std::uint64_t{track.zone_count});
      std::int64_t before = 0;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        put_time(zones_.start_ns[zone], before);
        put_time(zones_.end_ns[zone], before);
        writer_.put(std::int32_t{-1});
      }
    }
  }

  std::uint64_t address_of(std::uint64_t text) const { return kTextAddress + 16 * text; }

  void write_texts() {
    const std::uint64_t ops = op_places_.size();
    writer_.put(timeline_.texts.size() + contexts_.size() + mark_threads_.size() + ops);
    std::uint64_t number = 0;
    const auto put = [&](std::string_view text) {
      writer_.put(address_of(number++));
      writer_.put_text(text);
    };
    for (TextId text = 0; text < timeline_.texts.size(); ++text) put(timeline_.text(text));
    for (const TracyContext& context : contexts_) put(context.name);
    for (const MarkerThread& thread : mark_threads_) put(thread.name);
    for (const auto& [place, at] : op_places_) put(fmt::format("OP ID:{}", place.second));
    writer_.put(std::uint64_t{frames_.size() + timeline_.plots.size()});
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      put_name(kFrameKey + i, timeline_.tracks[frames_[i]].name);
    }
    for (std::size_t i = 0; i < timeline_.plots.size(); ++i) put_name(kPlotKey + i, timeline_.plots[i].name);
    writer_.put(std::uint64_t{threads_.size() + mark_threads_.size()});
    for (const std::uint32_t track : threads_) {
      put_name(timeline_.tracks[track].id, timeline_.tracks[track].name);
    }
    for (std::size_t i = 0; i < mark_threads_.size(); ++i) {
      writer_.put(kMarkerThread + i);
      writer_.put(address_of(context_text_ + contexts_.size() + i));
    }
    writer_.put(std::uint64_t{0});  // threads of other programs
    write_thread_numbers();
  }

  void put_name(std::uint64_t key, TextId text) {
    writer_.put(key);
    writer_.put(address_of(text));
  }

  /// Threads are numbered in the order of csvexport's column, which a file that was read has too; lanes
  /// behind.
  void write_thread_numbers() {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> numbered;
    for (const std::uint32_t track : threads_) {
      numbered.emplace_back(timeline_.tracks[track].number, timeline_.tracks[track].id);
    }
    std::stable_sort(numbered.begin(), numbered.end());
    std::vector<std::uint64_t> ids = {0};
    for (const auto& [number, id] : numbered) {
      while (ids.size() < number && ids.size() < UINT16_MAX) ids.push_back(0);
      ids.push_back(id);
    }
    writer_.put(std::uint64_t{ids.size()});
    for (const std::uint64_t id : ids) writer_.put(id);
    writer_.put(std::uint64_t{0});
  }

  void put_place(const Location& place, std::uint64_t function, bool has_function) {
    put_reference(place.name);
    writer_.put(function);
    writer_.put(static_cast<std::uint8_t>(has_function ? 3 : 0));
    // An empty name of a file is a text too: where there is none, Tracy shows `???`.
    writer_.put(std::uint64_t{place.file});
    writer_.put(std::uint8_t{3});
    writer_.put(place.line);
    writer_.put(place.color);
  }

  void write_places() {
    writer_.put(std::uint64_t{0});  // those of the program's own memory
    writer_.put(std::uint64_t{1});
    writer_.put(std::uint64_t{0});
    writer_.put(std::uint64_t{timeline_.locations.size() + op_places_.size()});
    for (const Location& place : timeline_.locations) put_place(place, place.function, place.function != 0);
    // In the order of their numbers.
    std::vector<std::pair<std::uint32_t, std::uint64_t>> ordered(op_places_.size());
    std::uint64_t text = context_text_ + contexts_.size() + mark_threads_.size();
    for (const auto& [place, at] : op_places_) {
      ordered[at - timeline_.locations.size()] = {place.first, text++};
    }
    for (const auto& [location, function] : ordered) {
      put_place(timeline_.locations[location], function, true);
    }
    write_counts(false);
    write_counts(true);
  }

  std::uint32_t place_of(const Track& track, std::size_t zone) const {
    const std::uint32_t location = zones_.location[zone];
    const std::uint64_t op = timeline_.details[zones_.detail[zone]].op;
    if (op == kNoOp || !is_op_message(timeline_, track, location)) return location;
    const auto found = op_places_.find({location, op});
    return found == op_places_.end() ? location : found->second;
  }
  static std::int16_t place_number(std::uint32_t place) {
    return static_cast<std::int16_t>(-static_cast<std::int32_t>(place) - 1);
  }

  void write_counts(bool of_device) {
    std::vector<std::uint64_t> counts(timeline_.locations.size() + op_places_.size(), 0);
    for (const Track& track : timeline_.tracks) {
      if (track.is_of_device() != of_device || track.kind == TrackKind::kFrames) continue;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        ++counts[place_of(track, zone)];
      }
    }
    const auto used = static_cast<std::uint64_t>(
        std::count_if(counts.begin(), counts.end(), [](std::uint64_t count) { return count > 0; }));
    writer_.put(used);
    for (std::uint32_t place = 0; place < counts.size(); ++place) {
      if (counts[place] == 0) continue;
      writer_.put(place_number(place));
      writer_.put(counts[place]);
    }
  }

  void write_messages() {
    writer_.put(std::uint64_t{timeline_.messages.size()});
    std::int64_t before = 0;
    for (std::size_t i = 0; i < timeline_.messages.size(); ++i) {
      const Message& message = timeline_.messages[i];
      writer_.put(kMessageId + i);
      put_time(message.time_ns, before);
      put_reference(message.text);
      writer_.put(message.color);
      writer_.put_24(0);
    }
  }

  void write_details() {
    writer_.put(std::uint64_t{timeline_.details.size()});
    for (const ZoneDetail& detail : timeline_.details) {
      writer_.put_24(0);
      put_text_number(detail.text);
      put_text_number(detail.name);
      writer_.put_24(detail.color);
    }
  }

  /// How many zones lie directly in each zone of a track; the last one: in none.
  const std::vector<std::uint32_t>& children_of(const Track& track) {
    children_.assign(track.zone_count + 1, 0);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < track.zone_count; ++i) {
      const std::size_t depth = zones_.depth[track.first_zone + i];
      if (open.size() > depth) open.resize(depth);
      ++children_[open.empty() ? track.zone_count : open.back()];
      open.push_back(i);
    }
    return children_;
  }

  struct Totals {
    std::uint64_t zones = 0;
    std::uint64_t with_children = 0;
  };
  template <typename Wanted>
  Totals totals(Wanted wanted) {
    Totals sum;
    for (const Track& track : timeline_.tracks) {
      if (!wanted(track)) continue;
      sum.zones += track.zone_count;
      const std::vector<std::uint32_t>& children = children_of(track);
      sum.with_children += static_cast<std::uint64_t>(
          std::count_if(children.begin(), children.end() - 1, [](std::uint32_t count) { return count > 0; }));
    }
    return sum;
  }

  /// Writes zones as the file nests them: `open(zone, children)`, those inside, `close(zone)`.
  template <typename Open, typename Close>
  void walk(const Track& track, const std::vector<std::uint32_t>& children, Open open, Close close) {
    std::vector<std::size_t> around;
    for (std::size_t i = 0; i < track.zone_count; ++i) {
      const std::size_t zone = track.first_zone + i;
      for (; around.size() > zones_.depth[zone]; around.pop_back()) close(around.back());
      open(zone, children[i]);
      around.push_back(zone);
    }
    for (; !around.empty(); around.pop_back()) close(around.back());
  }

  void write_threads() {
    const Totals sum = totals([](const Track& track) { return track.kind == TrackKind::kThread; });
    const bool needs_thread = threads_.empty() && !messages_of_.back().empty();
    writer_.put(sum.zones);
    writer_.put(sum.with_children);
    writer_.put(std::uint64_t{threads_.size() + mark_threads_.size() + (needs_thread ? 1 : 0)});
    if (needs_thread) write_empty_thread(1, kNone);
    for (std::size_t i = 0; i < mark_threads_.size(); ++i)
      write_empty_thread(kMarkerThread + i, mark_threads_[i].track);
    for (const std::uint32_t number : threads_) {
      const Track& track = timeline_.tracks[number];
      writer_.put(track.id);
      writer_.put(std::uint64_t{track.zone_count});
      writer_.put_zeros(8 + 1);
      const std::vector<std::uint32_t>& children = children_of(track);
      writer_.put(children.back());
      std::int64_t before = 0;
      walk(
          track, children,
          [&](std::size_t zone, std::uint32_t inside) {
            writer_.put(place_number(zones_.location[zone]));
            put_time(zones_.start_ns[zone], before);
            writer_.put(zones_.detail[zone]);
            writer_.put(inside);
          },
          [&](std::size_t zone) { put_time(zones_.end_ns[zone], before); });
      write_message_ids(number, number == threads_.front());
      writer_.put_zeros(8 + 8);
    }
  }

  /// Messages and nothing else.
  void write_empty_thread(std::uint64_t id, std::uint32_t track) {
    writer_.put(id);
    writer_.put_zeros(8 + 8 + 1 + 4);
    write_message_ids(track, track == kNone);
    writer_.put_zeros(8 + 8);
  }

  /// Messages without a thread go to the first one.
  void write_message_ids(std::uint32_t track, bool with_others) {
    std::vector<std::size_t> ids = track == kNone ? std::vector<std::size_t>() : messages_of_[track];
    if (with_others) ids.insert(ids.end(), messages_of_.back().begin(), messages_of_.back().end());
    std::sort(ids.begin(), ids.end());
    writer_.put(std::uint64_t{ids.size()});
    for (const std::size_t id : ids) writer_.put(kMessageId + id);
  }

  void write_contexts() {
    const Totals sum = totals([](const Track& track) { return track.is_of_device(); });
    writer_.put(sum.zones);
    writer_.put(sum.with_children);
    writer_.put(std::uint64_t{contexts_.size()});
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      const TracyContext& context = contexts_[i];
      std::uint64_t count = 0;
      for (const std::uint32_t track : context.tracks) count += timeline_.tracks[track].zone_count;
      writer_.put_zeros(8 + 1);  // thread, calibrated
      writer_.put(count);
      writer_.put(1.0F);
      // What tt-metal's fork calls a device of its own; others have `custom`.
      writer_.put(static_cast<std::uint8_t>(version_ == TracyVersion::kMinor11 ? 7 : 6));
      writer_.put_24(static_cast<std::uint32_t>(context_text_ + i + 1));
      writer_.put(std::uint64_t{0});
      writer_.put(std::uint64_t{context.tracks.size()});
      for (const std::uint32_t track : context.tracks) write_lane(timeline_.tracks[track]);
    }
  }

  void write_lane(const Track& track) {
    writer_.put(track.id);
    const std::vector<std::uint32_t>& children = children_of(track);
    writer_.put(std::uint64_t{children.back()});
    std::int64_t host = 0;
    std::int64_t device = 0;
    walk(
        track, children,
        [&](std::size_t zone, std::uint32_t inside) {
          put_time(zones_.start_ns[zone], host);
          put_time(zones_.start_ns[zone], device);
          writer_.put(place_number(place_of(track, zone)));
          writer_.put_24(0);
          writer_.put(std::uint16_t{0});
          writer_.put(std::uint64_t{inside});
        },
        [&](std::size_t zone) {
          put_time(zones_.end_ns[zone], host);
          put_time(zones_.end_ns[zone], device);
        });
  }

  void write_plots() {
    writer_.put(std::uint64_t{timeline_.plots.size()});
    for (std::size_t i = 0; i < timeline_.plots.size(); ++i) {
      const Plot& plot = timeline_.plots[i];
      double least = plot.points.empty() ? 0 : plot.points.front().value;
      double most = least;
      double sum = 0;
      for (const PlotPoint& point : plot.points) {
        least = std::min(least, point.value);
        most = std::max(most, point.value);
        sum += point.value;
      }
      writer_.put(std::uint8_t{0});
      writer_.put(static_cast<std::uint8_t>(plot.unit));
      writer_.put(static_cast<std::uint8_t>(plot.made ? 1 : 0));  // drawn as steps
      writer_.put(std::uint8_t{1});
      writer_.put(std::uint32_t{0});
      writer_.put(kPlotKey + i);
      for (const double value : {least, most, sum}) writer_.put(value);
      writer_.put(std::uint64_t{plot.points.size()});
      std::int64_t before = 0;
      for (const PlotPoint& point : plot.points) {
        put_time(point.time_ns, before);
        writer_.put(point.value);
      }
    }
  }

  /// What a capture has beyond: one pool of memory without a name, and empty tables.
  void write_empty_rest() {
    writer_.put(std::uint64_t{1});
    writer_.put_zeros(8 + 4 * 8);
    writer_.put(std::uint64_t{0});
    writer_.put(UINT64_MAX);
    writer_.put_zeros(std::size_t{2} * 8);
    writer_.put_zeros(3 * 8 + 4 + 8);    // call stacks, program's facts, pictures of frames
    writer_.put_zeros(2 * 8 + 256 * 8);  // switches of threads and processors
    writer_.put_zeros(std::size_t{2} * 8);
    writer_.put_zeros(3 * 8 + 4 * 8);  // symbols, code, samples, sources
  }

  const Timeline& timeline_;
  const Zones& zones_;
  TracyVersion version_;
  BlockWriter writer_;
  TracyLosses losses_;
  std::vector<std::uint32_t> threads_;
  std::vector<std::uint32_t> frames_;
  std::vector<MarkerThread> mark_threads_;
  std::vector<std::vector<std::size_t>> messages_of_;  ///< by track; the last: of none
  std::vector<TracyContext> contexts_;
  std::uint64_t context_text_ = 0;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t> op_places_;  ///< by location and op
  std::vector<std::uint32_t> children_;
};

}  // namespace

Result<TracyLosses> write_tracy(const Timeline& timeline, TracyVersion version, Writer& out) {
  Capture capture(timeline, version, out);
  Result<TracyLosses> losses = capture.prepare();
  if (losses) capture.write();
  return losses;
}

std::vector<std::string> shift_texts(std::int64_t shift_ns) {
  if (shift_ns == 0) return {};
  return {fmt::format("all times are {} ns later, so that they fit", shift_ns)};
}

std::vector<std::string> loss_texts(const TracyLosses& losses) {
  std::vector<std::string> texts;
  if (losses.ops) texts.emplace_back("too many ops for a .tracy file: zones do not name theirs");
  if (losses.links > 0) texts.push_back(fmt::format("Tracy has no arrows; {} left out", losses.links));
  for (std::string& text : shift_texts(losses.shift_ns)) texts.push_back(std::move(text));
  return texts;
}

}  // namespace ttscope::timeline
