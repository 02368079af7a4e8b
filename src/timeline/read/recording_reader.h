#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/input_files.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// A file of the recorder, or a folder with some.
bool is_recording(const io::Beginning& beginning);
/// The files of a folder, in order; the path itself where it is a file.
std::vector<std::string> recording_files(const std::string& path);

/// The bytes of one process's file and what messages call it.
struct RecordingInput {
  std::string_view bytes;
  std::string name;
  /// Set where the process wrote on while it was read: what is missing in the middle is behind the end of
  /// `bytes`.
  bool* has_grown = nullptr;
  /// The file was as long when it was opened before: what is missing does not come.
  bool is_settled = false;
};

/// Reads the files of one run onto one axis, which begins with the first of them. Files that are cut, damaged
/// or still written are read as far as they go; one that is no recording becomes a warning where others are.
/// An error where none can be read.
Result<Timeline> read_recordings(const std::vector<RecordingInput>& files);

}  // namespace ttscope::timeline
