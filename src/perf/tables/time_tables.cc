// Declared in table_source.h, as all tables of this folder are.
#include "perf/tables/table_source.h"

namespace ttscope::perf {
namespace {

const IterationTime& time_at(const TableSource& source, std::size_t row) {
  return source.reading.iterations.times[row];
}

const IterationSeries& series_at(const TableSource& source, std::size_t row) {
  return source.reading.iterations.series[time_at(source, row).series];
}

const PathPart& part_at(const TableSource& source, std::size_t row) {
  return source.reading.ops.path.parts[row];
}

/// Of a merged op that of the device which is shown, as a row of the report.
std::uint32_t shown_row_of(const TableSource& source, std::size_t row) {
  const std::uint32_t place = source.shown_of[part_at(source, row).row];
  return place == kNone ? part_at(source, row).row : source.reading.ops.rows[place].row;
}

std::optional<std::int32_t> known_device(std::int32_t device) {
  return device < 0 ? std::nullopt : std::optional(device);
}

}  // namespace

const table::TableOf<TableSource>& iteration_series_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "iteration_series", "A part of the run that was repeated; each time is a row of `iterations`",
      {
          table::column<TableSource>("kind", "", "What is repeated: `replay` of a trace or `signpost`",
                                     [](const TableSource& source, std::size_t row) {
                                       return key_of(source.reading.iterations.series[row].kind);
                                     }),
          table::column<TableSource>("name", "", "Number of the trace, or text of the signpost",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.reading.iterations.series[row].name);
                                     }),
          table::column<TableSource>("count", "", "How often it was repeated",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.iterations.series[row].count;
                                     }),
          table::column<TableSource>("cut", "",
                                     "How many of them lack ops that others have; they are in no mean",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.iterations.series[row].cut;
                                     }),
          table::column<TableSource>(
              "mean_ns", "ns", "Mean of the wall times, each that of the device that took longest (measured)",
              [](const TableSource& source, std::size_t row) {
                return source.reading.iterations.series[row].mean_ns;
              }),
          table::column<TableSource>("spread_ns", "ns", "Their standard deviation; null for a single one",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.iterations.series[row].spread_ns;
                                     }),
          table::column<TableSource>("least_ns", "ns", "The shortest of them (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.iterations.series[row].least_ns;
                                     }),
          table::column<TableSource>("most_ns", "ns", "The longest of them (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.iterations.series[row].most_ns;
                                     }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& iterations_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "iterations", "One of the times that a part of the run was repeated, on one device",
      {
          table::column<TableSource>(
              "kind", "", "What is repeated: `replay` of a trace or `signpost`",
              [](const TableSource& source, std::size_t row) { return key_of(series_at(source, row).kind); }),
          table::column<TableSource>("name", "", "Number of the trace, or text of the signpost",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(series_at(source, row).name);
                                     }),
          table::column<TableSource>(
              "number", "", "Which one of its series, from 0",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).number; }),
          table::column<TableSource>("device", "", "Device id; over several hosts the numbers go on",
                                     [](const TableSource& source, std::size_t row) {
                                       return known_device(time_at(source, row).device);
                                     }),
          table::column<TableSource>("first_id", "", "Its first op: `id` in `ops`",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.report.rows[time_at(source, row).first_row].id;
                                     }),
          table::column<TableSource>(
              "is_cut", "", "Whether ops are missing that other replays of the trace have on this device",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).is_cut; }),
          table::column<TableSource>(
              "start_ns", "ns", "Its start since the first op of the window on any device (derived)",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).start_ns; }),
          table::column<TableSource>(
              "wall_ns", "ns", "From its first start to its last end (measured)",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).wall_ns; }),
          table::column<TableSource>(
              "busy_ns", "ns", "Part of that in which some op ran (measured)",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).busy_ns; }),
          table::column<TableSource>(
              "idle_ns", "ns", "The rest (measured)",
              [](const TableSource& source, std::size_t row) { return time_at(source, row).idle_ns(); }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& critical_path_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "critical_path",
      "A stretch of the path that decides how long the run takes, in order; they add up to its wall time",
      {
          table::column<TableSource>("device", "", "Device id; over several hosts the numbers go on",
                                     [](const TableSource& source, std::size_t row) {
                                       return known_device(part_at(source, row).device);
                                     }),
          table::column<TableSource>("id", "", "The op, of a gap the one behind it: `id` in `ops`",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.report.rows[part_at(source, row).row].id;
                                     }),
          table::column<TableSource>("shown_id", "",
                                     "The row that stands for it in the shown table: its `id`",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.report.rows[shown_row_of(source, row)].id;
                                     }),
          table::column<TableSource>("op", "", "Name and size of the op",
                                     [](const TableSource& source, std::size_t row) {
                                       const std::uint32_t shown = shown_row_of(source, row);
                                       return std::string_view(
                                           source.reading.ops.facts[source.report.rows[shown].kind].label);
                                     }),
          table::column<TableSource>(
              "kind", "", "What it is: `op`, `collective` or `gap`",
              [](const TableSource& source, std::size_t row) { return key_of(part_at(source, row).kind); }),
          table::column<TableSource>(
              "duration_us", "us", "How long it is (derived)",
              [](const TableSource& source, std::size_t row) { return part_at(source, row).us; }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
