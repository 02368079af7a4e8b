#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// One of several runs of a program: the same one in two logs.
struct PassName {
  std::string program;
  std::uint32_t number = 0;  ///< of the programs of that name, which differ in their ops
  std::uint32_t run = 0;     ///< how often the program ran before
  bool operator==(const PassName&) const = default;
};

/// A run of a program in which a memory is as full as at its peak, but for rounding.
struct PeakPass {
  PassName name;
  Peak peak;  ///< the first of that run
};

/// All of a rank, in the order in which they ran: a model that leaves nothing behind is as full in every
/// pass. None where only the message of a failure tells the peak.
std::vector<PeakPass> peak_passes(const Profile& profile, std::uint32_t rank, Memory memory);

}  // namespace ttscope::mem
