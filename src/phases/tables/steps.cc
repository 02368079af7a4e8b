// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

template <typename Get>
table::ColumnOf<SpreadRows> of_training_step(std::string_view name, std::string_view unit,
                                             std::string_view doc, Get) {
  return table::column<SpreadRows>(name, unit, doc, [](const SpreadRows& rows, std::size_t row) {
    return Get{}(rows.configuration(row).steps[rows.places[row].index]);
  });
}

}  // namespace

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

}  // namespace ttscope::phases
