#pragma once

#include <cstdint>
#include <string>

namespace ttscope::chip {

/// How much DRAM the profiler has for each RISC.
struct ProfilerRegion {
  std::uint32_t bytes = 0;
  std::uint32_t programs = 0;  ///< for which it was made
  std::string warning;         ///< the number asked for was too small and is raised
};

/// By the number of programs that shall be kept between two reads (TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT).
ProfilerRegion profiler_region(std::uint32_t programs, bool sums);

}  // namespace ttscope::chip
