#pragma once

#include <string>
#include <vector>

#include "mem/write/words/labels.h"

namespace ttscope::mem {

/// What was read and how well. What is missing and what the figures leave out is in the profile itself.
struct TrustText {
  std::string recognised;  ///< `993 lines, 143 op lines, 143 memory blocks, ...`
  std::vector<std::string>
      repaired;                      ///< problems whose records are used all the same, with their first place
  std::vector<std::string> skipped;  ///< problems whose records are not
};
TrustText trust_of(const ProfileView& view);

/// The same in one line, for the top of a report: `DRAM peak is measured; repaired 2, skipped 0, missing 1`.
/// The profile must have a rank.
std::string trust_headline(const ProfileView& view);

}  // namespace ttscope::mem
