#include "perf/read/host_logs/side_files.h"

#include <string>

#include "base/csv_scanner.h"
#include "base/number_text.h"

namespace ttscope::perf {

std::map<std::uint32_t, double> read_sync_info(std::string_view text) {
  std::map<std::uint32_t, double> clocks;
  std::map<std::uint32_t, double> ratios;
  CsvScanner scanner(text);
  if (!scanner.next()) return clocks;
  const CsvHeader header(scanner.cells());
  const std::size_t device = header.find("device id");
  const std::size_t frequency = header.find("frequency");
  const std::size_t ratio = header.find("device_frequency_ratio");
  constexpr double kMhzPerGhz = 1000;
  double root_mhz = 0;
  while (scanner.next()) {
    const auto id = parse_unsigned(scanner.cell(device));
    const auto ghz = parse_number(scanner.cell(frequency));
    const auto relative = parse_number(scanner.cell(ratio));
    if (!id || *id > UINT32_MAX) continue;
    const auto number = static_cast<std::uint32_t>(*id);
    if (ghz && *ghz > 0) {
      clocks[number] = *ghz * kMhzPerGhz;
      root_mhz = clocks[number];
    } else if (relative && *relative > 0) {
      ratios[number] = *relative;
    }
  }
  // The ratio makes cycles of the device those of the root: a device with more of them has a smaller one.
  for (const auto& [number, relative] : ratios) {
    if (root_mhz > 0 && clocks.find(number) == clocks.end()) clocks[number] = root_mhz / relative;
  }
  return clocks;
}

SyncInfo read_sync_moments(std::string_view text) {
  SyncInfo info;
  CsvScanner scanner(text);
  if (!scanner.next()) return info;
  const CsvHeader header(scanner.cells());
  const std::size_t device = header.find("device id");
  const std::size_t cycles = header.find("device");
  const std::size_t ticks = header.find("host_tracy");
  const std::size_t start = header.find("host_start");
  const std::size_t ns_per_tick = header.find("tracy_ratio");
  const std::size_t base = header.find("tracy_base_time");
  const std::size_t ratio = header.find("device_frequency_ratio");
  const std::size_t shift = header.find("device_shift");
  while (scanner.next()) {
    const auto id = parse_unsigned(scanner.cell(device));
    if (!id || *id > UINT32_MAX) continue;
    const auto number = static_cast<std::uint32_t>(*id);
    const auto seen = parse_unsigned(scanner.cell(cycles));
    const auto sent = parse_unsigned(scanner.cell(ticks));
    const auto from = parse_unsigned(scanner.cell(start));
    const auto length = parse_number(scanner.cell(ns_per_tick));
    const auto zero = parse_unsigned(scanner.cell(base));
    const auto scale = parse_number(scanner.cell(ratio));
    const auto moved = parse_number(scanner.cell(shift));
    if (seen && sent && from && length && zero) {
      // Ticks count from the first exchange; the host's zones count from the base time.
      const auto since_base = static_cast<std::int64_t>(*sent + (*from - *zero));
      info.moments[number].push_back({*seen, static_cast<double>(since_base) * *length});
    } else if (scale && moved && *scale > 0) {
      info.shifts[number] = {*scale, *moved};
    }
  }
  return info;
}

std::uint16_t zone_marker_id(std::string_view zone) {
  std::uint32_t hash = 2166136261u;
  for (const char c : zone) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<std::uint16_t>((hash >> 16) ^ (hash & 0xffff));
}

/// `...note: '#pragma message: BRISC-FW,/opt/brisc.cc,412,KERNEL_PROFILER'`
void find_zone_collisions(std::string_view text, PerfProblems& problems) {
  constexpr std::string_view kMark = "#pragma message: ";
  constexpr std::string_view kEnd = ",KERNEL_PROFILER";
  std::map<std::uint16_t, std::string> zones;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    std::string_view line = text.substr(0, line_end);
    text = line_end == std::string_view::npos ? std::string_view{} : text.substr(line_end + 1);
    if (const std::size_t mark = line.find(kMark); mark != std::string_view::npos)
      line.remove_prefix(mark + kMark.size());
    const std::size_t end = line.find(kEnd);
    if (end == std::string_view::npos) continue;
    const std::string zone(line.substr(0, end + kEnd.size()));
    const auto [known, is_new] = zones.try_emplace(zone_marker_id(zone), zone);
    if (!is_new && known->second != zone) {
      problems.add(PerfProblem::kZoneHashCollision, known->second.substr(0, known->second.find(',')) +
                                                        " and " + zone.substr(0, zone.find(',')));
    }
  }
}

}  // namespace ttscope::perf
