#pragma once

#include <cstdint>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// What the inputs of a model tell of its batch and its sequence; 0 where they do not.
struct DataDimensions {
  std::int64_t batch = 0;
  std::int64_t sequence = 0;
  std::int64_t tokens = 0;  ///< batch x sequence, where both are in one input
};

DataDimensions find_dimensions(const RuntimeTrace& trace, const RankProfile& rank);

}  // namespace ttscope::mem
