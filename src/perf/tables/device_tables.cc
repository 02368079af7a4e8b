#include <fmt/format.h>

#include "perf/tables/tables.h"

namespace ttscope::perf {

const table::TableOf<TableSource>& devices_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "devices", "A device of the report",
      {
          table::ascending(table::column<TableSource>(
              "device", "", "Device id; over several hosts the numbers go on",
              [](const TableSource& source, std::size_t row) { return source.devices[row].device; })),
          table::column<TableSource>("host", "", "Name of the host, where there are several",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.host_of(
                                           source.report.rows[source.devices[row].first_row]);
                                     }),
          table::column<TableSource>(
              "arch", "", "Architecture as recorded",
              [](const TableSource& source, std::size_t row) {
                return known(source.report.text(
                    source.report.kind_of(source.report.rows[source.devices[row].first_row]).arch));
              }),
          table::column<TableSource>(
              "ops", "", "Rows of the report on this device",
              [](const TableSource& source, std::size_t row) { return source.devices[row].ops; }),
          table::column<TableSource>(
              "kernel_duration_ns", "ns", "Kernel durations of all its rows added up (measured)",
              [](const TableSource& source, std::size_t row) { return source.devices[row].kernel_ns; }),
          table::column<TableSource>(
              "op_to_op_ns", "ns", "Gaps of all its rows added up (measured)",
              [](const TableSource& source, std::size_t row) { return source.devices[row].gap_ns; }),
          table::column<TableSource>("wall_ns", "ns",
                                     "From the first start to the last end of the shown ops on it "
                                     "(measured); null where none says when "
                                     "it ran",
                                     [](const TableSource& source, std::size_t row) {
                                       const DeviceLane* lane = source.devices[row].lane;
                                       return lane == nullptr ? kNoNumber : lane->wall_ns;
                                     }),
          table::column<TableSource>("busy_ns", "ns", "Part of that in which some op ran (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       const DeviceLane* lane = source.devices[row].lane;
                                       return lane == nullptr ? kNoNumber : lane->busy_ns;
                                     }),
          table::column<TableSource>(
              "shown_device_us", "us",
              "Device time of the shown ops on it (measured); null where there is one device",
              [](const TableSource& source, std::size_t row) {
                return source.devices[row].skew == nullptr ? kNoNumber : source.devices[row].skew->device_us;
              }),
          table::column<TableSource>(
              "collective_us", "us",
              "Part of that in collectives, waiting for the others included (measured)",
              [](const TableSource& source, std::size_t row) {
                return source.devices[row].skew == nullptr ? kNoNumber
                                                           : source.devices[row].skew->collective_us;
              }),
          table::column<TableSource>(
              "collective_overlap_us", "us", "Part of the collectives during which other ops ran (derived)",
              [](const TableSource& source, std::size_t row) {
                return source.devices[row].skew == nullptr ? kNoNumber : source.devices[row].skew->overlap_us;
              }),
          table::column<TableSource>("behind_us", "us",
                                     "Time over the median of the same op on all devices, where it is "
                                     "slower; without collectives (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.devices[row].skew == nullptr
                                                  ? kNoNumber
                                                  : source.devices[row].skew->behind_us;
                                     }),
          table::column<TableSource>("slowest_ops", "",
                                     "In how many ops it is the slowest device; not collectives",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.devices[row].skew == nullptr
                                                  ? std::nullopt
                                                  : std::optional(source.devices[row].skew->slowest_ops);
                                     }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& cores_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "cores", "A core of a device; only where the device log of one capture was read",
      {
          table::column<TableSource>(
              "device", "", "Device id of the core that was measured",
              [](const TableSource& source, std::size_t row) { return source.owner->cores[row].device; }),
          table::column<TableSource>(
              "x", "", "Column of the core",
              [](const TableSource& source, std::size_t row) { return source.owner->cores[row].x; }),
          table::column<TableSource>(
              "y", "", "Row of the core",
              [](const TableSource& source, std::size_t row) { return source.owner->cores[row].y; }),
          table::column<TableSource>(
              "busy_cycles", "cycles",
              "From the first kernel start to the last kernel end, over all executions (measured)",
              [](const TableSource& source, std::size_t row) {
                return source.owner->cores[row].busy_cycles;
              }),
          table::column<TableSource>(
              "runs", "", "Executions that it took part in",
              [](const TableSource& source, std::size_t row) { return source.owner->cores[row].runs; }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& skewed_ops_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "skewed_ops",
      "An op that ran on several devices, collectives apart: how far apart they are; the largest losses come "
      "first",
      {
          table::column<TableSource>(
              "id", "", "Row of the op in a spreadsheet of the report",
              [](const TableSource& source, std::size_t row) {
                return source.report.rows[source.analysis.ops.rows[source.analysis.skew.groups[row].row].row]
                    .id;
              }),
          table::column<TableSource>(
              "label", "", "Name and size of the op",
              [](const TableSource& source, std::size_t row) {
                return std::string_view(
                    source.analysis.ops
                        .facts_of(source.report,
                                  source.analysis.ops.rows[source.analysis.skew.groups[row].row])
                        .label);
              }),
          table::column<TableSource>("fastest_us", "us", "Device time on the fastest device (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.skew.groups[row].fastest_us;
                                     }),
          table::column<TableSource>("median_us", "us", "Median over devices (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.skew.groups[row].median_us;
                                     }),
          table::column<TableSource>("slowest_us", "us", "Device time on the slowest device (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.skew.groups[row].slowest_us;
                                     }),
          table::column<TableSource>("slowest_device", "", "That device",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.skew.groups[row].slowest_device;
                                     }),
      });
  return kSpec;
}

namespace {

/// NaN without a clock.
double us_of(const TableSource& source, std::size_t row, std::uint64_t cycles) {
  const ZoneRow& entry = source.zones[row];
  const double clock_mhz = entry.zones->clock_of(entry.figures->device);
  return clock_mhz > 0 ? static_cast<double>(cycles) / clock_mhz : kNoNumber;
}

Columns zone_identity_columns() {
  return {
      table::column<TableSource>(
          "host", "", "Name of the host, where there are several",
          [](const TableSource& source, std::size_t row) { return known(source.zones[row].zones->host); }),
      table::column<TableSource>(
          "device", "", "Device id of the host",
          [](const TableSource& source, std::size_t row) { return (*source.zones[row].figures).device; }),
      table::column<TableSource>("risc", "", "Processor (RISC) of the core that ran the zone",
                                 [](const TableSource& source, std::size_t row) {
                                   return std::string_view((*source.zones[row].figures).risc);
                                 }),
      table::column<TableSource>("zone", "", "Name of the zone",
                                 [](const TableSource& source, std::size_t row) {
                                   return std::string_view((*source.zones[row].figures).source.name);
                                 }),
      table::column<TableSource>("kind", "",
                                 "Whose time it is: firmware, kernel, user, dispatch, sync, profiler or sum; "
                                 "or a moment: data, event",
                                 [](const TableSource& source, std::size_t row) {
                                   return key_of((*source.zones[row].figures).source.kind);
                                 }),
      table::column<TableSource>(
          "count", "", "Zones with both of their ends; of a sum its samples (measured)",
          [](const TableSource& source, std::size_t row) { return (*source.zones[row].figures).count; }),
      table::column<TableSource>(
          "cores", "", "Cores that it ran on",
          [](const TableSource& source, std::size_t row) { return (*source.zones[row].figures).cores; }),
      table::column<TableSource>(
          "executions", "", "Executions of ops that it occurs in",
          [](const TableSource& source, std::size_t row) { return (*source.zones[row].figures).executions; }),
  };
}

Columns zone_time_columns() {
  return {
      table::column<TableSource>("total_cycles", "cycles", "Time in the zone, added up over cores (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return (*source.zones[row].figures).total_cycles;
                                 }),
      table::column<TableSource>("total_us", "us", "The same by the clock of the device (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return us_of(source, row, (*source.zones[row].figures).total_cycles);
                                 }),
      table::column<TableSource>("self_cycles", "cycles",
                                 "Without the zones inside of it (measured); null for sums",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_self()
                                              ? std::nullopt
                                              : std::optional((*source.zones[row].figures).self_cycles);
                                 }),
      table::column<TableSource>("self_us", "us", "The same by the clock of the device (derived)",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_self()
                                              ? kNoNumber
                                              : us_of(source, row, (*source.zones[row].figures).self_cycles);
                                 }),
      table::column<TableSource>(
          "self_percent", "percent", "Share of the zone time of its processors (derived)",
          [](const TableSource& source, std::size_t row) {
            return !(*source.zones[row].figures).has_self()
                       ? kNoNumber
                       : 100 * source.zones[row].zones->stats.self_share((*source.zones[row].figures));
          }),
  };
}

Columns zone_length_columns() {
  return {
      table::column<TableSource>("mean_cycles", "cycles", "Mean length (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_lengths()
                                              ? kNoNumber
                                              : (*source.zones[row].figures).mean_cycles();
                                 }),
      table::column<TableSource>("p50_cycles", "cycles", "Median length, within 2 % (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_lengths()
                                              ? kNoNumber
                                              : (*source.zones[row].figures).p50_cycles;
                                 }),
      table::column<TableSource>(
          "p99_cycles", "cycles", "99 % of the zones are not longer, within 2 % (measured)",
          [](const TableSource& source, std::size_t row) {
            return !(*source.zones[row].figures).has_lengths() ? kNoNumber
                                                               : (*source.zones[row].figures).p99_cycles;
          }),
      table::column<TableSource>("min_cycles", "cycles", "Shortest one (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_lengths()
                                              ? std::nullopt
                                              : std::optional((*source.zones[row].figures).min_cycles);
                                 }),
      table::column<TableSource>("max_cycles", "cycles", "Longest one (measured)",
                                 [](const TableSource& source, std::size_t row) {
                                   return !(*source.zones[row].figures).has_lengths()
                                              ? std::nullopt
                                              : std::optional((*source.zones[row].figures).max_cycles);
                                 }),
      table::column<TableSource>(
          "min_value", "", "Least value of a data marker; null for all else (measured)",
          [](const TableSource& source, std::size_t row) {
            const ZoneFigures& figures = *source.zones[row].figures;
            return figures.source.kind == ZoneKind::kData ? std::optional(figures.min_value) : std::nullopt;
          }),
      table::column<TableSource>(
          "max_value", "", "Largest value of a data marker; null for all else (measured)",
          [](const TableSource& source, std::size_t row) {
            const ZoneFigures& figures = *source.zones[row].figures;
            return figures.source.kind == ZoneKind::kData ? std::optional(figures.max_value) : std::nullopt;
          }),
      table::column<TableSource>("unmatched_starts", "", "Starts without an end; they do not count",
                                 [](const TableSource& source, std::size_t row) {
                                   return (*source.zones[row].figures).unmatched_starts;
                                 }),
      table::column<TableSource>("unmatched_ends", "", "Ends without a start",
                                 [](const TableSource& source, std::size_t row) {
                                   return (*source.zones[row].figures).unmatched_ends;
                                 }),
      table::column<TableSource>("source_file", "", "File of the kernel",
                                 [](const TableSource& source, std::size_t row) {
                                   return known((*source.zones[row].figures).source.file);
                                 }),
      table::column<TableSource>("source_line", "", "Line in it, as recorded",
                                 [](const TableSource& source, std::size_t row) {
                                   return known((*source.zones[row].figures).source.line);
                                 }),
  };
}

}  // namespace

const table::TableOf<TableSource>& zones_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "zones", "A zone on the processors of one name of a device; only where zones were read",
      joined({zone_identity_columns(), zone_time_columns(), zone_length_columns()}));
  return kSpec;
}

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

namespace {

/// An id that is -1 where there is none.
std::optional<std::int64_t> known_id(std::int64_t id) { return id < 0 ? std::nullopt : std::optional(id); }

}  // namespace

const table::TableOf<TableSource>& noc_traces_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "noc_traces",
      "The transfers of one execution over the network on chip; only where NoC traces were read, most bytes "
      "first",
      {
          table::column<TableSource>("op", "", "Name of the op, as the trace has it",
                                     [](const TableSource& source, std::size_t row) {
                                       return known(source.noc_traces[row]->op_name);
                                     }),
          table::column<TableSource>(
              "call_count", "", "Number of the op's call, as in `ops`",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->key.op_id; }),
          table::column<TableSource>(
              "device", "", "Device id of the host",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->key.device; }),
          table::column<TableSource>("trace_id", "", "Trace that was replayed; null where none was",
                                     [](const TableSource& source, std::size_t row) {
                                       return known_id(source.noc_traces[row]->key.trace);
                                     }),
          table::column<TableSource>("transfers", "", "Transfers that were recorded (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_traces[row]->all.transfers;
                                     }),
          table::column<TableSource>(
              "bytes", "bytes", "Bytes of these transfers (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->all.bytes; }),
          table::column<TableSource>("cores", "", "Cores that began a transfer",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_traces[row]->by_core.size();
                                     }),
          table::column<TableSource>(
              "saturated", "",
              "Transfers of 8160 bytes, the most that an event can say: they may "
              "have been larger (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_traces[row]->saturated; }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& noc_transfers_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "noc_transfers", "The transfers of one type in a NoC trace; they add up to its row in `noc_traces`",
      {
          table::column<TableSource>("call_count", "", "Number of the op's call, as in `ops`",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].trace->key.op_id;
                                     }),
          table::column<TableSource>("device", "", "Device id of the host",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].trace->key.device;
                                     }),
          table::column<TableSource>(
              "type", "",
              "Type of the transfers as recorded: READ, WRITE_, FABRIC_UNICAST_WRITE and the like",
              [](const TableSource& source, std::size_t row) { return source.noc_types[row].type; }),
          table::column<TableSource>("transfers", "", "Transfers of this type (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.noc_types[row].count.transfers;
                                     }),
          table::column<TableSource>(
              "bytes", "bytes", "Bytes of these transfers (measured)",
              [](const TableSource& source, std::size_t row) { return source.noc_types[row].count.bytes; }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
