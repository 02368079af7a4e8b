#pragma once

#include <string>
#include <vector>

#include "app/timeline/shared_ops.h"
#include "base/result.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// A runtime log, and what it is called beside the others.
struct MemoryLog {
  std::string path;
  std::string name;
};
/// Their file names, with the folder where they share one.
std::vector<MemoryLog> named_logs(const std::vector<std::string>& paths);

/// Adds the memory of a runtime log as curves, one for each memory that it tells of: on the axis by ops that
/// the log and its host both name, else by the time of day. Which of them and how well is in
/// Timeline::alignments; what of the log could not be read in its findings. A log that has neither is left
/// out with a warning; alone it is an error.
Result<void> add_memory_curves(const MemoryLog& log, const std::vector<ToldOps>& hosts, unsigned threads,
                               timeline::Timeline& timeline);

}  // namespace ttscope::app
