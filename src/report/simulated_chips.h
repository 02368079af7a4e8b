#pragma once

#include <string_view>

namespace ttscope::report {

/// What every report says of a run whose devices were simulated, and the parts of it that others begin
/// otherwise.
inline constexpr std::string_view kRunOnSimulatedChips =
    "run on simulated chips: the times of devices are modelled, not those of a board";
inline constexpr std::string_view kSimulatedChipsWords =
    kRunOnSimulatedChips.substr(kRunOnSimulatedChips.find("simulated"));
inline constexpr std::string_view kTimesAreModelled =
    kRunOnSimulatedChips.substr(kRunOnSimulatedChips.find("times"));

}  // namespace ttscope::report
