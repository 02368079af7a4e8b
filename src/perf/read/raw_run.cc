#include "perf/read/raw_run.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/number_text.h"
#include "base/result.h"
#include "io/open_input.h"

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
      add_bad_words(high, low);
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
  void add_bad_words(std::uint32_t id_word, std::uint32_t host_id) {
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

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

constexpr std::uint64_t kMaxCoordinate = 255;

std::string_view text_of(object map, std::string_view key) {
  std::string_view value;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

std::optional<std::uint64_t> whole_of(object map, std::string_view key) {
  std::uint64_t value = 0;
  if (map[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}

/// The items of a list; none where there is no such list.
std::vector<element> list_of(object map, std::string_view key) {
  array list;
  if (map[key].get(list) != simdjson::SUCCESS) return {};
  return {list.begin(), list.end()};
}

/// Bytes of the file with the words: `[offset, length]`.
struct Extent {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

std::optional<Extent> extent_of(element item) {
  array pair;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  if (item.get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
      pair.at(0).get(offset) != simdjson::SUCCESS || pair.at(1).get(size) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  return Extent{offset, size};
}

/// What of an extent the file holds, as words.
std::vector<std::uint32_t> words_at(std::string_view bytes, Extent extent, std::uint64_t max_words) {
  if (extent.offset >= bytes.size()) return {};
  const std::uint64_t held = std::min<std::uint64_t>(extent.size, bytes.size() - extent.offset);
  std::vector<std::uint32_t> words(std::min<std::uint64_t>(held / sizeof(std::uint32_t), max_words));
  if (!words.empty())
    std::memcpy(words.data(), bytes.data() + extent.offset, words.size() * sizeof(std::uint32_t));
  return words;
}

/// What fits below a program's number.
constexpr std::uint64_t kMaxDevices = 1024;

class RawRunParser {
 public:
  RawRunParser(const std::string& name, object document, std::string_view bytes)
      : name_(name), document_(document), bytes_(bytes) {}

  Result<RawRun> parse() {
    run_.name = text_of(document_, "run");
    run_.title = text_of(document_, "title");
    run_.arch = text_of(document_, "arch");
    if (double clock = 0; document_["clock_mhz"].get(clock) == simdjson::SUCCESS && clock > 0)
      run_.clock_mhz = clock;
    if (std::uint64_t device = 0;
        document_["device"].get(device) == simdjson::SUCCESS && device < kMaxDevices)
      run_.device = static_cast<std::uint32_t>(device);
    read_modes();
    read_zones();
    for (const element item : list_of(document_, "riscs")) {
      std::string_view risc;
      if (item.get(risc) == simdjson::SUCCESS) riscs_.emplace_back(risc);
    }
    if (riscs_.empty()) return failure(wrong("`riscs` names no processor"));
    RETURN_IF_ERROR(document_["cores"].error() == simdjson::SUCCESS ? read_grid() : read_snapshot());
    return std::move(run_);
  }

 private:
  Error wrong(std::string_view what) const {
    return bad_input(
        fmt::format("{}: {}; expected saved buffers of the device profiler as in "
                    "docs/formats/raw_run.md",
                    name_, what));
  }

  void read_modes() {
    for (const element item : list_of(document_, "defines")) {
      std::string_view define;
      if (item.get(define) != simdjson::SUCCESS) continue;
      const std::size_t equals = std::min(define.find('='), define.size());
      const std::string_view key = define.substr(0, equals);
      const std::uint64_t value =
          equals < define.size() ? parse_unsigned(define.substr(equals + 1)).value_or(1) : 1;
      if (key == "PROFILE_KERNEL") {
        run_.modes.trace_only = (value & 4) != 0;
        run_.modes.accumulates = (value & 16) != 0;
      } else if (key == "PROFILE_NOC_EVENTS") {
        run_.modes.noc_events = value != 0;
      }
    }
  }

  void read_zones() {
    for (const element item : list_of(document_, "zones")) {
      object zone;
      if (item.get(zone) != simdjson::SUCCESS) continue;
      const std::optional<std::uint64_t> id = whole_of(zone, "id");
      if (!id || *id > 0xffff) continue;
      run_.zones[static_cast<std::uint16_t>(*id)] = {
          std::string(text_of(zone, "name")), std::string(text_of(zone, "file")),
          static_cast<std::uint32_t>(whole_of(zone, "line").value_or(0))};
    }
  }

  /// One core, saved at several moments: the last counts.
  Result<void> read_snapshot() {
    const std::vector<element> snapshots = list_of(document_, "snapshots");
    object last;
    if (snapshots.empty() || snapshots.back().get(last) != simdjson::SUCCESS) {
      return failure(wrong("no snapshot is in it"));
    }
    object core;
    if (document_["core"].get(core) != simdjson::SUCCESS) return failure(wrong("`core` is missing"));
    run_.snapshot = text_of(last, "label");
    return read_core(core, last);
  }

  Result<void> read_grid() {
    for (const element item : list_of(document_, "cores")) {
      object core;
      if (item.get(core) != simdjson::SUCCESS) return failure(wrong("`cores` has an entry that is no core"));
      if (Result<void> read = read_core(core, core); !read) return read;
    }
    if (run_.cores.empty()) return failure(wrong("`cores` is empty"));
    return {};
  }

  /// `core` says which it is, `saved` where its words are.
  Result<void> read_core(object core, object saved) {
    RawCore read;
    const std::vector<element> place = list_of(core, "noc0");
    std::uint64_t x = 0;
    std::uint64_t y = 0;
    if (place.size() != 2 || place[0].get(x) != simdjson::SUCCESS || place[1].get(y) != simdjson::SUCCESS ||
        x > kMaxCoordinate || y > kMaxCoordinate) {
      return failure(wrong("a core without coordinates (`noc0`)"));
    }
    read.x = static_cast<std::int32_t>(x);
    read.y = static_cast<std::int32_t>(y);
    read.flat_id = static_cast<std::uint32_t>(whole_of(core, "flat_id").value_or(0));
    element control_item;
    std::optional<Extent> control_extent;
    if (saved["control"].get(control_item) == simdjson::SUCCESS) control_extent = extent_of(control_item);
    if (!control_extent) return failure(wrong("a core without its control words (`control`)"));
    constexpr std::uint64_t kMaxControlWords = 64;
    const std::vector<std::uint32_t> control = words_at(bytes_, *control_extent, kMaxControlWords);
    const std::uint64_t control_words =
        std::min<std::uint64_t>(control_extent->size / sizeof(std::uint32_t), kMaxControlWords);
    read.control_cut = static_cast<std::uint32_t>(control_words - control.size());
    const ProfilerLayout& layout = layout_of(control_words);
    if (riscs_.size() > layout.device_end - layout.host_end) {
      return failure(wrong("`riscs` names more processors than there are control words for"));
    }
    const auto word = [&](std::uint32_t at) { return at < control.size() ? control[at] : 0; };
    read.has_dram = word(layout.dram_address) != 0;
    read.is_done = word(layout.done) != 0;
    for (std::uint32_t risc = 0; risc < riscs_.size(); ++risc) {
      RawProcessor& processor = read.processors.emplace_back();
      processor.name = riscs_[risc];
      processor.dropped = (word(layout.dropped) >> risc & 1) != 0;
      const RegionOwner owner = {&layout, risc, read.flat_id};
      read_dram(saved, owner, word(layout.host_end + risc), processor);
      read_l1(saved, owner, word(layout.device_end + risc), processor);
      if (!read.is_done && read.control_cut == 0) read_running(saved, owner, processor);
    }
    // Regions of all processors are apart: what is read can be no more than the file.
    for (const RawProcessor& processor : read.processors) {
      read_words_ += processor.dram.kept_words + processor.l1.kept_words;
    }
    if (read_words_ * sizeof(std::uint32_t) > bytes_.size())
      return failure(wrong("regions lie over each other"));
    run_.cores.push_back(std::move(read));
    return {};
  }

  void read_dram(object saved, const RegionOwner& owner, std::uint32_t end_words, RawProcessor& processor) {
    const std::vector<element> regions = list_of(saved, "dram");
    const std::optional<Extent> extent =
        owner.risc < regions.size() ? extent_of(regions[owner.risc]) : std::nullopt;
    processor.dram = read_marker_words(words_at(bytes_, extent.value_or(Extent{}), end_words), owner);
    processor.dram.end_words = end_words;
  }

  /// The buffers of all processors lie one behind the other.
  static std::optional<Extent> buffer_of(object saved, std::uint32_t risc) {
    element item;
    if (saved["buffers"].get(item) != simdjson::SUCCESS) return std::nullopt;
    const std::optional<Extent> all = extent_of(item);
    constexpr std::uint64_t kBufferBytes = kBufferWords * sizeof(std::uint32_t);
    const std::uint64_t start = risc * kBufferBytes;
    if (!all || start >= all->size) return std::nullopt;
    return Extent{all->offset + start, std::min(kBufferBytes, all->size - start)};
  }

  void read_l1(object saved, const RegionOwner& owner, std::uint32_t end_words, RawProcessor& processor) {
    const std::optional<Extent> own = buffer_of(saved, owner.risc);
    if (!own) return;
    const std::uint32_t wanted = std::min(end_words, kBufferWords);
    processor.l1 = read_marker_words(words_at(bytes_, *own, wanted), owner);
    processor.l1.end_words = wanted;
  }

  /// A launch tells where its words end when it ends: of one that hangs they are found by themselves.
  void read_running(object saved, const RegionOwner& owner, RawProcessor& processor) {
    const std::optional<Extent> own = buffer_of(saved, owner.risc);
    if (!own || run_.modes.trace_only || run_.modes.accumulates) return;
    const std::uint32_t end_words = running_words(words_at(bytes_, *own, kBufferWords));
    if (end_words == 0) return;
    processor.running = true;
    read_l1(saved, owner, end_words, processor);
  }

  const std::string& name_;
  object document_;
  std::string_view bytes_;
  std::vector<std::string> riscs_;
  std::uint64_t read_words_ = 0;
  RawRun run_;
};

Result<object> document_of(const std::string& name, std::string_view text, simdjson::dom::parser& parser) {
  object document;
  const auto error = parser.parse(text.data(), text.size()).get(document);
  if (error != simdjson::SUCCESS) {
    return failure(
        bad_input(fmt::format("{}: not a JSON document: {}", name, simdjson::error_message(error))));
  }
  return document;
}

}  // namespace

Result<std::string> raw_file_of(const std::string& name, std::string_view document) {
  simdjson::dom::parser parser;
  ASSIGN_OR_RETURN(const object parsed, document_of(name, document, parser));
  const std::string raw(text_of(parsed, "raw"));
  // A name out of a file: only what lies beside it.
  if (raw.empty() || raw.find('/') != std::string::npos || raw == "..") {
    return failure(bad_input(fmt::format(
        "{}: `raw` does not name the file with the words beside it (docs/formats/raw_run.md)", name)));
  }
  return raw;
}

Result<RawRun> parse_raw_run(const std::string& name, std::string_view document, std::string_view words) {
  simdjson::dom::parser parser;
  ASSIGN_OR_RETURN(const object parsed, document_of(name, document, parser));
  return RawRunParser(name, parsed, words).parse();
}

Result<RawRun> read_raw_run(const std::string& path) {
  ASSIGN_OR_RETURN(const io::WholeText document, io::open_whole_text(path));
  ASSIGN_OR_RETURN(const std::string raw, raw_file_of(path, document.bytes()));
  const std::string raw_path = (std::filesystem::path(path).parent_path() / raw).string();
  ASSIGN_OR_RETURN(const io::WholeText words, io::open_whole_text(raw_path));
  Result<RawRun> run = parse_raw_run(path, document.bytes(), words.bytes());
  if (run && !document.warning.empty()) run->warnings.push_back(document.warning);
  if (run && !words.warning.empty()) run->warnings.push_back(words.warning);
  return run;
}

}  // namespace ttscope::perf
