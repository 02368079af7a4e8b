// Declared in table_source.h, as all tables of this folder are.
#include <fmt/format.h>

#include "perf/tables/table_source.h"

namespace ttscope::perf {

const table::TableOf<TableSource>& markers_spec() {
  using Source = TableSource;
  static const auto kSpec = table::table_of<Source>(
      "markers",
      "A marker of saved profiler buffers as it is stored in DRAM; only where such buffers were read",
      {
          table::column<Source>(
              "core_x", "", "NOC0 coordinate of the core",
              [](const Source& source, std::size_t row) { return source.markers[row].core->x; }),
          table::column<Source>(
              "core_y", "", "NOC0 coordinate of the core",
              [](const Source& source, std::size_t row) { return source.markers[row].core->y; }),
          table::column<Source>("risc", "", "Processor in whose buffer it lies",
                                [](const Source& source, std::size_t row) -> const std::string& {
                                  return source.markers[row].processor->name;
                                }),
          table::column<Source>("host_id", "",
                                "Program id in the header before it; null where that was overwritten",
                                [](const Source& source, std::size_t row) {
                                  const RawEntry& entry = source.markers[row];
                                  return host_id_of(entry.processor->dram, *entry.marker);
                                }),
          table::column<Source>(
              "kind", "", "ZONE_START, ZONE_END, ZONE_TOTAL, TS_DATA, TS_EVENT or TS_DATA_16B",
              [](const Source& source, std::size_t row) { return key_of(source.markers[row].marker->kind); }),
          table::column<Source>(
              "id", "", "16-bit id of the zone or event",
              [](const Source& source, std::size_t row) { return source.markers[row].marker->id; }),
          table::column<Source>("zone", "", "Name that the id stands for",
                                [](const Source& source, std::size_t row) {
                                  return known(source.owner->raw->name_of(*source.markers[row].marker));
                                }),
          table::column<Source>("time_cycles", "cycles",
                                "Device clock, uncorrected; a sum has none (measured)",
                                [](const Source& source, std::size_t row) -> std::optional<std::uint64_t> {
                                  const RawMarker& marker = *source.markers[row].marker;
                                  return marker.has_time() ? std::optional(marker.time) : std::nullopt;
                                }),
          table::column<Source>("sum_cycles", "cycles", "Sum of a ZONE_TOTAL (measured)",
                                [](const Source& source, std::size_t row) -> std::optional<std::uint64_t> {
                                  const RawMarker& marker = *source.markers[row].marker;
                                  return marker.has_time() ? std::nullopt : std::optional(marker.data[0]);
                                }),
          table::column<Source>("data_hex", "", "Payload of TS_DATA, 64 bits; of TS_DATA_16B the first half",
                                [](const Source& source, std::size_t row) -> std::optional<std::string> {
                                  const RawMarker& marker = *source.markers[row].marker;
                                  if (marker.kind != MarkerKind::kData && marker.kind != MarkerKind::kData16)
                                    return std::nullopt;
                                  return fmt::format("{:#x}", marker.data[0]);
                                }),
          table::column<Source>(
              "word", "", "Where it begins in the region of its processor",
              [](const Source& source, std::size_t row) { return source.markers[row].marker->word; }),
          table::column<Source>("suspicion", "",
                                "Why it must not be believed: time, stale, header or placed; null: it may be",
                                [](const Source& source, std::size_t row) {
                                  return known(key_of(source.markers[row].marker->suspicion));
                                }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
