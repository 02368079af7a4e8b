#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ttscope {

/// Where a figure comes from. Measured: printed by the runtime. Derived: computed from tensor layouts and
/// confirmed by the measurement within its rounding, or split off a measured change by the layouts. Modelled:
/// from layouts alone.
enum class Confidence : std::uint8_t { kNone, kMeasured, kDerived, kModelled };

constexpr std::string_view name_of(Confidence confidence) {
  constexpr std::array<std::string_view, 4> kNames = {"none", "measured", "derived", "modelled"};
  return kNames[static_cast<std::size_t>(confidence)];
}

/// How bad a finding is; a verdict is that of its worst finding.
enum class Severity : std::uint8_t { kOk, kWarning, kCritical };

constexpr std::string_view name_of(Severity severity) {
  constexpr std::array<std::string_view, 3> kNames = {"ok", "warning", "critical"};
  return kNames[static_cast<std::size_t>(severity)];
}

}  // namespace ttscope
