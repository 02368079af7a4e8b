#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fit/device.h"
#include "mem/model/device_facts.h"

namespace ttscope::mem {

using KnownDevice = fit::Product;

/// Null for a name that is none.
inline const KnownDevice* find_device(std::string_view name) { return fit::find_product(name); }
inline std::vector<std::string_view> device_names() { return fit::product_names(); }

/// Fills in what is not known; what the log tells stays.
void supply_facts(DeviceFacts& facts, const KnownDevice& device);

}  // namespace ttscope::mem
