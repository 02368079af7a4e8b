// Declared in table_source.h, as all tables of this folder are.
#include "perf/tables/table_source.h"

#include <optional>

namespace ttscope::perf {

const table::TableOf<TableSource>& advice_spec() {
  using Source = const TableSource&;
  static const auto kSpec = table::table_of<TableSource>(
      "advice", "One thing to change; largest gain first",
      {
          table::column<TableSource>(
              "advice", "", "What to change, as a word for programs such as `use_trace`",
              [](Source source, std::size_t row) { return key_of(source.reading.advice[row].cause); }),
          table::column<TableSource>(
              "severity", "", "critical from 15 % of the counted time on, warning from 2 %, else ok",
              [](Source source, std::size_t row) { return name_of(source.reading.advice[row].severity); }),
          table::column<TableSource>("op", "",
                                     "Op at fault, with its shapes where it is a matmul; empty: several",
                                     [](Source source, std::size_t row) -> std::optional<std::string_view> {
                                       const std::uint32_t kind = source.reading.advice[row].kind;
                                       if (kind == kNone) return std::nullopt;
                                       return std::string_view(source.reading.ops.facts[kind].label);
                                     }),
          table::column<TableSource>("device", "", "Device at fault; empty: all alike",
                                     [](Source source, std::size_t row) -> std::optional<std::int32_t> {
                                       const std::int32_t device = source.reading.advice[row].device;
                                       return device < 0 ? std::nullopt : std::optional(device);
                                     }),
          table::column<TableSource>(
              "gain_us", "us",
              "By how much the wall time becomes shorter over the gains before it; they can be added",
              [](Source source, std::size_t row) { return source.reading.advice[row].gain_us; }),
          table::column<TableSource>(
              "measured_us", "us", "What its rows, or the gaps before them, take now",
              [](Source source, std::size_t row) { return source.reading.advice[row].measured_us; }),
          table::column<TableSource>(
              "target_us", "us", "What they would take",
              [](Source source, std::size_t row) { return source.reading.advice[row].target_us; }),
          table::column<TableSource>(
              "basis", "", "How sure the gain is: measured, derived or modelled",
              [](Source source, std::size_t row) { return key_of(source.reading.advice[row].basis); }),
          table::column<TableSource>(
              "rows", "", "Rows of the shown table that say so",
              [](Source source, std::size_t row) { return source.reading.advice[row].row_count; }),
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
                                       return source.reading.bounds.totals[row].rows;
                                     }),
          table::column<TableSource>("device_us", "us", "Their device time (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.bounds.totals[row].device_us;
                                     }),
          table::column<TableSource>(
              "ideal_us", "us",
              "Their time at the peak of what limits them, of those that have one (modelled)",
              [](const TableSource& source, std::size_t row) {
                return source.reading.bounds.totals[row].ideal_us > 0
                           ? source.reading.bounds.totals[row].ideal_us
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
                                       return std::string_view(source.reading.categories[row].name);
                                     }),
          table::column<TableSource>(
              "ops", "", "Rows of the shown table",
              [](const TableSource& source, std::size_t row) { return source.reading.categories[row].ops; }),
          table::column<TableSource>("device_us", "us", "Their device time (measured)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.categories[row].device_us;
                                     }),
          table::column<TableSource>("percent", "percent", "Share of the device time of all (derived)",
                                     [](const TableSource& source, std::size_t row) {
                                       return source.reading.categories[row].percent;
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
                                       return key_of(source.reading.ops.notes[row].kind);
                                     }),
          table::column<TableSource>("is_warning", "", "Whether figures are less sure because of it",
                                     [](const TableSource& source, std::size_t row) {
                                       return is_warning(source.reading.ops.notes[row].kind);
                                     }),
          table::column<TableSource>("names", "", "Signposts, ops, columns that it names, separated by `; `",
                                     [](const TableSource& source, std::size_t row) {
                                       std::string list;
                                       for (const std::string& name : source.reading.ops.notes[row].names)
                                         list.append(list.empty() ? "" : "; ").append(name);
                                       return list.empty() ? std::optional<std::string>() : list;
                                     }),
          table::column<TableSource>(
              "figures", "", "Its numbers, separated by `; `",
              [](const TableSource& source, std::size_t row) {
                std::string list;
                for (const double figure : source.reading.ops.notes[row].figures)
                  list.append(list.empty() ? "" : "; ").append(std::to_string(std::llround(figure)));
                return list.empty() ? std::optional<std::string>() : list;
              }),
      });
  return kSpec;
}

}  // namespace ttscope::perf
