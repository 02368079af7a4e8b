#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/write/tracy/tracy_writer.h"

namespace ttscope::timeline {

/// That all times of a file are later than those of the timeline; empty: they are not.
std::vector<std::string> shift_texts(std::int64_t shift_ns);
/// What of a timeline did not go into a .tracy file, a sentence each.
std::vector<std::string> loss_texts(const TracyLosses& losses);

}  // namespace ttscope::timeline
