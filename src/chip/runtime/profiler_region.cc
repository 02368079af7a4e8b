#include "chip/runtime/profiler_region.h"

#include <fmt/format.h>

#include <ttscope_device/profiler_layout.h>

namespace ttscope::chip {

namespace {

constexpr std::uint32_t kSumMarkers = 2;

}  // namespace

ProfilerRegion profiler_region(std::uint32_t programs, bool sums) {
  // A program without markers of its own sends ids and slots; with sums also those.
  const std::uint32_t program_bytes = 4 * ttscope_device::kGuaranteedWords + (sums ? 8 * kSumMarkers : 0);
  const std::uint32_t buffer_bytes = 4 * ttscope_device::kBufferWords;
  ProfilerRegion region;
  region.programs = programs;
  if (programs <= buffer_bytes / program_bytes) {
    region.programs = (buffer_bytes + program_bytes - 1) / program_bytes;
    region.warning = fmt::format(
        "Profiler program support count must be >= {}. Increasing program support count from {} to {}.",
        region.programs, programs, region.programs);
  }
  region.bytes = program_bytes * region.programs;
  return region;
}

}  // namespace ttscope::chip
