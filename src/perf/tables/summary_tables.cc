#include <array>
#include <optional>

#include "perf/tables/tables.h"

namespace ttscope::perf {

const table::TableOf<TableSource>& advice_spec() {
  using Source = const TableSource&;
  static const auto kSpec = table::table_of<TableSource>(
      "advice", "One thing to change; largest gain first",
      {
          table::column<TableSource>(
              "advice", "", "What to change, as a word for programs such as `use_trace`",
              [](Source source, std::size_t row) { return key_of(source.analysis.advice[row].cause); }),
          table::column<TableSource>(
              "severity", "", "critical from 15 % of the counted time on, warning from 2 %, else ok",
              [](Source source, std::size_t row) { return name_of(source.analysis.advice[row].severity); }),
          table::column<TableSource>("op", "",
                                     "Op at fault, with its shapes where it is a matmul; empty: several",
                                     [](Source source, std::size_t row) -> std::optional<std::string_view> {
                                       const std::uint32_t kind = source.analysis.advice[row].kind;
                                       if (kind == kNone) return std::nullopt;
                                       return std::string_view(source.analysis.ops.facts[kind].label);
                                     }),
          table::column<TableSource>("device", "", "Device at fault; empty: all alike",
                                     [](Source source, std::size_t row) -> std::optional<std::int32_t> {
                                       const std::int32_t device = source.analysis.advice[row].device;
                                       return device < 0 ? std::nullopt : std::optional(device);
                                     }),
          table::column<TableSource>(
              "gain_us", "us",
              "By how much the wall time becomes shorter over the gains before it; they can be added",
              [](Source source, std::size_t row) { return source.analysis.advice[row].gain_us; }),
          table::column<TableSource>(
              "measured_us", "us", "What its rows, or the gaps before them, take now",
              [](Source source, std::size_t row) { return source.analysis.advice[row].measured_us; }),
          table::column<TableSource>(
              "target_us", "us", "What they would take",
              [](Source source, std::size_t row) { return source.analysis.advice[row].target_us; }),
          table::column<TableSource>(
              "basis", "", "How sure the gain is: measured, derived or modelled",
              [](Source source, std::size_t row) { return key_of(source.analysis.advice[row].basis); }),
          table::column<TableSource>(
              "rows", "", "Rows of the shown table that say so",
              [](Source source, std::size_t row) { return source.analysis.advice[row].row_count; }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& bounds_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "bounds", "The shown ops by what limits them; device times add up to that of the table",
      {
          table::column<TableSource>(
              "bound", "", "What limits the ops: compute, dram, noc, link, dispatch, host or unknown",
              [](const TableSource&, std::size_t row) { return key_of(static_cast<OpLimit>(row)); }),
          table::column<TableSource>("ops", "", "Rows of the shown table",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.bounds.totals[row].rows;
                                     }),
          table::column<TableSource>("device_us", "us", "Their device time (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.bounds.totals[row].device_us;
                                     }),
          table::column<TableSource>(
              "ideal_us", "us",
              "Their time at the peak of what limits them, of those that have one (modelled)",
              [](const TableSource& source, std::size_t row) {
                return source.analysis.bounds.totals[row].ideal_us > 0
                           ? source.analysis.bounds.totals[row].ideal_us
                           : kNoNumber;
              }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& categories_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "categories", "The shown ops by what they do, longest device time first",
      {
          table::column<TableSource>("category", "",
                                     "What ops mainly do: Compute, CCL, TM, DM, Host or Other",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.analysis.categories[row].name);
                                     }),
          table::column<TableSource>(
              "ops", "", "Rows of the shown table",
              [](const TableSource& source, std::size_t row) { return source.analysis.categories[row].ops; }),
          table::column<TableSource>("device_us", "us", "Their device time (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.categories[row].device_us;
                                     }),
          table::column<TableSource>("percent", "percent", "Share of the device time of all (derived)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.categories[row].percent;
                                     }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& signposts_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "signposts", "A mark of the user",
      {
          table::ascending(
              table::column<TableSource>("id", "", "Row of the signpost in a spreadsheet of the report",
                                         [](const TableSource& source, std::size_t row) {
                                           return source.report.rows[source.signpost_rows[row]].id;
                                         })),
          table::column<TableSource>(
              "name", "", "Name that the program gave the signpost",
              [](const TableSource& source, std::size_t row) {
                return source.report.text(
                    source.report.kind_of(source.report.rows[source.signpost_rows[row]]).op_code);
              }),
          table::column<TableSource>(
              "message", "", "What the user wrote behind it",
              [](const TableSource& source, std::size_t row) {
                return known(source.report.text(
                    source.report.kind_of(source.report.rows[source.signpost_rows[row]]).attributes));
              }),
          table::column<TableSource>("start_ns", "ns", "When, on the clock of the host (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.report.rows[source.signpost_rows[row]].host_start_ns;
                                     }),
          table::column<TableSource>(
              "host", "", "Name of the host, where several reports were read",
              [](const TableSource& source, std::size_t row) {
                return source.report.rows[source.signpost_rows[row]].file < source.report.hosts.size()
                           ? known(source.report.hosts[source.report.rows[source.signpost_rows[row]].file])
                           : std::nullopt;
              }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& problems_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "problems", "Something that is missing, damaged or was repaired",
      {
          table::column<TableSource>(
              "source", "", "Where it was met: in the report or in the files of the capture",
              [](const TableSource& source, std::size_t row) { return source.problems[row].source; }),
          table::column<TableSource>(
              "problem", "", "What it is, as a word for programs",
              [](const TableSource& source, std::size_t row) { return source.problems[row].key; }),
          table::column<TableSource>(
              "what", "", "The same as a sentence",
              [](const TableSource& source, std::size_t row) { return source.problems[row].what; }),
          table::column<TableSource>(
              "count", "", "How often it was met",
              [](const TableSource& source, std::size_t row) { return source.problems[row].count; }),
          table::column<TableSource>(
              "harmless", "", "Whether nothing is missing because of it",
              [](const TableSource& source, std::size_t row) { return source.problems[row].harmless; }),
          table::column<TableSource>("first_places", "", "The first places, separated by `; `",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.problems[row].places);
                                     }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& inputs_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "inputs", "A report that was read, or the capture that it was made of",
      {
          table::column<TableSource>("path", "", "File or folder as typed",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.report.files[row]);
                                     }),
          table::column<TableSource>(
              "host", "", "Name of the host, where there are several",
              [](const TableSource& source, std::size_t row) { return known(source.report.hosts[row]); }),
      });
  return kSpec;
}

const table::TableOf<TableSource>& notes_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "notes",
      "What is to be known about how the shown table was made; reports and JSON say the same in sentences",
      {
          table::column<TableSource>("note", "", "What it is, as a word for programs",
                                     [](const TableSource& source, std::size_t row) {
                                       return key_of(source.analysis.ops.notes[row].kind);
                                     }),
          table::column<TableSource>("is_warning", "", "Whether figures are less sure because of it",
                                     [](const TableSource& source, std::size_t row) {
                                       return is_warning(source.analysis.ops.notes[row].kind);
                                     }),
          table::column<TableSource>("names", "", "Signposts, ops, columns that it names, separated by `; `",
                                     [](const TableSource& source, std::size_t row) {
                                       std::string list;
                                       for (const std::string& name : source.analysis.ops.notes[row].names)
                                         list.append(list.empty() ? "" : "; ").append(name);
                                       return list.empty() ? std::optional<std::string>() : list;
                                     }),
          table::column<TableSource>(
              "figures", "", "Its numbers, separated by `; `",
              [](const TableSource& source, std::size_t row) {
                std::string list;
                for (const double figure : source.analysis.ops.notes[row].figures)
                  list.append(list.empty() ? "" : "; ").append(std::to_string(std::llround(figure)));
                return list.empty() ? std::optional<std::string>() : list;
              }),
      });
  return kSpec;
}

namespace {

const IterationTime& time_at(const TableSource& source, std::size_t row) {
  return source.analysis.iterations.times[row];
}

const IterationSeries& series_at(const TableSource& source, std::size_t row) {
  return source.analysis.iterations.series[time_at(source, row).series];
}

const PathPart& part_at(const TableSource& source, std::size_t row) {
  return source.analysis.ops.path.parts[row];
}

/// Of a merged op that of the device which is shown, as a row of the report.
std::uint32_t shown_row_of(const TableSource& source, std::size_t row) {
  const std::uint32_t place = source.shown_of[part_at(source, row).row];
  return place == kNone ? part_at(source, row).row : source.analysis.ops.rows[place].row;
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
                                       return key_of(source.analysis.iterations.series[row].kind);
                                     }),
          table::column<TableSource>("name", "", "Number of the trace, or text of the signpost",
                                     [](const TableSource& source, std::size_t row) {
                                       return std::string_view(source.analysis.iterations.series[row].name);
                                     }),
          table::column<TableSource>("count", "", "How often it was repeated",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.iterations.series[row].count;
                                     }),
          table::column<TableSource>("cut", "",
                                     "How many of them lack ops that others have; they are in no mean",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.iterations.series[row].cut;
                                     }),
          table::column<TableSource>(
              "mean_ns", "ns", "Mean of the wall times, each that of the device that took longest (measured)",
              [](const TableSource& source, std::size_t row) {
                return source.analysis.iterations.series[row].mean_ns;
              }),
          table::column<TableSource>("spread_ns", "ns", "Their standard deviation; null for a single one",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.iterations.series[row].spread_ns;
                                     }),
          table::column<TableSource>("least_ns", "ns", "The shortest of them (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.iterations.series[row].min_ns;
                                     }),
          table::column<TableSource>("most_ns", "ns", "The longest of them (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.iterations.series[row].max_ns;
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
                                           source.analysis.ops.facts[source.report.rows[shown].kind].label);
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

std::string_view sentence_of(GapCause cause) {
  constexpr std::array<std::string_view, kGapCauseCount> kSentences = {
      "usual launches, up to 6.5 μs",
      "first run of a program (cache miss or compile)",
      "host dispatch: the op was sent late",
      "inside a replayed trace",
      "host sync or other host work (read-back, start of a replay, ops on the host)",
      "unknown: the host had sent the op in time, or what is recorded does not tell",
      "no gap: ops ran here that the report lacks (lost markers, or a replay that is not whole)",
  };
  return kSentences[static_cast<std::size_t>(cause)];
}

const table::TableOf<TableSource>& gaps_spec() {
  static const auto kSpec = table::table_of<TableSource>(
      "gaps", "The gaps of the shown ops by their cause (derived); they add up to those of the table",
      {
          table::column<TableSource>(
              "cause", "",
              "Why the device waited: launch, compile, dispatch, trace, sync, unknown or missing_ops",
              [](const TableSource&, std::size_t row) { return key_of(static_cast<GapCause>(row)); }),
          table::column<TableSource>(
              "what", "", "The same as a sentence",
              [](const TableSource&, std::size_t row) { return sentence_of(static_cast<GapCause>(row)); }),
          table::column<TableSource>("ops", "", "Rows of the shown table",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.gaps.totals[row].rows;
                                     }),
          table::column<TableSource>("gap_us", "us", "Their gaps (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.analysis.gaps.totals[row].gap_us;
                                     }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
