#pragma once

#include <string>
#include <vector>

namespace ttscope::app {

/// The runs that folders stand for, and which of several was chosen.
struct RunFolders {
  std::vector<std::string> paths;
  std::vector<std::string> remarks;
};

/// A folder of hosts or ranks stands for the runs in it, by name: `rank0`, `rank1/generated/profiler`. Copies
/// of one run (`reports/DATE`) and earlier runs (`earlier_logs/DATE`) are no hosts: the newest stands for
/// all, where the last run left nothing. Other paths stay as they are.
RunFolders runs_of_folders(const std::vector<std::string>& paths);

}  // namespace ttscope::app
