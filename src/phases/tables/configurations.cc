// A table of declared.h.
#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

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

}  // namespace

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
                   const bool told = run.device.bytes && run.tells_fit();
                   return told ? std::optional<bool>(!exceeds_device(run)) : std::nullopt;
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

}  // namespace ttscope::phases
