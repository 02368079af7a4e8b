// What the memory is used for: steps of training, sizes, and the parts of the peak. Steps of the analysis:
// declared in phase_parts.h.
#include <algorithm>
#include <array>

#include "phases/analyse/phase_parts.h"

namespace ttscope::phases {
namespace {

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
  if (expected) return Confidence::kModelled;
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

const Component* Configuration::component(ComponentKind kind) const {
  const auto found = std::find_if(components.begin(), components.end(),
                                  [&](const Component& part) { return part.kind == kind; });
  return found == components.end() ? nullptr : &*found;
}

}  // namespace ttscope::phases
