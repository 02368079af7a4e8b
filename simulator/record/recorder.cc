// The marks themselves. The two of zones are made often: their usual way, on the counter of the CPU, is a
// time, a word and five checks.
#include <ttscope/record.h>

#include <bit>
#include <cstring>

#include "record/recording.h"
#include "record/session.h"
#include "record/thread_buffer.h"

namespace ttscope::record {
namespace {

std::string_view text_of(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text, strnlen(text, kMaxNameBytes));
}

LocationText place_text(const ttscope_record_place& place) {
  return {text_of(place.name), text_of(place.function), text_of(place.file), place.line, place.color};
}

bool is_attached(const ThreadBuffer& buffer) {
  return buffer.generation == __atomic_load_n(&ttscope_record_generation, __ATOMIC_RELAXED);
}

std::uint32_t skip_zone(ThreadBuffer& buffer) {
  ++buffer.skipped;
  count_dropped(buffer);
  return 0;
}

std::uint32_t begin_zone(ThreadBuffer& buffer, std::uint32_t place) {
  if (place == 0 || buffer.skipped > 0 || !has_room(buffer, 1 + kTimeWords)) return skip_zone(buffer);
  const std::uint64_t delta = take_time(buffer);
  buffer.begin = buffer.next;
  publish(buffer, event_word(EventKind::kZoneBegin, place, delta));
  return ++buffer.depth;
}

/// The first zone of a site, of a thread or of a chunk, one long after the mark before, or any where the
/// counter cannot be used.
__attribute__((noinline)) std::uint32_t begin_zone_slowly(ttscope_record_site& site) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return 0;
  if (buffer.is_closed) return skip_zone(buffer);
  const std::uint32_t number = number_of(buffer, known_place(place_text(site.place)));
  if (number != 0) {
    const std::uint64_t known_as = std::uint64_t{buffer.generation} << 32 | number;
    __atomic_store_n(&site.known_as, known_as, __ATOMIC_RELEASE);
  }
  return begin_zone(buffer, number);
}

__attribute__((noinline)) void end_zone_slowly() {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  if (buffer.skipped > 0) {
    --buffer.skipped;
    count_dropped(buffer);
    return;
  }
  if (buffer.depth == 0) return;  // begun before recording was, or before a fork
  --buffer.depth;
  if (!has_room(buffer, 1 + kTimeWords) && !has_room_for_end(buffer)) {
    count_dropped(buffer);
    return;
  }
  const std::uint64_t delta = take_time(buffer);
  publish(buffer, event_word(EventKind::kZoneEnd, 0, delta));
  if (buffer.is_closed) buffer.limit = buffer.next;
}

/// The depth of the zone that is meant, 0 where it is not recorded or ended already.
std::uint32_t resolve_zone(const ThreadBuffer& buffer, std::uint32_t zone) {
  if (zone == TTSCOPE_RECORD_INNERMOST) return buffer.skipped > 0 ? 0 : buffer.depth;
  return zone <= buffer.depth ? zone : 0;
}

void add_to_zone(Event event, std::uint32_t zone) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  event.rest = resolve_zone(buffer, zone);
  if (event.rest > 0) write_event(buffer, event);
}

void add_text(EventKind kind, std::uint32_t zone, std::string_view text) {
  Event event{.kind = kind};
  event.has_text = true;
  event.text = text;
  add_to_zone(event, zone);
}

/// An event of a named thing (frames, curves, pools) now, with up to two words.
struct NamedEvent {
  EventKind kind = EventKind::kNone;
  std::string_view name;
  const std::uint64_t* words = nullptr;
  std::size_t word_count = 0;
};

void write_named(const NamedEvent& named) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  const std::uint32_t number = number_of(buffer, known_place({named.name}));
  if (number == 0) return count_dropped(buffer);
  write_event(buffer, {.kind = named.kind,
                       .field = number,
                       .has_time = true,
                       .words = named.words,
                       .word_count = named.word_count});
}

void write_frame(EventKind kind, const char* name) {
  write_named({kind, name == nullptr ? std::string_view("Frame") : text_of(name)});
}

std::string_view pool_of(const char* pool) {
  return pool == nullptr ? std::string_view("Memory") : text_of(pool);
}

void write_message(std::string_view text, std::uint32_t color) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  const std::uint64_t word = color;
  Event event{.kind = EventKind::kMessage, .has_time = true, .words = &word, .word_count = 1};
  event.has_text = true;
  event.text = text;
  write_event(buffer, event);
}

}  // namespace

}  // namespace ttscope::record

using namespace ttscope::record;

uint32_t ttscope_record_zone_begin(ttscope_record_site* site) {
  ThreadBuffer& buffer = this_thread;
  const std::uint64_t known_as = __atomic_load_n(&site->known_as, __ATOMIC_ACQUIRE);
  const bool is_known = uses_counter && is_attached(buffer) && known_as >> 32 == buffer.generation;
  if (!is_known || buffer.next >= buffer.limit) [[unlikely]]
    return begin_zone_slowly(*site);
  const std::uint64_t ticks = ticks_of(true);
  const std::uint64_t delta = ticks - buffer.last_ticks;
  if (delta > kRestMask) [[unlikely]]
    return begin_zone_slowly(*site);
  buffer.begin = buffer.next;
  publish(buffer, event_word(EventKind::kZoneBegin, known_as, delta));
  buffer.last_ticks = ticks;
  return ++buffer.depth;
}

uint32_t ttscope_record_zone_begin_at(const ttscope_record_place* place) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return 0;
  RegisteredLocation& known = known_place(place_text(*place));
  const std::uint32_t zone = begin_zone(buffer, number_of(buffer, known));
  if (known.number == kFurtherPlaces && zone > 0) add_text(EventKind::kZoneName, zone, text_of(place->name));
  return zone;
}

void ttscope_record_zone_end(void) {
  ThreadBuffer& buffer = this_thread;
  const bool is_usual = uses_counter && is_attached(buffer) && buffer.depth > 0;
  if (!is_usual || buffer.next >= buffer.limit) [[unlikely]]
    return end_zone_slowly();
  const std::uint64_t ticks = ticks_of(true);
  const std::uint64_t delta = ticks - buffer.last_ticks;
  if (delta > kRestMask) [[unlikely]]
    return end_zone_slowly();
  buffer.last_ticks = ticks;
  --buffer.depth;
  if (buffer.next - 1 == buffer.begin) {  // nothing is inside: the word of its beginning can say all
    const std::uint64_t word = *buffer.begin;
    const std::uint64_t start = word & kRestMask;
    if ((start | delta) <= kShortTicksMask) {
      const std::uint64_t place = word >> kFieldShift & kFieldMask;
      const std::uint64_t whole = kShortZone | place << kShortPlaceShift | start << kShortTicksBits | delta;
      std::atomic_ref(*buffer.begin).store(whole, std::memory_order_release);
      buffer.begin = nullptr;
      return;
    }
  }
  publish(buffer, event_word(EventKind::kZoneEnd, 0, delta));
}

void ttscope_record_zone_text(uint32_t zone, const char* text, size_t size) {
  add_text(EventKind::kZoneText, zone, {text, size});
}

void ttscope_record_zone_name(uint32_t zone, const char* text, size_t size) {
  add_text(EventKind::kZoneName, zone, {text, size});
}

void ttscope_record_zone_color(uint32_t zone, uint32_t color) {
  add_to_zone({.kind = EventKind::kZoneColor, .field = color}, zone);
}

void ttscope_record_zone_value(uint32_t zone, uint64_t value) {
  add_to_zone({.kind = EventKind::kZoneValue, .words = &value, .word_count = 1}, zone);
}

void ttscope_record_message(const char* text, size_t size, uint32_t color) {
  write_message({text, size}, color);
}

void ttscope_record_signpost(const char* header, const char* text) {
  if (!ttscope_record_active()) return;
  constexpr std::size_t kMaxBytes = 2 * kMaxNameBytes + 64;
  char joined[kMaxBytes];
  std::size_t size = 0;
  const auto add = [&](std::string_view part) {
    std::memcpy(joined + size, part.data(), part.size());
    size += part.size();
  };
  add("`TT_SIGNPOST: ");
  add(text_of(header));
  if (text != nullptr) {
    add("\n");
    add(text_of(text));
  }
  add("`");
  write_message({joined, size}, 0);
}

void ttscope_record_frame(const char* name) { write_frame(EventKind::kFrame, name); }

void ttscope_record_frame_begin(const char* name) { write_frame(EventKind::kFrameBegin, name); }

void ttscope_record_frame_end(const char* name) { write_frame(EventKind::kFrameEnd, name); }

void ttscope_record_plot(const char* name, double value) {
  const auto word = std::bit_cast<std::uint64_t>(value);
  write_named({EventKind::kPlot, text_of(name), &word, 1});
}

void ttscope_record_plot_unit(const char* name, enum ttscope_record_unit unit) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  const std::uint32_t number = number_of(buffer, known_place({text_of(name)}));
  if (number == 0) return count_dropped(buffer);
  write_event(buffer,
              {.kind = EventKind::kPlotUnit, .field = number, .rest = static_cast<std::uint64_t>(unit)});
}

void ttscope_record_alloc(uint64_t address, uint64_t bytes, const char* pool) {
  const std::uint64_t words[] = {address, bytes};
  write_named({EventKind::kAlloc, pool_of(pool), words, 2});
}

void ttscope_record_free(uint64_t address, const char* pool) {
  write_named({EventKind::kFree, pool_of(pool), &address, 1});
}

void ttscope_record_thread_name(const char* name) {
  ThreadBuffer& buffer = this_thread;
  if (!is_ready(buffer)) return;
  buffer.has_given_name = true;
  Event event{.kind = EventKind::kThreadName};
  event.has_text = true;
  event.text = text_of(name);
  write_event(buffer, event);
}
