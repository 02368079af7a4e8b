#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ttscope::phases {

/// What a phase does in training, told by its name.
enum class PhaseRole : std::uint8_t {
  kModel,      ///< makes or loads parameters
  kOptimizer,  ///< makes the optimizer's state
  kForward,    ///< ends with activations kept for the backward pass
  kBackward,   ///< frees activations, makes gradients
  kStep,       ///< the optimizer's step and what closes an iteration
  kOther,      ///< any other name
};
std::string_view name_of(PhaseRole role);

/// The parts of a phase's name: `FORWARD_PASS_micro_2__000017`.
struct PhaseLabel {
  std::string base;                         ///< `FORWARD_PASS`
  std::optional<std::uint32_t> micro_step;  ///< of gradient accumulation, 2
  std::optional<std::uint32_t> counter;     ///< that some trainers append to every name, 17
  PhaseRole role = PhaseRole::kOther;
};

PhaseLabel read_label(std::string_view name);

}  // namespace ttscope::phases
