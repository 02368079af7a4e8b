#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "phases/model/classic_rules.h"
#include "phases/model/phase_log.h"

namespace ttscope::phases {

/// The phases that analyze_memory.py knows; it drops all others.
enum class ClassicPhase : std::uint8_t { kModel, kOptimizer, kForward, kBackward };
inline constexpr std::size_t kClassicPhaseCount = 4;

/// A summary as analyze_memory.py reads it.
struct ClassicSection {
  std::string name;
  std::optional<double> parameters;
  std::optional<double> device_memory_mb;
  /// The six figures of each phase that is there, as printed; 0 for what is no number.
  std::array<std::optional<std::array<double, kDramFieldCount>>, kClassicPhaseCount> phases{};
  std::optional<double> peak_mb;
};

struct ClassicLog {
  std::vector<ClassicSection> sections;
  ClassicRules rules;  ///< of the release whose words the log has
};

}  // namespace ttscope::phases
