// What would make a run smaller, and by how many bytes. Steps of the analysis: declared in phase_parts.h.
#include <algorithm>
#include <array>

#include "phases/analyse/phase_parts.h"

namespace ttscope::phases {
namespace {

constexpr double kWorthMentioning = 0.05;  // of the peak
constexpr std::uint32_t kMostMicroSteps = 64;

std::int64_t share_of(double share, std::int64_t bytes) {
  return std::llround(share * static_cast<double>(bytes));
}

class Adviser {
 public:
  Adviser(std::vector<Configuration>& all, std::uint32_t index) : all_(all), run_(all[index]), index_(index) {
    if (const Component* part = run_.component(ComponentKind::kActivations)) activations_ = part->bytes;
    for (const PhaseStep& phase : run_.phases) {
      if (phase.label.role != PhaseRole::kForward) floor_ = std::max(floor_, phase.current_bytes);
    }
  }

  void advise() {
    if (run_.peak_bytes <= 0) return;
    compare();
    if (activations_ >= share_of(kWorthMentioning, run_.peak_bytes)) {
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
    if (rescues || advice.bytes >= share_of(kWorthMentioning, run_.peak_bytes)) run_.advice.push_back(advice);
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
    const std::uint32_t most = run_.batch ? std::min(*run_.batch, kMostMicroSteps) : kMostMicroSteps;
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

void fill_advice(std::vector<Configuration>& configurations) {
  for (std::uint32_t i = 0; i < configurations.size(); ++i) Adviser(configurations, i).advise();
}

}  // namespace ttscope::phases
