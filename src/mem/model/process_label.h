#pragma once

#include <string_view>
#include <vector>

namespace ttscope::mem {

/// The labels that vLLM and Ray write before the lines of a process: `Worker_TP0 pid=12`.

/// The numbers by which a label tells the rank of its process: 0 of `Worker_TP0`, `EngineCore_DP0` and
/// `VllmWorker rank=0`, 1 and 0 of `Worker_DP1_TP0`; none where it is the name of a task (`step_3`).
std::vector<int> ranks_in_label(std::string_view label);

/// `pid=12` of `Worker_TP0 pid=12`: a process has many names, and one number. Any other tag is itself.
std::string_view process_of(std::string_view tag);

/// `Worker_TP0` of `Worker_TP0 pid=12`: what tells the rank says enough. Any other tag is itself.
std::string_view name_of_tag(std::string_view tag);

}  // namespace ttscope::mem
