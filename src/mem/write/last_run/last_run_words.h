#pragma once

#include <string>
#include <vector>

#include "mem/write/last_run/last_run_copy.h"

namespace ttscope::mem {

/// What a copy kept of a log, and how its last run was found.
std::string last_run_words(const std::vector<RankCut>& cuts, const CopiedLines& lines);

}  // namespace ttscope::mem
