#include "phases/analyse/classic_breakdown.h"

#include <algorithm>

namespace ttscope::phases {

std::optional<double> classic_parameters(const ClassicLog& log) {
  for (const ClassicSection& section : log.sections) {
    if (section.parameters) return section.parameters;
  }
  return std::nullopt;
}

std::optional<double> classic_device_mb(const ClassicLog& log) {
  for (const ClassicSection& section : log.sections) {
    if (section.device_memory_mb) return section.device_memory_mb;
  }
  return std::nullopt;
}

FoundClassicSizes find_classic_sizes(const ClassicLog& log, const ClassicGiven& given) {
  constexpr double kMb = 1048576;
  constexpr double kBytesOfParameter = 2;  // bf16
  FoundClassicSizes found;
  std::optional<double> model = given.model_bytes;
  if (!model) {
    found.parameters = classic_parameters(log);
    if (found.parameters) model = *found.parameters * kBytesOfParameter;
  }
  if (!model) {
    found.missing = FoundClassicSizes::Missing::kModel;
    return found;
  }
  found.sizes.model_mb = *model / kMb;
  found.sizes.optimizer_mb = given.optimizer_bytes.value_or(*model * 2) / kMb;
  found.sizes.gradients_mb = given.gradients_bytes.value_or(*model) / kMb;
  if (!given.device_bytes) found.log_device_mb = classic_device_mb(log);
  if (given.device_bytes) {
    found.sizes.device_mb = *given.device_bytes / kMb;
  } else if (found.log_device_mb || log.rules.assumed_device_mb) {
    found.sizes.device_mb = found.log_device_mb ? *found.log_device_mb : *log.rules.assumed_device_mb;
  } else {
    found.missing = FoundClassicSizes::Missing::kDevice;
  }
  return found;
}

std::optional<double> classic_mb(const ClassicSection& section, ClassicPhase phase, DramField field) {
  const auto& figures = section.phases[static_cast<std::size_t>(phase)];
  return figures ? std::optional<double>((*figures)[static_cast<std::size_t>(field)]) : std::nullopt;
}

std::optional<double> classic_gradients_mb(const ClassicSection& section) {
  const auto after = classic_mb(section, ClassicPhase::kBackward, DramField::kCumulativeCurrent);
  const auto before = classic_mb(section, ClassicPhase::kOptimizer, DramField::kCumulativeCurrent);
  return after && before ? std::optional<double>(*after - *before) : std::nullopt;
}

double classic_difference(double actual_mb, double expected_mb) {
  return expected_mb == 0 ? 0 : (actual_mb - expected_mb) / expected_mb * 100;
}

std::optional<ClassicBreakdown> classic_breakdown(const ClassicSection& section, const ClassicSizes& sizes,
                                                  bool use_actual_sizes) {
  if (!section.peak_mb) return std::nullopt;
  const auto change = [&](ClassicPhase phase) {
    return classic_mb(section, phase, DramField::kSegmentChange).value_or(0);
  };
  ClassicBreakdown bar;
  bar.model_mb = use_actual_sizes ? change(ClassicPhase::kModel) : sizes.model_mb;
  bar.optimizer_mb = use_actual_sizes ? change(ClassicPhase::kOptimizer) : sizes.optimizer_mb;
  bar.activations_mb = change(ClassicPhase::kForward);
  bar.gradients_overhead_mb =
      classic_mb(section, ClassicPhase::kBackward, DramField::kSegmentPeak).value_or(0);
  bar.total_mb = *section.peak_mb;
  bar.device_mb = sizes.device_mb;
  const double explained = bar.model_mb + bar.optimizer_mb + bar.activations_mb + bar.gradients_overhead_mb;
  bar.other_mb = std::max(0.0, bar.total_mb - explained);
  return bar;
}

}  // namespace ttscope::phases
