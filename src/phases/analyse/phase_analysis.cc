#include "phases/analyse/phase_analysis.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "phases/analyse/phase_parts.h"

namespace ttscope::phases {
namespace {

FactOrigin origin_of(bool own) { return own ? FactOrigin::kLog : FactOrigin::kEarlierInLog; }

/// The trainers print the memory of all devices; the tracker's figures are of one.
DeviceMemory device_of(const RunFacts& facts, const PhaseOptions& options) {
  DeviceMemory device;
  if (options.devices) {
    device.devices = *options.devices;
    device.devices_origin = FactOrigin::kOption;
  } else if (facts.devices) {
    device.devices = facts.devices->value;
    device.devices_origin = origin_of(facts.devices->own);
  }
  if (options.device_bytes) {
    device.bytes = options.device_bytes;
    device.origin = FactOrigin::kOption;
  } else if (facts.device_memory_mb) {
    device.bytes_of_all = bytes_of_mb(facts.device_memory_mb->value);
    device.bytes = *device.bytes_of_all / std::max<std::int64_t>(device.devices, 1);
    device.origin = origin_of(facts.device_memory_mb->own);
  } else {
    device.bytes = kAssumedDeviceBytes;
    device.origin = FactOrigin::kAssumed;
  }
  return device;
}

Severity severity_of(const Configuration& run) {
  if (exceeds_device(run)) return Severity::kCritical;
  const bool near = run.device.bytes && static_cast<double>(run.peak_bytes) >
                                            kNearlyFull * static_cast<double>(*run.device.bytes);
  return near || !run.violations.empty() || !run.has_verdict() ? Severity::kWarning : Severity::kOk;
}

/// The title of a run; where there is none, the name of its file.
std::string base_name(const PhaseLog& log, const PhaseSummary& summary) {
  std::string name = summary.heading;
  if (name.empty() && summary.file < log.files.size()) {
    const std::string& path = log.files[summary.file];
    name = path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
  }
  if (summary.rank) name += " rank " + std::to_string(*summary.rank);
  return name;
}

/// Runs that would be called the same are numbered.
void name_all(const PhaseLog& log, std::vector<Configuration>& configurations) {
  std::map<std::string, std::uint32_t> total;
  for (Configuration& run : configurations) {
    run.name = base_name(log, log.summaries[run.summary]);
    ++total[run.name];
  }
  std::map<std::string, std::uint32_t> seen;
  for (Configuration& run : configurations) {
    const std::string base = run.name;
    if (total[base] > 1) run.name += " #" + std::to_string(++seen[base]);
  }
}

}  // namespace

std::string_view name_of(FactOrigin origin) {
  constexpr std::array<std::string_view, 5> kNames = {"unknown", "option", "log", "earlier_in_log",
                                                      "assumed"};
  return kNames[static_cast<std::size_t>(origin)];
}

bool exceeds_device(const Configuration& configuration) {
  return configuration.device.bytes && configuration.peak_bytes > *configuration.device.bytes;
}

bool Configuration::has_verdict() const {
  return lost_gradients.empty() && ((cut_after.empty() && failure_line == 0) || exceeds_device(*this));
}
bool Configuration::tells_fit() const { return has_verdict() || exceeds_device(*this); }

PhaseAnalysis analyze_phases(const PhaseLog& log, const PhaseOptions& options) {
  PhaseAnalysis analysis;
  Severity worst = Severity::kOk;  // of those with a verdict
  bool all_told = true;
  for (std::uint32_t i = 0; i < log.summaries.size(); ++i) {
    const PhaseSummary& summary = log.summaries[i];
    Configuration& run = analysis.configurations.emplace_back();
    run.summary = i;
    run.device = device_of(summary.facts, options);
    if (summary.facts.batch) run.batch = summary.facts.batch->value;
    fill_phases(summary, run);
    check_relations(summary, run);
    fill_steps(run);
    fill_sizes(summary, options, run);
    fill_components(run);
    fill_notes(summary, run);
    run.severity = severity_of(run);
    if (run.has_verdict()) worst = std::max(worst, run.severity);
    all_told = all_told && run.has_verdict();
  }
  analysis.verdict = all_told || worst == Severity::kCritical ? std::optional(worst) : std::nullopt;
  name_all(log, analysis.configurations);
  fill_advice(analysis.configurations);
  return analysis;
}

}  // namespace ttscope::phases
