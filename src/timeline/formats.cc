#include "timeline/formats.h"

#include "timeline/read/recording/recording_reader.h"
#include "timeline/read/tracy/container.h"

namespace ttscope::timeline {

const std::vector<io::Format>& formats() {
  static const std::vector<io::Format> kFormats = {
      {"tracy", "a capture of the Tracy profiler", {}, is_tracy_capture},
      {"recording", "a recording of marked code", {}, is_recording},
  };
  return kFormats;
}

}  // namespace ttscope::timeline
