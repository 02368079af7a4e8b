#include "timeline/read/host_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/csv.h"
#include "base/number_text.h"
#include "io/message_table.h"

namespace ttscope::timeline {
namespace {

struct HostZone {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint32_t location = 0;
  std::uint32_t detail = 0;
};

/// The zones of one thread, nested by their times.
void add_thread(std::uint64_t thread, std::vector<HostZone> zones, std::uint32_t group, Timeline& timeline) {
  std::stable_sort(zones.begin(), zones.end(), [](const HostZone& a, const HostZone& b) {
    return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
  });
  Track track;
  track.name = timeline.texts.intern(fmt::format("thread {}", thread));
  track.group = group;
  track.id = thread;
  track.number = static_cast<std::uint32_t>(thread);
  track.first_zone = timeline.zones.size();
  std::vector<std::int64_t> ends;
  for (const HostZone& zone : zones) {
    while (!ends.empty() && (ends.back() <= zone.start_ns || ends.back() < zone.end_ns)) ends.pop_back();
    timeline.zones.open(zone.start_ns, zone.location, zone.detail, ends.size());
    timeline.zones.end_ns.back() = zone.end_ns;
    track.most_depth = std::max(track.most_depth, timeline.zones.depth.back());
    ends.push_back(zone.end_ns);
  }
  track.zone_count = timeline.zones.size() - track.first_zone;
  timeline.tracks.push_back(track);
}

/// Places and texts of the table, each once.
class HostPlaces {
 public:
  explicit HostPlaces(Timeline& timeline) : timeline_(timeline) {}

  std::uint32_t location(std::string_view name, std::string_view file, std::string_view line) {
    Location place;
    place.name = timeline_.texts.intern(name);
    place.file = timeline_.texts.intern(file);
    place.line = static_cast<std::uint32_t>(parse_unsigned(line).value_or(0));
    const auto [found, is_new] =
        locations_.try_emplace(fmt::format("{},{},{}", place.name, place.file, place.line),
                               static_cast<std::uint32_t>(timeline_.locations.size()));
    if (is_new) timeline_.locations.push_back(place);
    return found->second;
  }

  std::uint32_t detail(std::string_view name, std::string_view text) {
    if (name.empty() && text.empty()) return 0;
    ZoneDetail detail;
    detail.name = timeline_.texts.intern(name);
    detail.text = timeline_.texts.intern(text);
    const auto [found, is_new] = details_.try_emplace(std::uint64_t{detail.name} << 32 | detail.text,
                                                      static_cast<std::uint32_t>(timeline_.details.size()));
    if (is_new) timeline_.details.push_back(detail);
    return found->second;
  }

 private:
  Timeline& timeline_;
  std::unordered_map<std::string, std::uint32_t> locations_;
  std::unordered_map<std::uint64_t, std::uint32_t> details_;
};

}  // namespace

void add_host_times(std::string_view csv, std::uint32_t group, Timeline& timeline) {
  CsvScanner scanner(csv);
  if (!scanner.next()) return;
  const CsvHeader header(scanner.cells());
  const std::size_t name = header.find("name");
  const std::size_t file = header.find("src_file");
  const std::size_t line = header.find("src_line");
  const std::size_t own_name = header.find("zone_name");
  const std::size_t text = header.find("zone_text");
  const std::size_t start = header.find("ns_since_start");
  const std::size_t length = header.find("exec_time_ns");
  const std::size_t thread = header.find("thread");
  HostPlaces places(timeline);
  std::map<std::uint64_t, std::vector<HostZone>> threads;
  while (scanner.next()) {
    const auto from = parse_ticks(scanner.cell(start));
    const auto lasts = parse_ticks(scanner.cell(length));
    if (!from || !lasts || *lasts < 0) {
      timeline.problems.add(TimelineProblem::kRowUnreadable,
                            fmt::format("table of zones, line {}", scanner.line()));
      continue;
    }
    threads[parse_unsigned(scanner.cell(thread)).value_or(0)].push_back(
        {*from, *from + *lasts, places.location(scanner.cell(name), scanner.cell(file), scanner.cell(line)),
         places.detail(scanner.cell(own_name), scanner.cell(text))});
  }
  for (auto& [id, zones] : threads) add_thread(id, std::move(zones), group, timeline);
}

void add_host_messages(std::string_view csv, Timeline& timeline) {
  io::MessageTable table(csv);
  while (table.next()) {
    const io::MessageRow& row = table.row();
    const auto time = parse_ticks(row.time);
    if (!time) {
      timeline.problems.add(TimelineProblem::kRowUnreadable,
                            fmt::format("table of messages, line {}", row.line));
      continue;
    }
    // Backticks around a message are part of it.
    timeline.messages.push_back({*time, timeline.texts.intern(row.written), kNone, 0});
  }
  std::stable_sort(timeline.messages.begin(), timeline.messages.end(),
                   [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
}

}  // namespace ttscope::timeline
