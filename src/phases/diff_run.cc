#include "phases/diff_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "phases/write/outputs.h"

namespace ttscope::phases {
namespace {

/// The tracker prints two decimals of a MB.
constexpr double kPrintedWithin = 2 * 0.01 * 1048576;

diff::RunTotal byte_total(std::string name, std::int64_t bytes) {
  diff::RunTotal total = {std::move(name), "bytes", static_cast<double>(bytes), true};
  total.exact_within = kPrintedWithin;
  return total;
}

/// What a part of the peak follows from.
diff::ItemKind kind_of_part(const Configuration& run, const Component& part) {
  diff::ItemKind kind;
  kind.op = name_of(part.kind);
  kind.label = kind.op;
  const bool is_of_batch = part.kind == ComponentKind::kActivations ||
                           part.kind == ComponentKind::kTemporaries ||
                           part.kind == ComponentKind::kGradientsOverhead;
  if (is_of_batch && run.batch) kind.facts.push_back({"batch", std::to_string(*run.batch)});
  if (!is_of_batch && run.parameters) kind.facts.push_back({"parameters", std::to_string(*run.parameters)});
  return kind;
}

/// What each phase reached, where it has a name of its own.
std::vector<diff::RunTotal> phase_totals(const Configuration& run) {
  std::map<std::string, std::int64_t> most;
  for (const PhaseStep& phase : run.phases) {
    std::int64_t& own = most[phase.name];
    own = std::max(own, phase.reached_bytes());
  }
  std::vector<diff::RunTotal> totals;
  for (const PhaseStep& phase : run.phases) {
    const auto found = most.find(phase.name);
    if (found == most.end() || found->second <= 0) continue;
    totals.push_back(byte_total("in " + phase.name, found->second));
    most.erase(found);
  }
  return totals;
}

void add_totals(const Configuration& run, diff::ComparedRun& made) {
  diff::RunTotal peak = byte_total("peak_dram", run.peak_bytes);
  if (run.device.bytes && run.device.origin != FactOrigin::kAssumed)
    peak.whole = static_cast<double>(*run.device.bytes);
  made.totals = {std::move(peak), byte_total("final", run.final_bytes)};
  const std::vector<diff::RunTotal> phases = phase_totals(run);
  made.totals.insert(made.totals.end(), phases.begin(), phases.end());
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
      run.decides_fit() && run.device.bytes.has_value() && run.device.origin != FactOrigin::kAssumed};
  fits.exact_within = 0;
  made.totals.push_back(std::move(fits));
}

}  // namespace

diff::ComparedRun diff_run_of(const Profile& profile) {
  diff::ComparedRun made;
  made.name = profile.log.files.empty() ? "" : profile.log.files.front();
  made.cost_name = "peak_dram";
  made.unit = "bytes";
  made.row_name = "part";
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
  for (std::uint32_t i = 0; i < run.components.size(); ++i) {
    const Component& part = run.components[i];
    made.kinds.push_back(kind_of_part(run, part));
    made.items.push_back({i, i, static_cast<double>(part.measured_bytes), 0});
  }
  add_totals(run, made);
  made.settings = {{"runs in the log", std::to_string(runs.size())},
                   {"phases", std::to_string(run.phases.size())},
                   {"devices", std::to_string(run.device.devices)},
                   {"parameters", run.parameters ? std::to_string(*run.parameters) : ""},
                   {"batch", run.batch ? std::to_string(*run.batch) : ""}};
  return made;
}

}  // namespace ttscope::phases
