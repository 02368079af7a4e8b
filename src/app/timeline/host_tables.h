#pragma once

#include <string>

#include "base/result.h"
#include "perf/load.h"

namespace ttscope::app {

/// The host's files that csvexport would make of a capture of Tracy, for perf::CaptureOptions.
Result<perf::HostTables> host_tables_of(const std::string& path);

}  // namespace ttscope::app
