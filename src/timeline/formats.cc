#include "timeline/formats.h"

#include <fmt/format.h>

#include <algorithm>

#include "timeline/read/tracy/container.h"
#include "timeline/read/tracy/tracy_reader.h"

namespace ttscope::timeline {
namespace {

/// A program's capture has a clock of its own.
Result<Timeline> read_one_tracy(const std::vector<RecordingInput>& files) {
  if (files.size() == 1) return read_tracy(files.front().bytes, files.front().name);
  return failure(bad_input(fmt::format(
      "{} and {}: captures of several programs have no common clock; give one, or several recordings",
      files[0].name, files[1].name)));
}

const Format* format_of(const RecordingInput& file) {
  const io::Beginning beginning = io::beginning_of(file.name, file.bytes);
  const auto told = std::find_if(formats().begin(), formats().end(),
                                 [&](const Format& format) { return format.told.is_beginning(beginning); });
  return told == formats().end() ? nullptr : &*told;
}

}  // namespace

const std::vector<Format>& formats() {
  static const std::vector<Format> kFormats = {
      {{"tracy", "a capture of the Tracy profiler", {}, is_tracy_capture}, read_one_tracy},
      {{"recording", "a recording of marked code", {}, is_recording}, read_recordings},
  };
  return kFormats;
}

Result<Timeline> read_captures(const std::vector<RecordingInput>& files) {
  const Format* const first = format_of(files.front());
  const bool is_one_kind = first != nullptr && std::all_of(files.begin(), files.end(), [&](const auto& file) {
                             return format_of(file) == first;
                           });
  // That reader says what is wrong with files of several kinds, and of none.
  return is_one_kind ? first->read(files) : read_one_tracy(files);
}

}  // namespace ttscope::timeline
