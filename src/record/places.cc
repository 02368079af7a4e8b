#include "record/places.h"

#include <cstring>
#include <new>

#include "record/arena.h"
#include "record/file_format.h"

namespace ttscope::record {
namespace {

constexpr std::size_t kSlots = std::size_t{1} << 14;
/// The words of short zones have room for so many.
constexpr std::uint32_t kMostPlaces = kShortPlaceMask;

std::atomic<KnownPlace*> slots[kSlots];
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

std::uint64_t hash_of(const PlaceText& text) {
  const std::uint64_t numbers = std::uint64_t{text.line} << 32 | text.color;
  return mixed(mixed(mixed(mixed(1, text.name), text.function), text.file), numbers);
}

bool is_same(const KnownPlace& place, const PlaceText& text, std::uint64_t hash) {
  return place.hash == hash && place.text.line == text.line && place.text.color == text.color &&
         place.text.name == text.name && place.text.function == text.function && place.text.file == text.file;
}

std::string_view copied(std::string_view text, char*& to) {
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
  const std::string_view copy(to, text.size());
  to += text.size();
  return copy;
}

KnownPlace* make_place(const PlaceText& text, std::uint64_t hash) {
  const std::size_t bytes = text.name.size() + text.function.size() + text.file.size();
  void* memory = allocate_kept(sizeof(KnownPlace) + bytes);
  if (memory == nullptr) return nullptr;
  auto* place = new (memory) KnownPlace;
  char* to = static_cast<char*>(memory) + sizeof(KnownPlace);
  place->text = {copied(text.name, to), copied(text.function, to), copied(text.file, to), text.line,
                 text.color};
  place->hash = hash;
  return place;
}

KnownPlace& further_places() {
  static constinit KnownPlace place{{"(further places)"}, 0, kFurtherPlaces, 0, nullptr};
  return place;
}

}  // namespace

KnownPlace& known_place(const PlaceText& text) {
  const std::uint64_t hash = hash_of(text);
  std::atomic<KnownPlace*>& slot = slots[hash % kSlots];
  KnownPlace* first = slot.load(std::memory_order_acquire);
  const KnownPlace* seen = nullptr;
  KnownPlace* fresh = nullptr;
  for (;;) {
    for (KnownPlace* place = first; place != seen; place = place->next) {
      if (is_same(*place, text, hash)) return *place;  // a fresh one stays unused
    }
    if (fresh == nullptr) {
      if (last_number.load(std::memory_order_relaxed) >= kMostPlaces) return further_places();
      fresh = make_place(text, hash);
      if (fresh == nullptr) return further_places();
      fresh->number = last_number.fetch_add(1, std::memory_order_relaxed) + 1;
    }
    fresh->next = first;
    seen = first;
    if (slot.compare_exchange_strong(first, fresh, std::memory_order_acq_rel)) return *fresh;
  }
}

}  // namespace ttscope::record
