#include "perf/read/raw_run/marker_words.h"

#include <optional>

namespace ttscope::perf {
namespace {

constexpr ProfilerLayout kLayoutNow = {5, 5, 13, 0, 24, 50, 56, 57};
constexpr ProfilerLayout kLayoutBefore = {3, 3, 11, 0, 5, 12, 18, 19};
constexpr std::size_t kControlWordsBefore = 32;

constexpr std::uint32_t kValid = 0x80000000;
constexpr std::uint32_t kHeaderWords = 4;

// H: 1 ttt iiii iiii iiii iiii hhhh hhhh hhhh   valid, packet type, id, bits 43..32 of the time
// L: bits 31..0 of the time; of a ZONE_TOTAL the sum
constexpr unsigned kTypeShift = 28;
constexpr std::uint32_t kTypeMask = 7;
constexpr unsigned kIdShift = 12;
constexpr std::uint32_t kTimeHighMask = 0xfff;

std::uint64_t joined(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

RawLaunch launch_of(std::uint32_t id_word, std::uint32_t host_id, const ProfilerLayout& layout) {
  RawLaunch launch;
  launch.host_id = host_id;
  launch.risc = static_cast<std::uint8_t>(id_word & ((1u << layout.risc_bits) - 1));
  launch.flat_id = static_cast<std::uint8_t>(id_word >> layout.flat_shift);
  launch.trace = static_cast<std::uint16_t>(id_word >> layout.trace_shift);
  return launch;
}

bool is_of(const RawLaunch& launch, const RegionOwner& owner) {
  return launch.risc == owner.risc && launch.flat_id == (owner.flat_id & 0xff);
}

/// Pairs of further words that belong to a marker.
std::optional<std::uint32_t> payload_pairs(std::uint32_t type) {
  switch (type) {
    case 0:
    case 1:
    case 2:
    case 4:
      return 0;
    case 3:
      return 1;
    case 5:
      return 2;
    default:
      return std::nullopt;
  }
}

class WordReader {
 public:
  WordReader(const std::vector<std::uint32_t>& words, const RegionOwner& owner)
      : words_(words), owner_(owner) {}

  RawRegion read() {
    region_.kept_words = static_cast<std::uint32_t>(words_.size());
    while (at_ + 2 <= words_.size()) take_pair();
    if (at_ < words_.size()) ++region_.bad_words;
    return std::move(region_);
  }

 private:
  void take_pair() {
    const std::uint32_t high = words_[at_];
    const std::uint32_t low = words_[at_ + 1];
    if (high == 0 && low == 0) {
      take_header();
    } else if (high == kValid && (low == 0 || low == kValid)) {
      at_ += 2;  // filling up to four words, or a guaranteed slot that nothing was written to
    } else if ((high & kValid) == 0) {
      take_bad(high, low);
    } else {
      take_marker(high, low);
    }
  }

  void take_header() {
    if (at_ + kHeaderWords > words_.size()) {
      at_ = static_cast<std::uint32_t>(words_.size());
      ++region_.bad_words;
      return;
    }
    begin_launch(launch_of(words_[at_ + 2], words_[at_ + 3], *owner_.layout), at_);
    at_ += kHeaderWords;
  }

  void begin_launch(RawLaunch launch, std::uint32_t word) {
    launch.word = word;
    region_.runs.push_back(launch);
  }

  /// A header whose first pair is another processor's marker: its second pair still names its owner.
  void take_bad(std::uint32_t id_word, std::uint32_t host_id) {
    RawLaunch launch = launch_of(id_word, host_id, *owner_.layout);
    RawMarker* before = region_.markers.empty() ? nullptr : &region_.markers.back();
    if (is_of(launch, owner_) && before != nullptr && before->word + 2 == at_) {
      launch.intact = false;
      begin_launch(launch, before->word);
      before->suspicion = Suspicion::kPlaced;
    } else if (is_of(launch, owner_) && at_ >= 2 && words_[at_ - 2] == kValid && words_[at_ - 1] == 0) {
      launch.unfinished = true;  // trace-only builds put this in place of the sentinel until a replay ends
      begin_launch(launch, at_ - 2);
    } else {
      ++region_.bad_words;
    }
    at_ += 2;
  }

  void take_marker(std::uint32_t high, std::uint32_t low) {
    const std::uint32_t type = high >> kTypeShift & kTypeMask;
    const std::optional<std::uint32_t> pairs = payload_pairs(type);
    const std::uint32_t size = 2 + 2 * pairs.value_or(0);
    if (!pairs || at_ + size > words_.size()) {
      ++region_.bad_words;
      at_ += 2;
      return;
    }
    RawMarker marker;
    marker.word = at_;
    marker.run = region_.runs.empty() ? kNone : static_cast<std::uint32_t>(region_.runs.size() - 1);
    marker.kind = static_cast<MarkerKind>(type);
    marker.id = static_cast<std::uint16_t>(high >> kIdShift);
    if (marker.has_time()) {
      marker.time = joined(high & kTimeHighMask, low);
    } else {
      marker.data[0] = low;
    }
    for (std::uint32_t pair = 0; pair < *pairs; ++pair) {
      marker.data[pair] = joined(words_[at_ + 2 + 2 * pair], words_[at_ + 3 + 2 * pair]);
    }
    region_.markers.push_back(marker);
    at_ += size;
  }

  const std::vector<std::uint32_t>& words_;
  const RegionOwner& owner_;
  RawRegion region_;
  std::uint32_t at_ = 0;
};

}  // namespace

const ProfilerLayout& layout_of(std::size_t control_words) {
  return control_words <= kControlWordsBefore ? kLayoutBefore : kLayoutNow;
}

std::uint32_t running_words(const std::vector<std::uint32_t>& buffer) {
  constexpr std::uint32_t kOuterStart = 4;
  constexpr std::uint32_t kOuterEnd = 6;
  if (buffer.size() < kFirstOptionalWord) return 0;
  const auto time_at = [&](std::uint32_t word) {
    return joined(buffer[word] & kTimeHighMask, buffer[word + 1]);
  };
  const bool began = buffer[kOuterStart] > kValid;
  const bool ended = buffer[kOuterEnd] != kValid;
  if (!began || ended) return 0;
  std::uint64_t before = time_at(kOuterStart);
  std::uint32_t at = kFirstOptionalWord;
  while (at + 2 <= buffer.size() && buffer[at] > kValid) {
    const std::optional<std::uint32_t> pairs = payload_pairs(buffer[at] >> kTypeShift & kTypeMask);
    if (!pairs || at + 2 + 2 * *pairs > buffer.size() || time_at(at) <= before) break;
    before = time_at(at);
    at += 2 + 2 * *pairs;
  }
  return at;
}

RawRegion read_marker_words(const std::vector<std::uint32_t>& words, const RegionOwner& owner) {
  return WordReader(words, owner).read();
}

}  // namespace ttscope::perf
