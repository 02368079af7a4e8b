#include "phases/analyze/phase_analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>

namespace ttscope::phases {
namespace {

constexpr double kBytesPerMb = 1048576;

/// The steps of the analysis, each filling its part of a configuration in this order.
void fill_phases(const PhaseSummary& summary, Configuration& configuration);
void check_relations(const PhaseSummary& summary, Configuration& configuration);
void fill_steps(Configuration& configuration);
void fill_sizes(const PhaseSummary& summary, const PhaseOptions& options, Configuration& configuration);
void fill_components(Configuration& configuration);
void fill_notes(const PhaseSummary& summary, Configuration& configuration);
/// Needs all configurations.
void fill_advice(std::vector<Configuration>& configurations);

std::int64_t bytes_of_mb(double mb) { return std::llround(mb * kBytesPerMb); }

/// A sum that a hostile log cannot make overflow.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  constexpr std::int64_t kMax = std::int64_t{1} << 61;
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum) || sum > kMax) return a > 0 || b > 0 ? kMax : -kMax;
  return sum < -kMax ? -kMax : sum;
}

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

bool Configuration::decides_fit() const { return has_verdict() || exceeds_device(*this); }

PhaseAnalysis analyze_phases(const PhaseLog& log, const PhaseOptions& options) {
  PhaseAnalysis analysis;
  Severity worst = Severity::kOk;  // of those with a verdict
  bool all_known = true;
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
    all_known = all_known && run.has_verdict();
  }
  analysis.verdict = all_known || worst == Severity::kCritical ? std::optional(worst) : std::nullopt;
  name_all(log, analysis.configurations);
  fill_advice(analysis.configurations);
  return analysis;
}

namespace {

constexpr double kMinReportedShare = 0.05;  // of the peak
constexpr std::uint32_t kMaxMicroSteps = 64;

std::int64_t share_of(double share, std::int64_t bytes) {
  return std::llround(share * static_cast<double>(bytes));
}

class AdviceBuilder {
 public:
  AdviceBuilder(std::vector<Configuration>& all, std::uint32_t index)
      : all_(all), run_(all[index]), index_(index) {
    if (const Component* part = run_.component(ComponentKind::kActivations)) activations_ = part->bytes;
    for (const PhaseStep& phase : run_.phases) {
      if (phase.label.role != PhaseRole::kForward) floor_ = std::max(floor_, phase.current_bytes);
    }
  }

  void advise() {
    if (run_.peak_bytes <= 0) return;
    compare();
    if (activations_ >= share_of(kMinReportedShare, run_.peak_bytes)) {
      recompute();
      const bool one_sequence = run_.batch && *run_.batch == 1;  // it cannot be divided
      if (!one_sequence) shrink_batch();
      if (!one_sequence) accumulate();
    }
    shrink_state();
    std::stable_sort(run_.advice.begin(), run_.advice.end(),
                     [](const Advice& a, const Advice& b) { return a.bytes > b.bytes; });
  }

 private:
  /// The peak with fewer activations. It cannot fall below what stays after the phases that keep none: then
  /// those make the peak.
  std::int64_t peak_without(std::int64_t bytes) const {
    return std::max(plus(run_.peak_bytes, -bytes), floor_);
  }

  bool fits(std::int64_t peak) const { return !run_.device.bytes || peak <= *run_.device.bytes; }

  void add(Advice advice, std::int64_t peak_after) {
    advice.peak_after_bytes = peak_after;
    advice.bytes = run_.peak_bytes - peak_after;
    const bool rescues = exceeds_device(run_) && fits(peak_after);
    if (rescues || advice.bytes >= share_of(kMinReportedShare, run_.peak_bytes))
      run_.advice.push_back(advice);
  }

  /// The smallest run given that trains a model of the same size.
  void compare() {
    std::optional<std::uint32_t> best;
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      if (i == index_ || all_[i].peak_bytes <= 0 || !run_.parameters || all_[i].parameters != run_.parameters)
        continue;
      if (!best || all_[i].peak_bytes < all_[*best].peak_bytes) best = i;
    }
    if (!best) return;
    Advice advice;
    advice.kind = AdviceKind::kOtherConfiguration;
    advice.configuration = *best;
    add(advice, all_[*best].peak_bytes);
  }

  /// The least that a run given of the same model needs which keeps a small part of these activations: a run
  /// that recomputes them. Nothing says that this run would need less.
  std::int64_t measured_recomputation() const {
    constexpr std::int64_t kKeptPart = 4;
    std::optional<std::int64_t> least;
    for (const Configuration& other : all_) {
      const bool same_model = run_.parameters ? other.parameters == run_.parameters
                                              : other.model.actual_bytes == run_.model.actual_bytes;
      if (&other == &run_ || !same_model || !other.activations_bytes || other.peak_bytes <= 0) continue;
      if (*other.activations_bytes * kKeptPart > activations_) continue;
      least = std::min(least.value_or(other.peak_bytes), other.peak_bytes);
    }
    return least.value_or(0);
  }

  void recompute() {
    Advice advice;
    advice.kind = AdviceKind::kRecomputation;
    advice.affected_bytes = activations_;
    add(advice, std::max(peak_without(activations_), measured_recomputation()));
  }

  void shrink_batch() {
    Advice advice;
    advice.kind = AdviceKind::kSmallerBatch;
    advice.affected_bytes = activations_;
    advice.batch_share = 0.5;
    if (exceeds_device(run_)) {
      const std::int64_t over = run_.peak_bytes - *run_.device.bytes;
      if (over >= activations_ || floor_ > *run_.device.bytes) return;  // no batch is small enough
      advice.batch_share = 1 - static_cast<double>(over) / static_cast<double>(activations_);
    }
    add(advice, peak_without(activations_ - share_of(advice.batch_share, activations_)));
  }

  /// Gradients then stay while the next forward pass runs.
  void accumulate() {
    const bool already = run_.component(ComponentKind::kGradients) != nullptr;
    const std::int64_t gradients = std::max<std::int64_t>(0, run_.gradients.actual_bytes.value_or(0) != 0
                                                                 ? *run_.gradients.actual_bytes
                                                                 : run_.gradients.expected_bytes.value_or(0));
    const std::uint32_t now = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(run_.steps.size()));
    const std::uint32_t most = run_.batch ? std::min(*run_.batch, kMaxMicroSteps) : kMaxMicroSteps;
    for (std::uint32_t factor = 2; factor <= most; factor *= 2) {
      const std::int64_t saved = activations_ - activations_ / factor;
      const std::int64_t peak = plus(peak_without(saved), already ? 0 : gradients);
      const bool last = factor * 2 > most;
      if (!fits(peak) && !last) continue;
      if (!fits(peak)) return;
      Advice advice;
      advice.kind = AdviceKind::kGradientAccumulation;
      advice.micro_steps = now * factor;
      advice.affected_bytes = activations_;
      add(advice, peak);
      return;
    }
  }

  void shrink_state() {
    if (!run_.optimizer.actual_bytes || !run_.model.actual_bytes || *run_.model.actual_bytes <= 0) return;
    const std::int64_t more = *run_.optimizer.actual_bytes - 2 * *run_.model.actual_bytes;
    if (run_.component(ComponentKind::kOptimizer) == nullptr) return;
    Advice advice;
    advice.kind = AdviceKind::kOptimizerState;
    advice.affected_bytes = *run_.optimizer.actual_bytes;
    if (more > 0) add(advice, run_.peak_bytes - more);
  }

  std::vector<Configuration>& all_;
  Configuration& run_;
  std::uint32_t index_;
  std::int64_t activations_ = 0;
  std::int64_t floor_ = 0;
};

}  // namespace

std::string_view name_of(AdviceKind kind) {
  constexpr std::array<std::string_view, 5> kNames = {"other_configuration", "recomputation", "smaller_batch",
                                                      "gradient_accumulation", "optimizer_state"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

void fill_advice(std::vector<Configuration>& configurations) {
  for (std::uint32_t i = 0; i < configurations.size(); ++i) AdviceBuilder(configurations, i).advise();
}

constexpr std::int64_t kRoundingBytes = 1 << 20;  // far above what two decimals can add up to

/// What is in use at a moment, by what it is for. Phases are added in order.
class LiveSum {
 public:
  /// All that a phase left behind.
  void add(const PhaseStep& phase) {
    settle_before(phase.label.role);
    const std::int64_t change = phase.change_bytes;
    switch (phase.label.role) {
      case PhaseRole::kModel:
        model_ = plus(model_, change);
        break;
      case PhaseRole::kOptimizer:
        optimizer_ = plus(optimizer_, change);
        break;
      case PhaseRole::kForward:
        activations_ = plus(activations_, change);
        break;
      case PhaseRole::kBackward:
        add_backward(change);
        break;
      default:
        other_ = plus(other_, change);
    }
    last_ = phase.label.role;
  }

  /// What the phase of the peak has at that moment beyond its start. Of what it leaves behind, as much as
  /// fits counts as there already; the rest is temporary.
  void add_peak(const PhaseStep& phase) {
    settle_before(phase.label.role);
    if (phase.label.role == PhaseRole::kBackward) {
      overhead_ = phase.segment_peak_bytes;
      return;
    }
    PhaseStep kept = phase;
    kept.change_bytes =
        std::clamp<std::int64_t>(phase.change_bytes, 0, std::max<std::int64_t>(phase.segment_peak_bytes, 0));
    add(kept);
    temporaries_ = phase.segment_peak_bytes - kept.change_bytes;
  }

  std::int64_t bytes(ComponentKind kind) const {
    switch (kind) {
      case ComponentKind::kModel:
        return model_;
      case ComponentKind::kGradientsOverhead:
        return overhead_;
      case ComponentKind::kOptimizer:
        return optimizer_;
      case ComponentKind::kActivations:
        return activations_;
      case ComponentKind::kGradients:
        return gradients_;
      case ComponentKind::kOtherPhases:
        return other_;
      case ComponentKind::kTemporaries:
        return temporaries_;
      case ComponentKind::kOther:
        break;
    }
    return 0;
  }

 private:
  /// When the backward pass is over, its activations are gone: what is left of both passes are gradients.
  void settle_before(PhaseRole next) {
    if (last_ != PhaseRole::kBackward || next == PhaseRole::kBackward) return;
    gradients_ = plus(gradients_, activations_);
    activations_ = 0;
  }

  /// A backward pass may be cut into many phases. While it lasts, what shrinks are activations first.
  void add_backward(std::int64_t change) {
    if (change >= 0) {
      gradients_ = plus(gradients_, change);
      return;
    }
    const std::int64_t freed = std::min(-change, std::max<std::int64_t>(activations_, 0));
    activations_ -= freed;
    gradients_ = plus(gradients_, change + freed);
  }

  PhaseRole last_ = PhaseRole::kOther;
  std::int64_t model_ = 0;
  std::int64_t optimizer_ = 0;
  std::int64_t activations_ = 0;
  std::int64_t gradients_ = 0;
  std::int64_t overhead_ = 0;
  std::int64_t other_ = 0;
  std::int64_t temporaries_ = 0;
};

std::optional<std::int64_t> sum_of_changes(const std::vector<PhaseStep>& phases, PhaseRole role) {
  std::optional<std::int64_t> sum;
  for (const PhaseStep& phase : phases) {
    if (phase.label.role == role) sum = plus(sum.value_or(0), phase.change_bytes);
  }
  return sum;
}

/// Two bytes a parameter, and two such values a parameter in the optimizer's state.
void fill_expected(const PhaseOptions& options, Configuration& configuration) {
  std::optional<std::int64_t> model = options.model_bytes;
  if (!model && configuration.parameters) model = static_cast<std::int64_t>(*configuration.parameters) * 2;
  configuration.model.expected_bytes = model;
  configuration.optimizer.expected_bytes = options.optimizer_bytes ? options.optimizer_bytes
                                           : model                 ? std::optional(*model * 2)
                                                                   : std::nullopt;
  configuration.gradients.expected_bytes = options.gradients_bytes ? options.gradients_bytes : model;
}

Confidence confidence_of(ComponentKind kind, bool expected) {
  if (expected) return Confidence::kModeled;
  switch (kind) {
    case ComponentKind::kActivations:
    case ComponentKind::kGradients:
    case ComponentKind::kTemporaries:
    case ComponentKind::kOther:
      return Confidence::kDerived;
    default:
      return Confidence::kMeasured;
  }
}

/// What is expected instead of a measured part; absent where the measured one counts.
std::optional<std::int64_t> expected_of(const Configuration& configuration, ComponentKind kind) {
  if (configuration.actual_sizes) return std::nullopt;
  if (kind == ComponentKind::kModel) return configuration.model.expected_bytes;
  return kind == ComponentKind::kOptimizer ? configuration.optimizer.expected_bytes : std::nullopt;
}

/// All parts that are there, what they leave unexplained first.
std::vector<Component> components_of(const LiveSum& live, const Configuration& configuration) {
  std::vector<Component> components(1);
  std::int64_t explained = 0;
  std::int64_t measured = 0;
  for (std::size_t i = 1; i < kComponentCount; ++i) {
    const auto kind = static_cast<ComponentKind>(i);
    const std::int64_t measured_bytes = live.bytes(kind);
    if (measured_bytes == 0) continue;
    const std::optional<std::int64_t> expected = expected_of(configuration, kind);
    // What one forward pass kept is printed as such; what several kept is summed up.
    const bool printed =
        kind == ComponentKind::kActivations && measured_bytes == configuration.activations_bytes;
    components.push_back({kind, expected.value_or(measured_bytes), measured_bytes,
                          printed ? Confidence::kMeasured : confidence_of(kind, expected.has_value())});
    explained = plus(explained, components.back().bytes);
    measured = plus(measured, measured_bytes);
  }
  Component& other = components.front();
  other.bytes = plus(configuration.peak_bytes, -explained);
  other.measured_bytes = plus(configuration.peak_bytes, -measured);
  other.confidence = Confidence::kDerived;
  return components;
}

}  // namespace

std::string_view name_of(ComponentKind kind) {
  constexpr std::array<std::string_view, kComponentCount> kNames = {
      "other",       "model",     "gradients_overhead", "optimizer",
      "activations", "gradients", "other_phases",       "temporaries"};
  return kNames[static_cast<std::size_t>(kind)];
}

namespace {

void fill_steps(Configuration& configuration) {
  TrainingStep* open = nullptr;
  for (std::uint32_t i = 0; i < configuration.phases.size(); ++i) {
    const PhaseStep& phase = configuration.phases[i];
    const bool forward = phase.label.role == PhaseRole::kForward;
    if (!forward && phase.label.role != PhaseRole::kBackward) {
      open = nullptr;
      continue;
    }
    if (open == nullptr || (forward && open->has_backward)) {
      open = &configuration.steps.emplace_back();
      open->first_phase = i;
      open->micro_step = phase.label.micro_step;
    }
    open->last_phase = i;
    open->has_backward |= !forward;
    if (forward) open->activations_bytes = plus(open->activations_bytes, phase.change_bytes);
    open->net_bytes = plus(open->net_bytes, phase.change_bytes);
    open->peak_bytes = std::max(open->peak_bytes, phase.reached_bytes());
  }
}

void fill_sizes(const PhaseSummary& summary, const PhaseOptions& options, Configuration& configuration) {
  if (summary.facts.parameters) configuration.parameters = summary.facts.parameters->value;
  configuration.model.actual_bytes = sum_of_changes(configuration.phases, PhaseRole::kModel);
  configuration.optimizer.actual_bytes = sum_of_changes(configuration.phases, PhaseRole::kOptimizer);
  for (const TrainingStep& step : configuration.steps) {
    configuration.activations_bytes =
        std::max(configuration.activations_bytes.value_or(step.activations_bytes), step.activations_bytes);
    // Gradients are made by the first backward pass; later micro-steps add to them in place.
    if (step.has_backward && !configuration.gradients.actual_bytes)
      configuration.gradients.actual_bytes = step.net_bytes;
  }
  fill_expected(options, configuration);
  configuration.actual_sizes = options.use_actual_sizes;
}

void fill_components(Configuration& configuration) {
  LiveSum live;
  const std::size_t peak = configuration.peak_phase.value_or(configuration.phases.size());
  for (std::size_t i = 0; i < peak && i < configuration.phases.size(); ++i) live.add(configuration.phases[i]);
  if (peak < configuration.phases.size()) live.add_peak(configuration.phases[peak]);
  configuration.components = components_of(live, configuration);
  if (configuration.actual_sizes || configuration.components.front().bytes >= -kRoundingBytes) return;
  if (configuration.components.front().measured_bytes <= configuration.components.front().bytes) return;
  configuration.actual_sizes = true;
  configuration.expected_too_large = true;
  configuration.components = components_of(live, configuration);
}

}  // namespace

const Component* Configuration::component(ComponentKind kind) const {
  const auto found = std::find_if(components.begin(), components.end(),
                                  [&](const Component& part) { return part.kind == kind; });
  return found == components.end() ? nullptr : &*found;
}

namespace {

constexpr double kCoreL1Mb = 1.5;       // of the largest chip
constexpr double kCbNoticedMb = 0.005;  // less is printed as 0.00

class NoteBuilder {
 public:
  NoteBuilder(const PhaseSummary& summary, Configuration& run) : summary_(summary), run_(run) {}

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

namespace {

void fill_notes(const PhaseSummary& summary, Configuration& configuration) {
  NoteBuilder(summary, configuration).note();
}

/// Three figures of two decimals each: their rounding adds up.
constexpr double kRoundingMb = 0.0151;

std::optional<std::int64_t> bytes_or_none(const std::optional<double>& mb) {
  return mb ? std::optional<std::int64_t>(bytes_of_mb(*mb)) : std::nullopt;
}

/// What a phase left behind, by the first relation that has its figures.
std::int64_t change_of(const PhaseRecord& record, std::int64_t start_bytes) {
  if (const auto& change = record.dram(DramField::kSegmentChange)) return bytes_of_mb(*change);
  const auto& allocated = record.dram(DramField::kAllocations);
  const auto& freed = record.dram(DramField::kDeallocations);
  if (allocated && freed) return bytes_of_mb(*allocated - *freed);
  const auto& current = record.dram(DramField::kCumulativeCurrent);
  return current ? plus(bytes_of_mb(*current), -start_bytes) : 0;
}

/// What was in use before the first phase: nothing, unless phases above it are lost.
std::int64_t start_of(const PhaseSummary& summary) {
  if (!summary.is_header_missing || summary.phases.empty()) return 0;
  const PhaseRecord& first = summary.phases.front();
  const auto& current = first.dram(DramField::kCumulativeCurrent);
  return current ? plus(bytes_of_mb(*current), -change_of(first, 0)) : 0;
}

PhaseStep step_of(const PhaseRecord& record, std::int64_t start_bytes, std::int64_t peak_bytes) {
  PhaseStep step;
  step.name = record.name;
  step.label = read_label(record.name);
  step.line = record.line;
  step.start_bytes = start_bytes;
  step.change_bytes = change_of(record, start_bytes);
  const auto& current = record.dram(DramField::kCumulativeCurrent);
  step.current_bytes = current ? bytes_of_mb(*current) : plus(start_bytes, step.change_bytes);
  const auto& segment_peak = record.dram(DramField::kSegmentPeak);
  const auto& peak = record.dram(DramField::kCumulativePeak);
  if (segment_peak) {
    step.segment_peak_bytes = bytes_of_mb(*segment_peak);
  } else {
    const bool new_peak = peak && bytes_of_mb(*peak) > peak_bytes;
    step.segment_peak_bytes =
        new_peak ? plus(bytes_of_mb(*peak), -start_bytes) : std::max<std::int64_t>(step.change_bytes, 0);
  }
  step.peak_so_far_bytes =
      peak ? bytes_of_mb(*peak) : std::max(peak_bytes, plus(start_bytes, step.segment_peak_bytes));
  step.allocations_bytes = bytes_or_none(record.dram(DramField::kAllocations));
  step.deallocations_bytes = bytes_or_none(record.dram(DramField::kDeallocations));
  step.l1 = record.l1;
  step.complete =
      std::all_of(record.dram_mb.begin(), record.dram_mb.end(), [](const auto& mb) { return !!mb; });
  return step;
}

/// Compares printed figures; absent ones break nothing.
class RelationCheck {
 public:
  explicit RelationCheck(std::vector<Violation>& violations) : violations_(violations) {}

  void equal(Relation relation, std::uint32_t phase, std::optional<double> printed,
             std::optional<double> expected) {
    if (printed && expected && std::abs(*printed - *expected) > kRoundingMb) {
      violations_.push_back({relation, phase, *printed, *expected});
    }
  }
  void at_least(Relation relation, std::uint32_t phase, std::optional<double> printed,
                std::optional<double> least) {
    if (printed && least && *printed < *least - kRoundingMb) {
      violations_.push_back({relation, phase, *printed, *least});
    }
  }

 private:
  std::vector<Violation>& violations_;
};

std::optional<double> sum(std::optional<double> a, std::optional<double> b, double sign = 1) {
  return a && b ? std::optional<double>(*a + sign * *b) : std::nullopt;
}

}  // namespace

std::string_view name_of(Relation relation) {
  constexpr std::array<std::string_view, 6> kNames = {"segment_change",  "cumulative_current",
                                                      "cumulative_peak", "segment_peak",
                                                      "overall_peak",    "final_usage"};
  return kNames[static_cast<std::size_t>(relation)];
}

namespace {

void fill_phases(const PhaseSummary& summary, Configuration& configuration) {
  std::int64_t current = start_of(summary);
  std::int64_t peak = 0;
  for (const PhaseRecord& record : summary.phases) {
    const PhaseStep& step = configuration.phases.emplace_back(step_of(record, current, peak));
    current = step.current_bytes;
    peak = step.peak_so_far_bytes;
  }
  configuration.peak_bytes = summary.overall_peak_mb ? bytes_of_mb(*summary.overall_peak_mb) : peak;
  configuration.final_bytes = summary.final_usage_mb ? bytes_of_mb(*summary.final_usage_mb) : current;
  std::int64_t highest = 0;
  for (std::uint32_t i = 0; i < configuration.phases.size(); ++i) {
    const std::int64_t reached = configuration.phases[i].reached_bytes();
    if (reached <= highest) continue;
    highest = reached;
    configuration.peak_phase = i;
  }
}

void check_relations(const PhaseSummary& summary, Configuration& configuration) {
  RelationCheck check(configuration.violations);
  std::optional<double> current = summary.is_header_missing ? std::nullopt : std::optional<double>(0);
  std::optional<double> peak = current;
  for (std::uint32_t i = 0; i < summary.phases.size(); ++i) {
    const PhaseRecord& phase = summary.phases[i];
    const auto& change = phase.dram(DramField::kSegmentChange);
    const auto& segment_peak = phase.dram(DramField::kSegmentPeak);
    check.equal(Relation::kSegmentChange, i, change,
                sum(phase.dram(DramField::kAllocations), phase.dram(DramField::kDeallocations), -1));
    check.at_least(Relation::kSegmentPeak, i, segment_peak, change);
    check.equal(Relation::kCumulativeCurrent, i, phase.dram(DramField::kCumulativeCurrent),
                sum(current, change));
    const std::optional<double> reached = sum(current, segment_peak);
    if (peak && reached) {
      check.equal(Relation::kCumulativePeak, i, phase.dram(DramField::kCumulativePeak),
                  std::max(*peak, *reached));
    }
    current = phase.dram(DramField::kCumulativeCurrent);
    peak = phase.dram(DramField::kCumulativePeak);
  }
  if (summary.phases.empty()) return;
  const auto last = static_cast<std::uint32_t>(summary.phases.size() - 1);
  check.equal(Relation::kOverallPeak, last, summary.overall_peak_mb, peak);
  check.equal(Relation::kFinalUsage, last, summary.final_usage_mb, current);
}

}  // namespace

}  // namespace ttscope::phases
