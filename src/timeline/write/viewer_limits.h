#pragma once

#include <cstdint>
#include <string>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// About how large the files of write_chrome and write_perfetto become: within a fifth, told without writing
/// them.
std::uint64_t chrome_bytes(const Timeline& timeline);
std::uint64_t perfetto_bytes(const Timeline& timeline);

/// What is said before a file is written that its viewers cannot open; empty: they can.
std::string chrome_size_warning(std::uint64_t bytes);
std::string perfetto_size_warning(std::uint64_t bytes);

}  // namespace ttscope::timeline
