#include "mem/write/words/other_device_text.h"

#include <fmt/format.h>

namespace ttscope::mem {

std::string other_device_text(const Profile& profile) {
  for (const RankProfile& rank : profile.memory.ranks) {
    if (rank.device.contradicts.empty()) continue;
    return fmt::format("--device {}: the log tells of another chip, whose figures are used ({} DRAM banks)",
                       rank.device.contradicts, rank.device.banks[index_of(Memory::kDram)]);
  }
  return {};
}

}  // namespace ttscope::mem
