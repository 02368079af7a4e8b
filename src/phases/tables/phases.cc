// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

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

}  // namespace

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

}  // namespace ttscope::phases
