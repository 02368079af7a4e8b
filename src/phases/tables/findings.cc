// Three tables of declared.h: what was found out about the runs.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

template <typename Get>
table::ColumnOf<SpreadRows> of_advice(std::string_view name, std::string_view unit, std::string_view doc,
                                      Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).advice[rows.places[row].index]);
  });
}
template <typename Get>
table::ColumnOf<SpreadRows> of_violation(std::string_view name, std::string_view unit, std::string_view doc,
                                         Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).violations[rows.places[row].index]);
  });
}
const PhaseNote& note_of(const SpreadRows& rows, std::size_t row) {
  return rows.configuration(row).notes[rows.places[row].index];
}

std::optional<std::string_view> other_run(const SpreadRows& rows, std::size_t row) {
  const Advice& advice = rows.configuration(row).advice[rows.places[row].index];
  if (advice.kind != AdviceKind::kOtherConfiguration) return std::nullopt;
  return rows.profile->analysis.configurations[advice.configuration].name;
}

}  // namespace

const table::TableOf<SpreadRows>& advice_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "advice", "What would make a run smaller, most bytes first",
      {
          summary_column(),
          configuration_column(),
          of_advice("kind", "",
                    "`other_configuration`, `recomputation`, `smaller_batch`, "
                    "`gradient_accumulation` or `optimizer_state`",
                    [](const Advice& advice) { return name_of(advice.kind); }),
          of_advice("bytes", "bytes", "By how much the peak would fall",
                    [](const Advice& advice) { return advice.bytes; }),
          of_advice("peak_after_bytes", "bytes", "The peak then",
                    [](const Advice& advice) { return advice.peak_after_bytes; }),
          of_advice("confidence", "", "`measured` for another run that was given, otherwise `modelled`",
                    [](const Advice& advice) {
                      return name_of(advice.kind == AdviceKind::kOtherConfiguration ? Confidence::kMeasured
                                                                                    : Confidence::kModelled);
                    }),
          of_advice("affected_bytes", "bytes", "The activations or the state that it is about",
                    [](const Advice& advice) { return advice.affected_bytes; }),
          of_advice("micro_steps", "", "Of how many micro-steps the batch would be made",
                    [](const Advice& advice) {
                      return advice.kind == AdviceKind::kGradientAccumulation
                                 ? std::optional<std::uint32_t>(advice.micro_steps)
                                 : std::nullopt;
                    }),
          of_advice("batch_share", "", "Size of the smaller batch as a share of the batch now",
                    [](const Advice& advice) {
                      return advice.kind == AdviceKind::kSmallerBatch
                                 ? std::optional<double>(advice.batch_share)
                                 : std::nullopt;
                    }),
          table::column<SpreadRows>(
              "other_configuration", "", "Name of the run that needs less",
              [](const SpreadRows& rows, std::size_t row) { return other_run(rows, row); }),
      });
  return kSpec;
}

const table::TableOf<SpreadRows>& violations_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "violations", "A relation of the tracker's figures that printed ones break by more than rounding",
      {
          summary_column(),
          configuration_column(),
          of_violation("relation", "",
                       "`segment_change`, `cumulative_current`, `cumulative_peak`, "
                       "`segment_peak`, `overall_peak` or `final_usage`",
                       [](const Violation& violation) { return name_of(violation.relation); }),
          of_violation("phase", "", "Number of the phase within the run",
                       [](const Violation& violation) { return violation.phase; }),
          of_violation("printed_mb", "MB", "What the log says",
                       [](const Violation& violation) { return violation.printed_mb; }),
          of_violation("expected_mb", "MB", "What its other figures say; derived",
                       [](const Violation& violation) { return violation.expected_mb; }),
      });
  return kSpec;
}

const table::TableOf<SpreadRows>& notes_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "notes", "What a reader of the figures must know, by run",
      {
          summary_column(),
          configuration_column(),
          table::column<SpreadRows>(
              "kind", "", "What it is about, for example `device_memory_assumed` or `names_repeated`",
              [](const SpreadRows& rows, std::size_t row) { return name_of(note_of(rows, row).kind); }),
          table::column<SpreadRows>(
              "about", "", "Phases or the fact that it is about",
              [](const SpreadRows& rows, std::size_t row) -> std::optional<std::string> {
                const std::string& name = note_of(rows, row).name;
                return name.empty() ? std::nullopt : std::optional(name);
              }),
          table::column<SpreadRows>(
              "count", "", "Devices, repetitions or the line of an inherited fact; 0 where it counts nothing",
              [](const SpreadRows& rows, std::size_t row) { return note_of(rows, row).count; }),
          table::column<SpreadRows>(
              "mb", "MB", "Memory that it names; 0 where it names none",
              [](const SpreadRows& rows, std::size_t row) { return note_of(rows, row).mb; }),
      });
  return kSpec;
}

}  // namespace ttscope::phases
