// Declared in table_source.h, as all tables of this folder are.
#include "perf/tables/table_source.h"

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
                return source.report.rows[source.reading.ops.rows[source.reading.skew.groups[row].row].row]
                    .id;
              }),
          table::column<TableSource>(
              "label", "", "Name and size of the op",
              [](const TableSource& source, std::size_t row) {
                return std::string_view(
                    source.reading.ops
                        .facts_of(source.report, source.reading.ops.rows[source.reading.skew.groups[row].row])
                        .label);
              }),
          table::column<TableSource>("fastest_us", "us", "Device time on the fastest device (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.skew.groups[row].fastest_us;
                                     }),
          table::column<TableSource>("median_us", "us", "Median over devices (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.skew.groups[row].median_us;
                                     }),
          table::column<TableSource>("slowest_us", "us", "Device time on the slowest device (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.skew.groups[row].slowest_us;
                                     }),
          table::column<TableSource>("slowest_device", "", "That device",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.skew.groups[row].slowest_device;
                                     }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
