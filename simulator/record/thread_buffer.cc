#include "record/thread_buffer.h"

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "record/recording.h"
#include "record/session.h"
#include "timeline/read/recording_format.h"

namespace ttscope::record {
namespace {

constexpr std::size_t kSlots = std::size_t{1} << 14;
/// The words of short zones have room for so many.
constexpr std::uint32_t kMaxPlaces = kShortPlaceMask;

std::atomic<RegisteredLocation*> slots[kSlots];
std::atomic<std::uint32_t> last_number{kFurtherPlaces};

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;
  hash = (hash ^ value) * kFactor;
  return hash ^ hash >> 32;
}

std::uint64_t mixed(std::uint64_t hash, std::string_view text) {
  hash = mixed(hash, text.size());
  for (; text.size() >= sizeof(std::uint64_t); text.remove_prefix(sizeof(std::uint64_t))) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof(word));
    hash = mixed(hash, word);
  }
  std::uint64_t rest = 0;
  if (!text.empty()) std::memcpy(&rest, text.data(), text.size());
  return mixed(hash, rest);
}

std::uint64_t hash_of(const LocationText& text) {
  const std::uint64_t numbers = std::uint64_t{text.line} << 32 | text.color;
  return mixed(mixed(mixed(mixed(1, text.name), text.function), text.file), numbers);
}

bool is_same(const RegisteredLocation& place, const LocationText& text, std::uint64_t hash) {
  return place.hash == hash && place.text.line == text.line && place.text.color == text.color &&
         place.text.name == text.name && place.text.function == text.function && place.text.file == text.file;
}

std::string_view copied(std::string_view text, char*& to) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  const std::string_view copy(to, text.size());
  to += text.size();
  return copy;
}

RegisteredLocation* make_place(const LocationText& text, std::uint64_t hash) {
  const std::size_t bytes = text.name.size() + text.function.size() + text.file.size();
  void* memory = allocate_kept(sizeof(RegisteredLocation) + bytes);
  if (memory == nullptr) return nullptr;
  auto* place = new (memory) RegisteredLocation;
  char* to = static_cast<char*>(memory) + sizeof(RegisteredLocation);
  place->text = {copied(text.name, to), copied(text.function, to), copied(text.file, to), text.line,
                 text.color};
  place->hash = hash;
  return place;
}

RegisteredLocation& further_places() {
  static constinit RegisteredLocation place{{"(further places)"}, 0, kFurtherPlaces, 0, nullptr};
  return place;
}

}  // namespace

RegisteredLocation& known_place(const LocationText& text) {
  const std::uint64_t hash = hash_of(text);
  std::atomic<RegisteredLocation*>& slot = slots[hash % kSlots];
  RegisteredLocation* first = slot.load(std::memory_order_acquire);
  const RegisteredLocation* seen = nullptr;
  RegisteredLocation* fresh = nullptr;
  for (;;) {
    for (RegisteredLocation* place = first; place != seen; place = place->next) {
      if (is_same(*place, text, hash)) return *place;  // a fresh one stays unused
    }
    if (fresh == nullptr) {
      if (last_number.load(std::memory_order_relaxed) >= kMaxPlaces) return further_places();
      fresh = make_place(text, hash);
      if (fresh == nullptr) return further_places();
      fresh->number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    fresh->next = first;
    seen = first;
    if (slot.compare_exchange_strong(first, fresh, std::memory_order_acq_rel)) return *fresh;
  }
}

thread_local constinit ThreadBuffer this_thread __attribute__((tls_model("initial-exec")));

namespace {

constexpr std::size_t kWordBytes = sizeof(std::uint64_t);
constexpr std::size_t kSlotWords = kSlotBytes / kWordBytes;
constexpr std::size_t kHeadWords = sizeof(ChunkHead) / kWordBytes;
/// At the end of a slot, for the ends of zones that are open when no further chunk is to be had.
constexpr std::size_t kKeptWords = 512;

std::uint64_t* first_of(ChunkHead* slot) { return reinterpret_cast<std::uint64_t*>(slot) + kHeadWords; }

std::uint64_t* end_of(ChunkHead* slot) { return reinterpret_cast<std::uint64_t*>(slot) + kSlotWords; }

void write_sync(ThreadBuffer& buffer) {
  const ClockPair now = read_clock_pair(uses_counter);
  const std::uint64_t ticks = (now.ticks - buffer.recording->first_ticks()) & kTicksMask;
  buffer.next[1] = static_cast<std::uint64_t>(now.mono_ns);
  publish(buffer, static_cast<std::uint64_t>(EventKind::kSync) << kKindShift | ticks, kTimeWords);
  buffer.last_ticks = now.ticks;
}

bool write_whole(ThreadBuffer& buffer, const Event& event);

/// Threads are often named after they began, so it is asked again and again.
void write_system_name(ThreadBuffer& buffer) {
  if (buffer.has_given_name || syscall(SYS_gettid) == getpid()) return;
  char name[17] = {};
  if (prctl(PR_GET_NAME, name) != 0) return;
  Event event{.kind = EventKind::kThreadName};
  event.has_text = true;
  event.text = name;
  write_whole(buffer, event);
}

void begin_chunk(ThreadBuffer& buffer) {
  buffer.next = first_of(buffer.slot);
  buffer.limit = end_of(buffer.slot) - kKeptWords;
  buffer.begin = nullptr;
  write_sync(buffer);
  write_system_name(buffer);
}

/// Empties the slot. If the process ends in between, its content is in the file twice, with the same number.
bool spill(ThreadBuffer& buffer) {
  if (buffer.slot == nullptr || buffer.is_closed || !buffer.recording->spill(buffer.slot, buffer.next))
    return false;
  std::atomic_ref(*first_of(buffer.slot)).store(0, std::memory_order_release);
  std::atomic_ref(buffer.slot->sequence).store(buffer.slot->sequence + 1, std::memory_order_release);
  return true;
}

std::size_t words_of(std::size_t bytes) { return (bytes + kWordBytes - 1) / kWordBytes; }

/// One event whose text fits into a part.
bool write_whole(ThreadBuffer& buffer, const Event& event) {
  const std::size_t words = 1 + event.word_count + words_of(event.text.size());
  if (!has_room(buffer, words + kTimeWords)) return false;
  const std::uint64_t rest = event.has_time ? take_time(buffer) : event.rest;
  std::uint64_t* at = buffer.next + 1;
  if (event.word_count > 0) std::memcpy(at, event.words, event.word_count * kWordBytes);
  if (!event.text.empty()) std::memcpy(at + event.word_count, event.text.data(), event.text.size());
  publish(buffer, event_word(event.kind, event.has_text ? event.text.size() : event.field, rest), words);
  return true;
}

bool write_parts(ThreadBuffer& buffer, const Event& event) {
  Event last = event;
  last.text = event.text.substr(0, kMaxTextBytes);
  while (last.text.size() > kPartBytes) {
    Event part{.kind = EventKind::kTextPart};
    part.has_text = true;
    part.text = last.text.substr(0, kPartBytes);
    if (!write_whole(buffer, part)) return false;
    last.text.remove_prefix(kPartBytes);
  }
  return write_whole(buffer, last);
}

}  // namespace

bool is_ready(ThreadBuffer& buffer) {
  const std::uint32_t generation = current_generation();
  if (buffer.generation == generation) return generation != 0;
  detach(buffer);
  Recording* recording = generation == 0 ? nullptr : held_recording();
  if (recording == nullptr) return false;
  buffer.recording = recording;
  buffer.generation = generation;
  buffer.thread = recording->next_thread();
  note_attached(buffer);
  buffer.slot = recording->take_slot(buffer.thread);
  buffer.is_closed = buffer.slot == nullptr;
  if (!buffer.is_closed) begin_chunk(buffer);
  return true;
}

void detach(ThreadBuffer& buffer) {
  if (buffer.recording == nullptr) return;
  if (buffer.slot != nullptr) {
    write_system_name(buffer);
    buffer.recording->give_back(buffer.slot, spill(buffer));
  }
  buffer.recording->let_go();
  buffer = {};
}

bool has_room(ThreadBuffer& buffer, std::size_t words) {
  if (static_cast<std::ptrdiff_t>(words) <= buffer.limit - buffer.next) return true;  // without a slot: 0
  if (spill(buffer)) {
    begin_chunk(buffer);  // the greatest event fits into an empty slot
    return true;
  }
  buffer.is_closed = true;
  buffer.limit = buffer.next;
  return false;
}

bool has_room_for_end(const ThreadBuffer& buffer) {
  return buffer.slot != nullptr && buffer.next + 1 + kTimeWords < end_of(buffer.slot);
}

std::uint64_t take_time(ThreadBuffer& buffer) {
  const std::uint64_t ticks = ticks_of(uses_counter);
  const std::uint64_t delta = ticks - buffer.last_ticks;
  if (delta > kRestMask) {
    write_sync(buffer);
    return 0;
  }
  buffer.last_ticks = ticks;
  return delta;
}

void count_dropped(ThreadBuffer& buffer) { buffer.recording->count_dropped(buffer.thread); }

void write_event(ThreadBuffer& buffer, const Event& event) {
  if (!write_parts(buffer, event)) count_dropped(buffer);
}

std::uint32_t number_of(ThreadBuffer& buffer, RegisteredLocation& place) {
  if (place.written_in.load(std::memory_order_acquire) == buffer.generation) return place.number;
  const LocationText& text = place.text;
  char joined[3 * kMaxNameBytes];
  std::size_t size = 0;
  for (const std::string_view part : {text.name, text.function, text.file}) {
    if (!part.empty()) std::memcpy(joined + size, part.data(), part.size());
    size += part.size();
  }
  const std::uint64_t words[] = {text.line | std::uint64_t{text.color} << 32,
                                 text.name.size() | std::uint64_t{text.function.size()} << 32};
  Event event{.kind = EventKind::kPlace, .rest = place.number};
  event.words = words;
  event.word_count = std::size(words);
  event.has_text = true;
  event.text = {joined, size};
  if (!write_whole(buffer, event)) return 0;
  place.written_in.store(buffer.generation, std::memory_order_release);
  return place.number;
}

}  // namespace ttscope::record
