#pragma once

#include <vector>

#include "base/result.h"
#include "io/format.h"
#include "timeline/model/timeline.h"
#include "timeline/read/recording/recording_reader.h"

namespace ttscope::timeline {

/// How a kind of file is told, and what reads all files of one run. A new one is a line in formats.cc.
struct Format {
  io::Format told;
  Result<Timeline> (*read)(const std::vector<RecordingInput>& files);
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();

/// Reads files by the line of the list that tells all of them.
Result<Timeline> read_captures(const std::vector<RecordingInput>& files);

}  // namespace ttscope::timeline
