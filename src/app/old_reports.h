#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "serve/library.h"

namespace ttscope::app {

/// Which reports of a library stay.
struct Retention {
  std::size_t newest = 0;                  ///< so many whatever their age
  std::int64_t oldest_time_s = INT64_MAX;  ///< and all that are not older than that
};

/// What does not stay, newest first. Reports that lie in the library itself, not in a folder of theirs, are
/// none of it.
std::vector<serve::Report> old_reports(std::vector<serve::Report> reports, const Retention& retention);

}  // namespace ttscope::app
