#include "phases/tables/tables.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "phases/analyze/phase_analysis.h"
#include "table/declare.h"

namespace ttscope::phases {
namespace {

/// The declared tables, each in a file of its own name; tables.cc puts them together.

/// Rows that are spread over the configurations of a profile.
struct SpreadRows {
  struct Place {
    std::uint32_t configuration = 0;
    std::uint32_t index = 0;  ///< in its list of that configuration
  };

  std::shared_ptr<const Profile> profile;
  std::vector<Place> places;

  const Configuration& configuration(std::size_t row) const {
    return profile->analysis.configurations[places[row].configuration];
  }
  const PhaseSummary& summary(std::size_t row) const {
    return profile->log.summaries[configuration(row).summary];
  }
};

/// All rows of one list of the configurations.
template <typename Element>
std::shared_ptr<const SpreadRows> spread_rows(std::shared_ptr<const Profile> profile,
                                              std::vector<Element> Configuration::*list) {
  auto rows = std::make_shared<SpreadRows>();
  rows->profile = std::move(profile);
  const std::vector<Configuration>& all = rows->profile->analysis.configurations;
  for (std::uint32_t run = 0; run < all.size(); ++run) {
    const auto count = static_cast<std::uint32_t>((all[run].*list).size());
    for (std::uint32_t i = 0; i < count; ++i) rows->places.push_back({run, i});
  }
  return rows;
}

/// The problems that were found, by kind.
struct ProblemRows {
  std::shared_ptr<const Profile> profile;
  std::vector<PhaseProblem> found;
};

/// The columns that tell which run a row belongs to, for the tables of SpreadRows.
table::ColumnOf<SpreadRows> configuration_column() {
  return table::column<SpreadRows>("configuration", "", "Name of the run, as in the table `configurations`",
                                   [](const SpreadRows& rows, std::size_t row) -> const std::string& {
                                     return rows.configuration(row).name;
                                   });
}

table::ColumnOf<SpreadRows> summary_column() {
  return table::ascending(table::column<SpreadRows>(
      "summary", "", "Number of the run's summary, from 0, as in the table `summaries`",
      [](const SpreadRows& rows, std::size_t row) { return rows.configuration(row).summary; }));
}

const Configuration& run_of(const Profile& profile, std::size_t row) {
  return profile.analysis.configurations[row];
}

/// A column that reads the run itself.
template <typename Get>
table::ColumnOf<Profile> of_run(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(
      name, unit, doc, [](const Profile& profile, std::size_t row) { return Get{}(run_of(profile, row)); });
}

std::optional<double> share_of_device(const Configuration& run) {
  if (!run.device.bytes || *run.device.bytes <= 0) return std::nullopt;
  return static_cast<double>(run.peak_bytes) / static_cast<double>(*run.device.bytes);
}

const table::TableOf<Profile>& configurations_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "configurations", "A training run: one summary of the tracker and what it means, DRAM of one device",
      {
          table::column<Profile>("name", "",
                                 "Title that the log prints above the run, or the name of its file; numbered "
                                 "where several runs would be called the same",
                                 [](const Profile& profile, std::size_t row) -> const std::string& {
                                   return run_of(profile, row).name;
                                 }),
          table::ascending(of_run("summary", "", "Number of its summary, from 0, as in the table `summaries`",
                                  [](const Configuration& run) { return run.summary; })),
          of_run("severity", "",
                 "Verdict: `ok`, `warning` (over 90 % of the device, or figures that "
                 "contradict each other) or `critical` (does not fit); derived",
                 [](const Configuration& run) { return name_of(run.severity); }),
          of_run("parameters", "", "Number of parameters as printed",
                 [](const Configuration& run) { return run.parameters; }),
          of_run("peak_bytes", "bytes",
                 "Most DRAM in use at once, as printed (measured) or, where the "
                 "summary is cut, of the last phase that is there",
                 [](const Configuration& run) { return run.peak_bytes; }),
          of_run("peak_phase", "", "Number of the phase that makes the peak, from 0 within the run; derived",
                 [](const Configuration& run) { return run.peak_phase; }),
          of_run("final_bytes", "bytes", "DRAM in use at the end of the capture, as printed (measured)",
                 [](const Configuration& run) { return run.final_bytes; }),
          of_run("device_bytes", "bytes", "DRAM of one device, as given or printed",
                 [](const Configuration& run) { return run.device.bytes; }),
          of_run("devices", "", "How many devices share the memory that the log prints",
                 [](const Configuration& run) { return run.device.devices; }),
          of_run("device_origin", "",
                 "Where device_bytes is from: `option`, `log`, `earlier_in_log` or `assumed`",
                 [](const Configuration& run) { return name_of(run.device.origin); }),
          of_run("share_of_device", "", "Peak as a share of device_bytes, 1 is full; derived",
                 [](const Configuration& run) { return share_of_device(run); }),
          of_run("fits", "", "Whether the peak is within device_bytes; null where that is unknown",
                 [](const Configuration& run) {
                   const bool is_known = run.device.bytes && run.decides_fit();
                   return is_known ? std::optional<bool>(!exceeds_device(run)) : std::nullopt;
                 }),
          of_run("left_bytes", "bytes", "device_bytes less the peak, negative when it does not fit; derived",
                 [](const Configuration& run) {
                   return run.device.bytes ? std::optional<std::int64_t>(*run.device.bytes - run.peak_bytes)
                                           : std::nullopt;
                 }),
          of_run("model_actual_bytes", "bytes", "What the phases that make the model left behind; measured",
                 [](const Configuration& run) { return run.model.actual_bytes; }),
          of_run("model_expected_bytes", "bytes",
                 "Size of the model as given, or 2 bytes a parameter; modelled",
                 [](const Configuration& run) { return run.model.expected_bytes; }),
          of_run("optimizer_actual_bytes", "bytes", "What the phases that make the optimizer left; measured",
                 [](const Configuration& run) { return run.optimizer.actual_bytes; }),
          of_run("optimizer_expected_bytes", "bytes",
                 "Optimizer state as given, or twice the model; modelled",
                 [](const Configuration& run) { return run.optimizer.expected_bytes; }),
          of_run("gradients_actual_bytes", "bytes",
                 "What a training step left behind when it was over; derived",
                 [](const Configuration& run) { return run.gradients.actual_bytes; }),
          of_run("gradients_expected_bytes", "bytes", "Gradients as given, or as the model; modelled",
                 [](const Configuration& run) { return run.gradients.expected_bytes; }),
          of_run("activations_bytes", "bytes", "The most that a forward pass kept; measured",
                 [](const Configuration& run) { return run.activations_bytes; }),
          of_run("actual_sizes", "",
                 "Whether its components `model` and `optimizer` are measured and not "
                 "as expected",
                 [](const Configuration& run) { return run.actual_sizes; }),
      });
  return kSpec;
}

template <typename Get>
table::ColumnOf<Profile> of_summary(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.log.summaries[row]);
  });
}

template <typename T>
std::optional<T> value_of(const std::optional<RunFact<T>>& fact) {
  return fact ? std::optional<T>(fact->value) : std::nullopt;
}

const table::TableOf<Profile>& summaries_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "summaries", "A summary of MemoryUsageTracker as printed, without interpretation",
      {
          table::ascending(table::column<Profile>("summary", "",
                                                  "Number of the summary, from 0, over all logs",
                                                  [](const Profile&, std::size_t row) { return row; })),
          table::column<Profile>("file", "", "Log that it stands in, as given",
                                 [](const Profile& profile, std::size_t row) -> const std::string& {
                                   return profile.log.files[profile.log.summaries[row].file];
                                 }),
          of_summary("line", "", "Line that opens it, or of what stands in for it",
                     [](const PhaseSummary& summary) { return summary.line; }),
          of_summary("rank", "", "Rank that the prefix of its lines names",
                     [](const PhaseSummary& summary) { return summary.rank; }),
          table::column<Profile>("heading", "", "Title printed above it between two rules",
                                 [](const Profile& profile, std::size_t row) -> std::optional<std::string> {
                                   const std::string& heading = profile.log.summaries[row].heading;
                                   return heading.empty() ? std::nullopt : std::optional(heading);
                                 }),
          of_summary("overall_peak_mb", "MB", "Most DRAM of one device in use at once, as printed",
                     [](const PhaseSummary& summary) { return summary.overall_peak_mb; }),
          of_summary("final_usage_mb", "MB", "DRAM of one device in use at the end, as printed",
                     [](const PhaseSummary& summary) { return summary.final_usage_mb; }),
          of_summary("parameters", "", "Number of parameters, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.parameters); }),
          of_summary("device_memory_mb", "MB", "Memory of all devices together, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.device_memory_mb); }),
          of_summary("devices", "", "Number of devices, as printed around it",
                     [](const PhaseSummary& summary) { return value_of(summary.facts.devices); }),
          of_summary("is_cut", "", "Whether the line with the totals is missing",
                     [](const PhaseSummary& summary) { return summary.cut; }),
          of_summary("is_headless", "", "Whether the line that opens it is missing, so that phases may be",
                     [](const PhaseSummary& summary) { return summary.is_header_missing; }),
      });
  return kSpec;
}

const PhaseStep& step_of(const SpreadRows& rows, std::size_t row) {
  return rows.configuration(row).phases[rows.places[row].index];
}

const PhaseRecord& record_of(const SpreadRows& rows, std::size_t row) {
  return rows.summary(row).phases[rows.places[row].index];
}

template <typename Get>
table::ColumnOf<SpreadRows> of_step(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<SpreadRows>(
      name, unit, doc, [](const SpreadRows& rows, std::size_t row) { return Get{}(step_of(rows, row)); });
}

template <DramField kField>
table::ColumnOf<SpreadRows> printed(std::string_view name, std::string_view doc) {
  return table::column<SpreadRows>(name, "MB", doc, [](const SpreadRows& rows, std::size_t row) {
    return record_of(rows, row).dram(kField);
  });
}

template <double PhaseL1::*kField>
table::ColumnOf<SpreadRows> printed_l1(std::string_view name, std::string_view doc) {
  return table::column<SpreadRows>(name, "MB per core", doc,
                                   [](const SpreadRows& rows, std::size_t row) -> std::optional<double> {
                                     const std::optional<PhaseL1>& l1 = record_of(rows, row).l1;
                                     return l1 ? std::optional<double>((*l1).*kField) : std::nullopt;
                                   });
}

std::vector<table::ColumnOf<SpreadRows>> printed_columns() {
  return {
      printed<DramField::kSegmentPeak>("dram_segment_peak_mb",
                                       "Most DRAM that the phase had in use above its start, as printed"),
      printed<DramField::kAllocations>("dram_allocations_mb", "All that it allocated, as printed"),
      printed<DramField::kDeallocations>("dram_deallocations_mb", "All that it freed, as printed"),
      printed<DramField::kSegmentChange>("dram_segment_change_mb",
                                         "Allocations less deallocations, as printed"),
      printed<DramField::kCumulativePeak>("dram_cumulative_peak_mb",
                                          "Most since the capture began, as printed"),
      printed<DramField::kCumulativeCurrent>("dram_cumulative_current_mb",
                                             "In use after the phase, as printed"),
      printed_l1<&PhaseL1::peak_cb_mb>("l1_peak_cb_mb_per_core",
                                       "Most L1 of a core in circular buffers, as printed"),
      printed_l1<&PhaseL1::peak_buffer_mb>("l1_peak_buffer_mb_per_core",
                                           "Most L1 of a core in buffers, as printed"),
      printed_l1<&PhaseL1::peak_total_mb>("l1_peak_total_mb_per_core",
                                          "Most L1 of a core in both at one moment, as printed"),
  };
}

std::vector<table::ColumnOf<SpreadRows>> derived_columns() {
  return {
      of_step("start_bytes", "bytes", "DRAM in use before the phase; derived",
              [](const PhaseStep& step) { return step.start_bytes; }),
      of_step("segment_peak_bytes", "bytes",
              "Most in use at once above the start; measured, or from the other figures where not printed",
              [](const PhaseStep& step) { return step.segment_peak_bytes; }),
      of_step("reached_bytes", "bytes", "Most that the device held during the phase: start plus own peak",
              [](const PhaseStep& step) { return step.reached_bytes(); }),
      of_step("allocations_bytes", "bytes", "All that it allocated; measured",
              [](const PhaseStep& step) { return step.allocations_bytes; }),
      of_step("deallocations_bytes", "bytes", "All that it freed; measured",
              [](const PhaseStep& step) { return step.deallocations_bytes; }),
      of_step("change_bytes", "bytes",
              "What it left behind; measured, or from the other figures where not printed",
              [](const PhaseStep& step) { return step.change_bytes; }),
      of_step("cumulative_peak_bytes", "bytes",
              "Most since the capture began; measured, or from the other figures where not printed",
              [](const PhaseStep& step) { return step.peak_so_far_bytes; }),
      of_step("current_bytes", "bytes",
              "In use after the phase; measured, or from the other figures where not printed",
              [](const PhaseStep& step) { return step.current_bytes; }),
      table::column<SpreadRows>("makes_peak", "", "Whether it is the first phase that reaches the run's peak",
                                [](const SpreadRows& rows, std::size_t row) {
                                  return rows.configuration(row).peak_phase == rows.places[row].index;
                                }),
      of_step("all_figures_printed", "", "Whether all six DRAM figures were printed",
              [](const PhaseStep& step) { return step.complete; }),
  };
}

const table::TableOf<SpreadRows>& phases_spec() {
  static const table::TableOf<SpreadRows> kSpec = [] {
    std::vector<table::ColumnOf<SpreadRows>> columns = {
        summary_column(),
        configuration_column(),
        table::column<SpreadRows>(
            "phase", "", "Number of the phase within its run, from 0",
            [](const SpreadRows& rows, std::size_t row) { return rows.places[row].index; }),
        of_step("line", "", "Line of its header `--- NAME ---` in the log",
                [](const PhaseStep& step) { return step.line; }),
        table::column<SpreadRows>("name", "", "Name as printed: `FORWARD_PASS_micro_2`",
                                  [](const SpreadRows& rows, std::size_t row) -> const std::string& {
                                    return step_of(rows, row).name;
                                  }),
        table::column<SpreadRows>("base", "", "Name without micro-step and counter: `FORWARD_PASS`",
                                  [](const SpreadRows& rows, std::size_t row) -> const std::string& {
                                    return step_of(rows, row).label.base;
                                  }),
        of_step("role", "",
                "What the name says it does: `model`, `optimizer`, `forward`, `backward`, "
                "`step` or `other`",
                [](const PhaseStep& step) { return name_of(step.label.role); }),
        of_step("micro_step", "", "Micro-step of gradient accumulation in the name",
                [](const PhaseStep& step) { return step.label.micro_step; }),
        of_step("counter", "", "Counter that some trainers append to the name",
                [](const PhaseStep& step) { return step.label.counter; }),
    };
    for (auto part : {printed_columns(), derived_columns()}) {
      columns.insert(columns.end(), part.begin(), part.end());
    }
    return table::table_of<SpreadRows>(
        "phases", "A phase of a training run, in the order of the log; DRAM of one device", columns);
  }();
  return kSpec;
}

template <typename Get>
table::ColumnOf<SpreadRows> of_part(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).components[rows.places[row].index]);
  });
}

const table::TableOf<SpreadRows>& components_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "components", "A part of a run's peak; the parts of a run add up to its peak",
      {
          summary_column(),
          configuration_column(),
          of_part("kind", "",
                  "What the memory is used for: `other`, `model`, `gradients_overhead`, "
                  "`optimizer`, `activations`, `gradients`, `other_phases` or `temporaries`",
                  [](const Component& part) { return name_of(part.kind); }),
          of_part("bytes", "bytes",
                  "Size at the moment of the peak: measured, or as expected for model "
                  "and optimizer",
                  [](const Component& part) { return part.bytes; }),
          of_part("measured_bytes", "bytes", "The same with measured sizes for all parts",
                  [](const Component& part) { return part.measured_bytes; }),
          of_part("confidence", "", "Whether `bytes` is `measured`, `derived` or `modelled`",
                  [](const Component& part) { return name_of(part.confidence); }),
      });
  return kSpec;
}

template <typename Get>
table::ColumnOf<SpreadRows> of_training_step(std::string_view name, std::string_view unit,
                                             std::string_view doc, Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).steps[rows.places[row].index]);
  });
}

const table::TableOf<SpreadRows>& steps_spec() {
  static const table::TableOf<SpreadRows> kSpec = table::table_of<SpreadRows>(
      "steps", "A forward pass and its backward pass: a micro-step of gradient accumulation or a whole step",
      {
          summary_column(),
          configuration_column(),
          of_training_step("micro_step", "", "Micro-step that the names of its phases give",
                           [](const TrainingStep& step) { return step.micro_step; }),
          of_training_step("first_phase", "", "Number of its first phase within the run",
                           [](const TrainingStep& step) { return step.first_phase; }),
          of_training_step("last_phase", "", "Number of its last phase within the run",
                           [](const TrainingStep& step) { return step.last_phase; }),
          of_training_step("has_backward", "", "Whether its backward pass is in the log",
                           [](const TrainingStep& step) { return step.has_backward; }),
          of_training_step("activations_bytes", "bytes", "Kept when its forward pass was over; measured",
                           [](const TrainingStep& step) { return step.activations_bytes; }),
          of_training_step("net_bytes", "bytes", "Left when the step was over, that is gradients; derived",
                           [](const TrainingStep& step) { return step.net_bytes; }),
          of_training_step("peak_bytes", "bytes", "Most DRAM in use during it; derived",
                           [](const TrainingStep& step) { return step.peak_bytes; }),
      });
  return kSpec;
}

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
                                                                                    : Confidence::kModeled);
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

template <typename Get>
table::ColumnOf<ProblemRows> of_info(std::string_view name, std::string_view doc, Get) {
  return table::column<ProblemRows>(name, "", doc, [](const ProblemRows& rows, std::size_t row) {
    return Get{}(info_of(rows.found[row]));
  });
}

const Place& first_place(const ProblemRows& rows, std::size_t row) {
  return rows.profile->log.problems.places(rows.found[row]).front();
}

std::shared_ptr<const ProblemRows> problem_rows(std::shared_ptr<const Profile> profile) {
  auto rows = std::make_shared<ProblemRows>();
  rows->profile = std::move(profile);
  for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
    const auto problem = static_cast<PhaseProblem>(i);
    if (rows->profile->log.problems.count(problem) > 0) rows->found.push_back(problem);
  }
  return rows;
}

const table::TableOf<ProblemRows>& problems_spec() {
  static const table::TableOf<ProblemRows> kSpec = table::table_of<ProblemRows>(
      "problems", "A kind of problem in the input, with how often it is there",
      {
          of_info("problem", "Its key, as in the JSON documents",
                  [](const ProblemInfo& info) { return info.key; }),
          table::column<ProblemRows>("count", "", "How many there are",
                                     [](const ProblemRows& rows, std::size_t row) {
                                       return rows.profile->log.problems.count(rows.found[row]);
                                     }),
          of_info("repaired", "Whether the records are used all the same",
                  [](const ProblemInfo& info) { return info.repaired; }),
          of_info("what", "What it is and what became of the records",
                  [](const ProblemInfo& info) { return info.sentence; }),
          table::column<ProblemRows>("first_file", "", "Log where it is first",
                                     [](const ProblemRows& rows, std::size_t row) -> const std::string& {
                                       return rows.profile->log.files[first_place(rows, row).file];
                                     }),
          table::column<ProblemRows>(
              "first_line", "", "Line of that log",
              [](const ProblemRows& rows, std::size_t row) { return first_place(rows, row).line; }),
      });
  return kSpec;
}

table::Table spread_table(const table::TableOf<SpreadRows>& spec, std::shared_ptr<const SpreadRows> rows) {
  const std::size_t count = rows->places.size();
  return table::make_table(spec, std::move(rows), count);
}

}  // namespace

table::TableSet tables_of(const std::shared_ptr<const Profile>& profile) {
  table::TableSet set;
  set.kind = "phase_log";
  set.warnings = profile->log.warnings;
  const std::size_t runs = profile->analysis.configurations.size();
  set.tables = {
      table::make_table(configurations_spec(), profile, runs),
      spread_table(phases_spec(), spread_rows(profile, &Configuration::phases)),
      table::make_table(summaries_spec(), profile, profile->log.summaries.size()),
      spread_table(components_spec(), spread_rows(profile, &Configuration::components)),
      spread_table(steps_spec(), spread_rows(profile, &Configuration::steps)),
      spread_table(advice_spec(), spread_rows(profile, &Configuration::advice)),
      spread_table(violations_spec(), spread_rows(profile, &Configuration::violations)),
      spread_table(notes_spec(), spread_rows(profile, &Configuration::notes)),
  };
  std::shared_ptr<const ProblemRows> problems = problem_rows(profile);
  const std::size_t kinds = problems->found.size();
  set.tables.push_back(table::make_table(problems_spec(), std::move(problems), kinds));
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&configurations_spec(), &phases_spec(),     &summaries_spec(), &components_spec(), &steps_spec(),
          &advice_spec(),         &violations_spec(), &notes_spec(),     &problems_spec()};
}

std::vector<table::View> views() {
  return {
      {"phases_fits", "Does training fit, and how close is it?",
       "select profile, name, peak_bytes, device_bytes, round(100 * share_of_device, 1) as "
       "percent_of_device, "
       "fits, left_bytes from configurations order by peak_bytes desc"},
      {"phases_peaks", "Which phase makes the peak of a run?",
       "select profile, configuration, name, line, reached_bytes, start_bytes, segment_peak_bytes from "
       "phases "
       "where makes_peak order by reached_bytes desc"},
      {"phases_peak_parts", "What is the peak of a run made of?",
       "select profile, configuration, kind as part, bytes, measured_bytes, confidence, round(100.0 * bytes "
       "/ "
       "sum(bytes) over (partition by profile, summary), 1) as percent_of_peak from components order by "
       "profile, summary, bytes desc"},
      {"phases_growth", "Which phases leave most memory behind?",
       "select profile, configuration, name, line, change_bytes, current_bytes from phases order by "
       "change_bytes desc"},
      {"phases_savings", "What would save memory, and how much?",
       "select profile, configuration, kind, bytes, peak_after_bytes, confidence from advice where "
       "peak_after_bytes is not null order by bytes desc"},
  };
}

}  // namespace ttscope::phases
