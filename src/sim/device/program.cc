#include "sim/device/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/device/free_list.h"

namespace ttscope::sim {
namespace {

std::string range_text(const CoreRange& range) {
  return fmt::format("[{}-{} - {}-{}]", range.start_x, range.start_y, range.end_x, range.end_y);
}

using Regions = std::vector<CircularBufferPlaces::Region>;

Regions distinct_regions(const Program& program, std::uint64_t base) {
  Regions regions;
  for (const CircularBuffer& buffer : program.circular_buffers) {
    for (const CoreRange& cores : buffer.cores) {
      const auto known = std::find_if(regions.begin(), regions.end(),
                                      [&](const auto& region) { return region.cores == cores; });
      if (known == regions.end()) regions.push_back({cores, base});
    }
  }
  return regions;
}

bool contains(const std::vector<CoreRange>& ranges, const CoreRange& range) {
  return std::find(ranges.begin(), ranges.end(), range) != ranges.end();
}

void mark(Regions& regions, const CircularBuffer& buffer, std::uint64_t start) {
  for (auto& region : regions) {
    const bool own = contains(buffer.cores, region.cores);
    const bool touched =
        own || std::any_of(buffer.cores.begin(), buffer.cores.end(),
                           [&](const CoreRange& cores) { return cores.intersects(region.cores); });
    if (!touched || (!own && region.end > start)) continue;
    region.end = start + buffer.size_bytes;
  }
}

}  // namespace

bool CoreRange::intersects(const CoreRange& other) const {
  return start_x <= other.end_x && other.start_x <= end_x && start_y <= other.end_y && other.start_y <= end_y;
}

std::string core_ranges_text(const std::vector<CoreRange>& ranges) {
  std::string text = "{";
  for (const CoreRange& range : ranges) {
    if (text.size() > 1) text += ", ";
    text += range_text(range);
  }
  return text + "}";
}

CircularBufferPlaces place_circular_buffers(const Program& program, const DeviceSpec& spec) {
  CircularBufferPlaces places;
  places.regions = distinct_regions(program, spec.l1_base_address);
  for (const CircularBuffer& buffer : program.circular_buffers) {
    std::uint64_t start = spec.l1_base_address;
    for (const auto& region : places.regions) {
      if (contains(buffer.cores, region.cores)) start = std::max(start, region.end);
    }
    start = round_up(start, spec.dram_alignment_bytes);
    places.addresses.push_back(start);
    if (!buffer.globally_allocated) mark(places.regions, buffer, start);
  }
  return places;
}

Result<void> check_circular_buffers(const CircularBufferPlaces& places, const DeviceSpec& spec,
                                    std::optional<std::uint64_t> lowest_tensor_address) {
  for (const auto& region : places.regions) {
    if (region.end > spec.l1_bytes_per_core) {
      return failure(
          bad_input(fmt::format("Statically allocated circular buffers on core range {} grow to {} B which "
                                "is beyond max L1 size of {} B",
                                range_text(region.cores), region.end, spec.l1_bytes_per_core)));
    }
    if (lowest_tensor_address && region.end > *lowest_tensor_address) {
      return failure(bad_input(fmt::format(
          "Statically allocated circular buffers in program {} clash with L1 buffers on core range {}. "
          "L1 buffer allocated at {} and static circular buffer region ends at {}",
          places.program_id, range_text(region.cores), *lowest_tensor_address, region.end)));
    }
  }
  return {};
}

}  // namespace ttscope::sim
