#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyse/capture.h"
#include "perf/find_files.h"
#include "perf/model/rules.h"
#include "perf/write/files/output_folder.h"

namespace ttscope::perf {

/// What is written beside the report of captures.
struct WriteOptions {
  const Rules* rules = &own_rules();
  bool per_core_times = false;
  bool device_analysis = false;
};

/// Writes the report of captures, where they make one, and the files beside it; their paths.
Result<std::vector<std::string>> write_files(const std::vector<Capture>& captures,
                                             const WriteOptions& options, const OutputPlace& place);
/// Writes finished reports, unpacked, under the name that one has; their paths.
Result<std::vector<std::string>> copy_reports(FoundFiles& files, const OutputPlace& place);

}  // namespace ttscope::perf
