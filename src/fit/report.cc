#include "fit/report.h"

#include "base/result.h"

#include <algorithm>
#include <array>

namespace ttscope::fit {

std::string_view name_of(Basis basis) {
  constexpr std::array<std::string_view, 3> kNames = {"measured", "replayed", "estimated"};
  return kNames[static_cast<std::size_t>(basis)];
}

std::string_view name_of(Omission omission) {
  constexpr std::array<std::string_view, 22> kNames = {
      "circular_buffers", "kernels",          "temporaries",           "after_failure",
      "after_cut",        "unexplained",      "activations_not_split", "dimensions_guessed",
      "same_schedule",    "device_assumed",   "device_by_message",     "held_assumed",
      "holes_assumed",    "caches_kept",      "sequence_is_width",     "dimensions_not_told",
      "no_states",        "no_deallocations", "modelled_training",     "vocabulary_assumed",
      "batch_assumed",    "unread_types"};
  return kNames[static_cast<std::size_t>(omission)];
}

std::string_view name_of(Shortage shortage) {
  constexpr std::array<std::string_view, 9> kNames = {
      "exhausted",     "fragmented",    "larger_than_bank", "region_missing",   "circular_buffers",
      "too_few_cores", "too_few_chips", "undecided",        "program_too_large"};
  return kNames[static_cast<std::size_t>(shortage)];
}

std::string_view name_of(PhaseUse::State state) {
  constexpr std::array<std::string_view, 3> kNames = {"done", "failed", "not_reached"};
  return kNames[static_cast<std::size_t>(state)];
}

MemoryUse use_of_placed(const PlacedMemory& placed, const Device& device, Memory memory) {
  MemoryUse use;
  use.memory = memory;
  use.region = device.region(memory);
  use.peak_bytes_per_bank = placed.peak_bytes_per_bank;
  use.headroom_bytes_per_bank = use.region.bytes_per_bank - use.peak_bytes_per_bank;
  use.smallest_largest_free_bytes_per_bank = placed.smallest_largest_free_bytes;
  use.worst_fragmentation = placed.worst_fragmentation;
  return use;
}

const MemoryUse* DeviceVerdict::use_of(Memory memory) const {
  const auto found = std::find_if(memories.begin(), memories.end(),
                                  [memory](const MemoryUse& use) { return use.memory == memory; });
  return found == memories.end() ? nullptr : &*found;
}

bool Report::fits() const {
  return std::all_of(devices.begin(), devices.end(), [](const DeviceVerdict& d) { return d.fits; });
}

std::optional<Omission> Report::cut_by() const {
  for (const Omission cut : {Omission::kAfterFailure, Omission::kAfterCut}) {
    if (std::find(omissions.begin(), omissions.end(), cut) != omissions.end()) return cut;
  }
  return std::nullopt;
}

bool Changes::any() const {
  return weights != WeightFormat::kAsRecorded || free_originals || originals_on_host || best_fit ||
         tensor_parallel > 1 || batch.to != 0 || sequence.to != 0 || !row_major.empty() ||
         !free_early.empty() || recompute || !optimizer.empty();
}

std::string_view name_of(Growth growth) {
  constexpr std::array<std::string_view, 2> kNames = {"batch", "sequence"};
  return kNames[static_cast<std::size_t>(growth)];
}

Result<std::vector<Device>> requested_devices(const FitQuery& question, const Reservations& reserved) {
  std::vector<Device> devices;
  for (const std::string& name : question.devices) {
    if (name == "all") {
      for (const std::string_view product : product_names())
        devices.push_back(device_of(*find_product(product), reserved));
      continue;
    }
    ASSIGN_OR_RETURN(Device device, parse_device(name, reserved));
    devices.push_back(std::move(device));
  }
  return devices;
}

}  // namespace ttscope::fit
