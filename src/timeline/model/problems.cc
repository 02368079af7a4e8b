#include "timeline/model/problems.h"

#include <array>

namespace ttscope::timeline {

const ProblemInfo& info_of(TimelineProblem problem) {
  static constexpr std::array<ProblemInfo, kTimelineProblemCount> kInfos = {{
      {"zone_without_end", "zones have no end; they are drawn up to the last time known of their track",
       true},
      {"zone_of_child_without_end",
       "zones have no end in processes that others of the run began, which a signal ended or which left at "
       "once; they are drawn up to the last time known of their track",
       true},
      {"zone_outside", "zones do not lie inside of the zone around them; they are cut to it", true},
      {"unknown_text", "texts are named that the file does not hold; they are empty", true},
      {"unknown_location", "zones stand at a place of the source that the file does not hold", true},
      {"unknown_thread", "messages are of a thread that the file does not hold", true},
      {"row_unreadable", "rows of a table have no time", false},
      {"marker_unmatched", "starts without an end, or ends without a start, on a device", false},
      {"without_clock", "zones are of a device whose clock is not known", false},
      {"free_unknown", "times memory was freed that was not allocated while recording", false},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

}  // namespace ttscope::timeline
