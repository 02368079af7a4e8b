// What a reader of the figures must know. Steps of the analysis: declared in phase_parts.h.
#include <algorithm>
#include <array>
#include <map>

#include "phases/analyse/phase_parts.h"

namespace ttscope::phases {
namespace {

constexpr double kCoreL1Mb = 1.5;       // of the largest chip
constexpr double kCbNoticedMb = 0.005;  // less is printed as 0.00

class Noter {
 public:
  Noter(const PhaseSummary& summary, Configuration& run) : summary_(summary), run_(run) {}

  void note() {
    note_device();
    note_sizes();
    note_repeated_names();
    note_circular_buffers();
    const auto negative = std::find_if(run_.phases.begin(), run_.phases.end(),
                                       [](const PhaseStep& phase) { return phase.current_bytes < 0; });
    if (negative != run_.phases.end()) add({PhaseNoteKind::kNegativeCurrent, negative->name, 0, 0});
    if (summary_.cut || !summary_.overall_peak_mb) add({PhaseNoteKind::kTotalsDerived, {}, 0, 0});
    run_.failure_line = summary_.failure_line;
    // Where the last phase closes the iteration, the totals alone are missing.
    if (summary_.cut && !run_.phases.empty() && run_.phases.back().label.role != PhaseRole::kStep)
      run_.cut_after = run_.phases.back().name;
  }

 private:
  void add(PhaseNote note) { run_.notes.push_back(std::move(note)); }

  void note_device() {
    const DeviceMemory& device = run_.device;
    if (device.origin == FactOrigin::kAssumed) add({PhaseNoteKind::kDeviceMemoryAssumed, {}, 0, 0});
    if (device.bytes_of_all && device.devices > 1) {
      add({PhaseNoteKind::kDeviceMemoryOfAll,
           {},
           device.devices,
           static_cast<double>(*device.bytes_of_all) / kBytesPerMb});
    }
  }

  void note_sizes() {
    if (run_.expected_too_large) add({PhaseNoteKind::kExpectedTooLarge, {}, 0, 0});
    if (!run_.model.expected_bytes) {
      add({PhaseNoteKind::kNoExpectedSizes, {}, 0, 0});
    } else if (run_.device.devices > 1 && run_.parameters) {
      add({PhaseNoteKind::kWholeModelExpected, {}, run_.device.devices, 0});
    }
    const RunFacts& facts = summary_.facts;
    if (run_.device.origin == FactOrigin::kEarlierInLog) {
      add({PhaseNoteKind::kFactInherited, "device memory", facts.device_memory_mb->line, 0});
    }
    if (facts.parameters && !facts.parameters->own) {
      add({PhaseNoteKind::kFactInherited, "number of parameters", facts.parameters->line, 0});
    }
  }

  /// Trackers before August 2026 showed the last figures under every phase of a name.
  void note_repeated_names() {
    PhaseNote note{PhaseNoteKind::kNamesRepeated, {}, 0, 0};
    std::map<std::string, std::vector<const PhaseRecord*>> by_name;
    for (const PhaseRecord& phase : summary_.phases) by_name[phase.name].push_back(&phase);
    for (const PhaseStep& phase : run_.phases) {
      const auto found = by_name.find(phase.name);
      if (found == by_name.end()) continue;
      const auto& same = found->second;
      const bool alike =
          same.size() > 1 && std::all_of(same.begin(), same.end(), [&](const PhaseRecord* record) {
            return std::equal(record->dram_mb.begin(), record->dram_mb.begin() + 4,
                              same.front()->dram_mb.begin());
          });
      if (alike) {
        if (phase.label.role == PhaseRole::kBackward) run_.lost_gradients = phase.name;
        note.name += (note.name.empty() ? "" : ", ") + phase.name;
        note.count = std::max<std::uint64_t>(note.count, same.size());
      }
      by_name.erase(found);
    }
    if (note.count > 0) add(std::move(note));
  }

  void note_circular_buffers() {
    double most = 0;
    std::map<PhaseRole, double> seen;
    const PhaseStep* cached = nullptr;
    for (const PhaseStep& phase : run_.phases) {
      if (!phase.l1) continue;
      most = std::max(most, phase.l1->peak_cb_mb);
      double& before = seen[phase.label.role];
      if (cached == nullptr && before > kCbNoticedMb && phase.l1->peak_cb_mb < kCbNoticedMb) cached = &phase;
      before = std::max(before, phase.l1->peak_cb_mb);
    }
    if (most >= kCoreL1Mb) add({PhaseNoteKind::kCbPerChip, {}, 0, most});
    if (cached != nullptr && cached->label.micro_step) add({PhaseNoteKind::kCbCached, cached->name, 0, 0});
  }

  const PhaseSummary& summary_;
  Configuration& run_;
};

}  // namespace

std::string_view name_of(PhaseNoteKind kind) {
  constexpr std::array<std::string_view, 11> kNames = {
      "device_memory_assumed", "device_memory_of_all", "whole_model_expected",
      "fact_inherited",        "expected_too_large",   "no_expected_sizes",
      "names_repeated",        "cb_per_chip",          "cb_cached",
      "negative_current",      "totals_derived"};
  return kNames[static_cast<std::size_t>(kind)];
}

void fill_notes(const PhaseSummary& summary, Configuration& configuration) {
  Noter(summary, configuration).note();
}

}  // namespace ttscope::phases
