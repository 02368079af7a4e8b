#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "io/input_files.h"
#include "timeline/analyze/profile.h"
#include "timeline/model/timeline.h"
#include "timeline/read/recording_reader.h"

namespace ttscope::timeline {

/// Reads a capture of the Tracy profiler, plain or compressed, or recordings of one run: files, and folders
/// of them. Files of other kinds are joined with it in app/timeline.h.
Result<Timeline> load_timeline(const std::vector<std::string>& paths);
/// The same with what it means.
Result<Profile> load(const std::vector<std::string>& paths);
/// Makes a profile of a timeline.
Profile profile_of(std::string name, Timeline timeline);

/// How a kind of file is told, and what reads all files of one run. A new one is a line in formats.cc.
struct Format {
  io::Format detector;
  Result<Timeline> (*read)(const std::vector<RecordingInput>& files);
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();

/// Reads files by the line of the list that tells all of them.
Result<Timeline> read_captures(const std::vector<RecordingInput>& files);

}  // namespace ttscope::timeline
