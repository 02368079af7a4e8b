#include "phases/diff_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "phases/write/terminal/phase_words.h"

namespace ttscope::phases {
namespace {

/// The tracker prints two decimals of a MB.
constexpr double kPrintedWithin = 2 * 0.01 * 1048576;

diff::RunTotal byte_total(std::string name, std::int64_t bytes) {
  diff::RunTotal total = {std::move(name), "bytes", static_cast<double>(bytes), true};
  total.exact_within = kPrintedWithin;
  return total;
}

/// What one phase is known by.
diff::ItemKind kind_of_phase(const Configuration& run, std::uint32_t index) {
  const PhaseStep& phase = run.phases[index];
  diff::ItemKind kind;
  kind.op = phase.label.base;
  kind.label = phase.name;
  kind.category = name_of(phase.label.role);
  kind.shape = phase.label.micro_step ? fmt::format("micro {}", *phase.label.micro_step) : "";
  const std::uint32_t peak = run.peak_phase.value_or(kNone);
  kind.facts = {{"moment", index == peak  ? "makes the peak"
                           : index < peak ? "before the peak"
                                          : "after the peak"}};
  const bool has_batch = phase.label.role == PhaseRole::kForward || phase.label.role == PhaseRole::kBackward;
  if (has_batch && run.batch) kind.facts.push_back({"batch", std::to_string(*run.batch)});
  if (!has_batch && run.parameters) kind.facts.push_back({"parameters", std::to_string(*run.parameters)});
  return kind;
}

void add_totals(const Configuration& run, diff::ComparedRun& made) {
  diff::RunTotal peak = byte_total("peak_dram", run.peak_bytes);
  if (run.device.bytes && run.device.origin != FactOrigin::kAssumed)
    peak.whole = static_cast<double>(*run.device.bytes);
  made.totals = {std::move(peak), byte_total("final", run.final_bytes)};
  diff::RunTotal l1 = byte_total("peak_l1", 0);
  l1.is_known = false;
  for (const PhaseStep& phase : run.phases) {
    if (!phase.l1) continue;
    l1.is_known = true;
    l1.value = std::max(l1.value, phase.l1->peak_total_mb * 1048576);
  }
  made.totals.push_back(std::move(l1));
  diff::RunTotal fits = {
      "fits", "flag", exceeds_device(run) ? 0.0 : 1.0,
      run.has_verdict() && run.device.bytes.has_value() && run.device.origin != FactOrigin::kAssumed};
  fits.exact_within = 0;
  made.totals.push_back(std::move(fits));
}

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile) {
  diff::ComparedRun made;
  made.name = profile.log.files.empty() ? "" : profile.log.files.front();
  made.cost_name = "peak_dram";
  made.unit = "bytes";
  made.row_name = "phase";
  made.exact_within = kPrintedWithin;
  made.warnings = profile.log.warnings;
  const auto& runs = profile.analysis.configurations;
  const auto highest = std::max_element(
      runs.begin(), runs.end(),
      [](const Configuration& a, const Configuration& b) { return a.peak_bytes < b.peak_bytes; });
  if (highest == runs.end()) return made;
  const Configuration& run = *highest;
  made.what = fmt::format("{}DRAM peak{}", runs.size() > 1 ? run.name + ": " : "",
                          run.peak_phase ? " in " + peak_place(run) : "");
  const std::uint32_t peak = run.peak_phase.value_or(kNone);
  std::int64_t rest = run.peak_bytes;
  const auto add = [&](diff::ItemKind kind, std::int64_t bytes) {
    made.kinds.push_back(std::move(kind));
    const auto number = static_cast<std::uint32_t>(made.items.size());
    made.items.push_back({number, number, static_cast<double>(bytes), 0});
    rest -= bytes;
  };
  for (std::uint32_t i = 0; i < run.phases.size(); ++i) {
    const PhaseStep& phase = run.phases[i];
    add(kind_of_phase(run, i), i == peak ? phase.segment_peak_bytes : i < peak ? phase.change_bytes : 0);
  }
  diff::ItemKind start;
  start.op = "(before)";
  start.label = "in use before the first phase, and rounding";
  start.category = "other";
  add(std::move(start), rest);
  add_totals(run, made);
  made.settings = {{"runs in the log", std::to_string(runs.size())},
                   {"devices", std::to_string(run.device.devices)},
                   {"parameters", run.parameters ? std::to_string(*run.parameters) : ""},
                   {"batch", run.batch ? std::to_string(*run.batch) : ""}};
  return made;
}

}  // namespace ttscope::phases
