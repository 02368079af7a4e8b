// profile_log_device.csv and zone_src_locations.log; declared in capture_files.h.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "perf/model/counter_names.h"
#include "perf/write/capture/capture_files.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, trace id counter, zone name, type, source line, source file, meta data\n";

/// Where a capture does not say it: the clock that the simulators of the field count in.
constexpr double kUnknownClockMhz = 1000;

/// The log has no quotes: a comma in a name would move all that follows.
std::string cell(std::string_view text) {
  std::string safe(text);
  std::replace_if(
      safe.begin(), safe.end(), [](char c) { return c == ',' || c == '\n' || c == '\r'; }, ';');
  return safe;
}

/// Bits of a NoC record of a debug dump: addresses in units of 16 bytes and what is below them.
std::uint64_t address_of(std::uint64_t packed) {
  constexpr std::uint64_t kUnits = 0x3FFFFF;
  return (packed & kUnits) << 4 | (packed >> 22 & 0xF);
}

std::string meta_of(const ReadOut& read, const ReadMarker& marker) {
  if (marker.kind == MarkerKind::kData16 && marker.id == kPerfCounterMarkerId) {
    const std::string_view name = counter_name(static_cast<std::uint32_t>(marker.data[1] & 0xFF));
    if (name.empty()) return {};
    return fmt::format(R"({{"counter type":"{}";"ref cnt":{};"value":{}}})", name, marker.data[0] >> 32,
                       marker.data[0] & 0xFFFFFFFF);
  }
  if (marker.kind == MarkerKind::kData16 && marker.id == kNocDebugEventId) {
    return fmt::format(R"({{"dst_addr":{};"noc_status_counter":{};"src_addr":{}}})",
                       address_of(marker.data[1]), marker.data[1] >> 52, address_of(marker.data[1] >> 26));
  }
  const auto place = read.sub_devices.find(marker.run_id);
  if (place == read.sub_devices.end()) return {};
  return fmt::format(R"({{"sub_device_id":{};"sub_device_manager_id":{}}})", place->second.sub_device,
                     place->second.manager);
}

void write_row(const ReadOut& read, const std::string& start, const ReadMarker& marker, Writer& out) {
  const auto zone = read.zones.find(marker.id);
  const bool is_named = zone != read.zones.end() && marker.kind != MarkerKind::kEvent;
  const MarkerKind kind = marker.kind == MarkerKind::kData16 ? MarkerKind::kData : marker.kind;
  out.write(fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{}\n", start, marker.id, marker.time & kTimerMask, marker.data[0],
      marker.run_id, marker.trace < 0 ? "," : fmt::format("{},{}", marker.trace, marker.replay),
      is_named ? cell(zone->second.name) : "", key_of(kind), is_named ? zone->second.line : 0,
      is_named ? cell(zone->second.file) : "", meta_of(read, marker)));
}

}  // namespace

void write_device_log_header(const ReadOut& first, Writer& out) {
  out.write(fmt::format("ARCH: {}, CHIP_FREQ[MHz]: {}, Max Compute Cores: {}\n", cell(first.arch),
                        first.clock_mhz > 0 ? first.clock_mhz : kUnknownClockMhz, first.compute_cores));
  out.write(kColumns);
}

void write_device_log_rows(const ReadOut& read, Writer& out) {
  for (const auto& [place, lane] : read.lanes) {
    const std::string start = fmt::format("{},{},{},{}", read.device, place.x, place.y, lane.risc);
    for (const ReadMarker& marker : lane.markers) write_row(read, start, marker, out);
  }
}

void write_zone_locations(const std::map<std::uint16_t, RawZone>& zones, Writer& out) {
  for (const auto& [id, zone] : zones) {
    out.write(fmt::format("'#pragma message: {},{},{},KERNEL_PROFILER'\n", cell(zone.name), cell(zone.file),
                          zone.line));
  }
}

}  // namespace ttscope::perf
