#pragma once

#include "base/result.h"
#include "fit/device.h"
#include "sim/fit/placed_run.h"

namespace ttscope::sim {

/// A device that is asked about, as the simulator and as the report describe it.
struct ChosenDevice {
  DeviceSpec spec;
  fit::Device device;
};

/// The presets of the simulated device where the product has one: whole banks, as tt-train's runs have them
/// without profiler and prints of kernels. Other products have the chips of these.
Result<ChosenDevice> choose_device(const fit::Device& asked);

/// The smallest Wormhole product with so many chips: what is taken where nobody names a device.
ChosenDevice usual_device(std::uint32_t chips);

}  // namespace ttscope::sim
