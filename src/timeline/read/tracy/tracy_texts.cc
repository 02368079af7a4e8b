// Parts of tracy_file.h: the head of a file, its texts and places of the source.
#include <fmt/format.h>

#include "base/number_text.h"
#include "timeline/read/tracy/tracy_file.h"

namespace ttscope::timeline {
namespace {

constexpr std::size_t kCrashBytes = 28;

/// Processors by package, die and core: of no use to a timeline.
void skip_topology(TracyFile& file, int levels) {
  for (auto count = file.payload.read<std::uint64_t>(); count > 0 && file.payload.is_whole(); --count) {
    file.payload.skip(4);
    if (levels > 1) {
      skip_topology(file, levels - 1);
    } else {
      file.payload.skip(file.payload.read<std::uint64_t>(), 4);
    }
  }
}

/// Of two bits less, so that differences of times stay numbers; Tracy's own have 47.
std::int64_t kept_time(std::uint64_t bits) { return static_cast<std::int64_t>(bits << 2) >> 2; }

std::string read_sized_text(Payload& payload) { return payload.read_text(payload.read<std::uint64_t>()); }

/// Pairs of a key and the address of its text.
void read_names(TracyFile& file, std::unordered_map<std::uint64_t, TextId>& names) {
  for (auto count = file.payload.read<std::uint64_t>(); count > 0 && file.payload.is_whole(); --count) {
    const auto key = file.payload.read<std::uint64_t>();
    const auto found = file.string_at.find(file.payload.read<std::uint64_t>());
    if (found != file.string_at.end()) names.insert_or_assign(key, found->second);
  }
}

/// `OP ID:1024`, which tt-metal writes as the function of a device's firmware zones.
std::uint64_t op_of_function(std::string_view function) {
  constexpr std::string_view kMark = "OP ID:";
  if (!function.starts_with(kMark)) return kNoOp;
  return parse_unsigned(function.substr(kMark.size())).value_or(kNoOp);
}

TracyPlace read_location(TracyFile& file) {
  Location place;
  place.name = file.read_reference();
  place.function = file.read_reference();
  place.file = file.read_reference();
  place.line = file.payload.read<std::uint32_t>();
  place.color = file.payload.read<std::uint32_t>() & 0xFFFFFF;
  std::vector<Location>& all = file.timeline.locations;
  const std::uint64_t op = op_of_function(file.timeline.text(place.function));
  if (op != kNoOp) {
    // Zones that differ by their op alone stand at one place.
    place.function = 0;
    const std::string key = fmt::format("{},{},{},{}", place.name, place.file, place.line, place.color);
    const auto [known, is_new] = file.op_places.try_emplace(key, static_cast<std::uint32_t>(all.size()));
    if (is_new) all.push_back(place);
    return {known->second, op};
  }
  all.push_back(place);
  return {static_cast<std::uint32_t>(all.size() - 1), op};
}

}  // namespace

TracyPlace TracyFile::place_of(std::int16_t number) {
  if (number < 0) {
    const auto index = static_cast<std::size_t>(-(number + 1));
    if (index < dynamic_places.size()) return dynamic_places[index];
  } else if (static_cast<std::size_t>(number) < place_addresses.size()) {
    const auto found = static_places.find(place_addresses[static_cast<std::size_t>(number)]);
    if (found != static_places.end()) return found->second;
  }
  timeline.problems.add(TimelineProblem::kUnknownLocation, part);
  if (unknown_place == kNone) {
    unknown_place = static_cast<std::uint32_t>(timeline.locations.size());
    timeline.locations.push_back({.name = timeline.texts.intern("(unknown)")});
  }
  return {unknown_place, kNoOp};
}

TextId TracyFile::read_reference() {
  const auto value = payload.read<std::uint64_t>();
  const auto flags = payload.read<std::uint8_t>();
  if ((flags & 2) == 0) return 0;
  if ((flags & 1) != 0) {
    if (value < strings.size()) return strings[static_cast<std::size_t>(value)];
  } else {
    const auto found = named.find(value);
    if (found != named.end()) return found->second;
  }
  if (payload.is_whole()) timeline.problems.add(TimelineProblem::kUnknownText, part);
  return 0;
}

TextId TracyFile::read_text_number() {
  const std::uint32_t number = payload.read_24();
  if (number == 0) return 0;
  if (number <= strings.size()) return strings[number - 1];
  timeline.problems.add(TimelineProblem::kUnknownText, part);
  return 0;
}

std::int64_t TracyFile::read_time(std::int64_t before) {
  return kept_time(static_cast<std::uint64_t>(before) + payload.read<std::uint64_t>());
}

void read_head(TracyFile& file, TimelineSource& source) {
  Payload& payload = file.payload;
  if (!file.is_at_least(12, 3)) payload.skip(8);  // the profiler's delay
  payload.skip(8 + 8);                            // resolution, multiplier of the timer
  file.timeline.last_ns = kept_time(payload.read<std::uint64_t>());
  payload.skip(8);  // number of the first frame
  source.process = payload.read<std::uint64_t>();
  payload.skip(8 + 1 + 4 + 12 + 1);  // sampling, kind of processor, whether it was asked for on demand
  read_sized_text(payload);          // a name of the capture, which holds the time too
  source.program = read_sized_text(payload);
  constexpr std::uint64_t kNsPerS = 1'000'000'000;
  const auto captured_at_s = payload.read<std::uint64_t>();
  if (captured_at_s < INT64_MAX / kNsPerS) {
    source.captured_at_ns = static_cast<std::int64_t>(captured_at_s * kNsPerS);
    source.captured_within_ns = kNsPerS;
  }
  payload.skip(8);  // of the program's file
  source.host = read_sized_text(payload);
  if (source.host.ends_with(kSimulatedChipsMark)) {
    source.host.resize(source.host.size() - kSimulatedChipsMark.size());
    file.timeline.findings.push_back({.kind = FindingKind::kSimulatedChips, .file = source.path});
  }
  skip_topology(file, file.is_at_least(11, 2) ? 3 : 2);
  payload.skip(kCrashBytes);
}

void read_texts(TracyFile& file) {
  file.part = "texts";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    const auto address = payload.read<std::uint64_t>();
    const TextId text = file.timeline.texts.intern(read_sized_text(payload));
    if (!payload.is_whole()) return;
    file.strings.push_back(text);
    file.string_at.insert_or_assign(address, text);
  }
  file.part = "names";
  read_names(file, file.named);
  read_names(file, file.thread_names);
  payload.skip(payload.read<std::uint64_t>(), std::uint64_t{3} * 8);  // threads of other programs
  std::uint32_t number = 0;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.thread_numbers.insert_or_assign(payload.read<std::uint64_t>(), number++);
  }
  payload.skip(payload.read<std::uint64_t>(), 8);
}

void read_locations(TracyFile& file) {
  file.part = "source places";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    const auto address = payload.read<std::uint64_t>();
    file.static_places.insert_or_assign(address, read_location(file));
  }
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.place_addresses.push_back(payload.read<std::uint64_t>());
  }
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    file.dynamic_places.push_back(read_location(file));
  }
  for (int tables = 0; tables < 2; ++tables) payload.skip(payload.read<std::uint64_t>(), 2 + 8);  // counts
}

void read_locks(TracyFile& file, TimelineSource& source) {
  file.part = "locks";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    payload.skip(4 + 3 + 2 + 1 + 1 + 8 + 8);
    payload.skip(payload.read<std::uint64_t>(), 8);
    const auto events = payload.read<std::uint64_t>();
    payload.skip(events, 8 + 2 + 1 + 1);
    if (payload.is_whole()) source.not_kept += events;
  }
}

void read_extras(TracyFile& file) {
  file.part = "texts of zones";
  Payload& payload = file.payload;
  for (auto count = payload.read<std::uint64_t>(); count > 0 && payload.is_whole(); --count) {
    payload.skip(3);  // call stack
    ZoneDetail detail;
    detail.text = file.read_text_number();
    detail.name = file.read_text_number();
    detail.color = payload.read_24();
    if (!payload.is_whole()) return;
    if (detail == ZoneDetail{}) {
      file.extras.push_back(0);
    } else {
      file.timeline.details.push_back(detail);
      file.extras.push_back(static_cast<std::uint32_t>(file.timeline.details.size() - 1));
    }
  }
}

}  // namespace ttscope::timeline
