// Declared in table_source.h, as all tables of this folder are.
#include "perf/tables/table_source.h"

namespace ttscope::perf {
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
            return figures.source.kind == ZoneKind::kData ? std::optional(figures.least_value) : std::nullopt;
          }),
      table::column<TableSource>(
          "max_value", "", "Largest value of a data marker; null for all else (measured)",
          [](const TableSource& source, std::size_t row) {
            const ZoneFigures& figures = *source.zones[row].figures;
            return figures.source.kind == ZoneKind::kData ? std::optional(figures.most_value) : std::nullopt;
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

}  // namespace ttscope::perf
