#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/analyse/profile.h"

namespace ttscope::mem {

/// What several logs that were given together seem to be.
struct SeveralLogs {
  enum class Sign : std::uint8_t {
    kNone,         ///< nothing speaks against ranks of one run
    kSameRank,     ///< two of them have lines of the same rank
    kOtherDevice,  ///< their devices are not alike
    kOtherOps,     ///< a program of one name has other ops
    kNames,        ///< they are called `before` and `after`, or the like
  };
  Sign sign = Sign::kNone;  ///< why they are two runs rather than ranks of one
  std::string detail;       ///< the rank, the program or the word
  struct File {
    std::string path;
    std::vector<int> ranks;  ///< numbers under which its processes are shown
  };
  std::vector<File> files;
};

/// For profiles of two logs or more; `files` is empty otherwise.
SeveralLogs several_logs(const Profile& profile);

}  // namespace ttscope::mem
