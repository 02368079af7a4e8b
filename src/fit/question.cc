#include "fit/question.h"

#include <algorithm>
#include <array>

namespace ttscope::fit {

bool Changes::any() const {
  return weights != WeightFormat::kAsRecorded || free_originals || originals_on_host || best_fit ||
         tensor_parallel > 1 || batch.to != 0 || sequence.to != 0 || !row_major.empty() ||
         !free_early.empty() || recompute || !optimizer.empty();
}

std::string_view name_of(Growth growth) {
  constexpr std::array<std::string_view, 2> kNames = {"batch", "sequence"};
  return kNames[static_cast<std::size_t>(growth)];
}

Result<std::vector<Device>> asked_devices(const Question& question, const Reservations& reserved) {
  std::vector<Device> devices;
  for (const std::string& name : question.devices) {
    if (name == "all") {
      for (const std::string_view product : product_names())
        devices.push_back(device_of(*find_product(product), reserved));
      continue;
    }
    Result<Device> device = parse_device(name, reserved);
    if (!device) return failure(device.error());
    devices.push_back(std::move(*device));
  }
  return devices;
}

}  // namespace ttscope::fit
