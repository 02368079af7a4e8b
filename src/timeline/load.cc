#include "timeline/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "io/open_input.h"
#include "timeline/analyze/op_tracks.h"
#include "timeline/read/recording_reader.h"
#include "timeline/read/tracy_blocks.h"
#include "timeline/read/tracy_reader.h"

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
  const auto detector = std::find_if(formats().begin(), formats().end(), [&](const Format& format) {
    return format.detector.is_beginning(beginning);
  });
  return detector == formats().end() ? nullptr : &*detector;
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

namespace {

const std::string kStandardInput = "standard input";

struct OpenFile {
  std::string name;
  io::WholeText text;
};

/// The files of all paths; folders hold recordings.
Result<std::vector<OpenFile>> opened(const std::vector<std::string>& paths) {
  std::vector<OpenFile> files;
  for (const std::string& path : paths) {
    for (const std::string& file : recording_files(path)) {
      ASSIGN_OR_RETURN(io::WholeText text, io::open_whole_text(file));
      files.push_back({file == "-" ? kStandardInput : file, std::move(text)});
    }
  }
  if (files.empty()) return failure(nothing_found("no recording in it: " + paths.front()));
  return files;
}

/// How long files were when they were opened, by name.
using FileSizes = std::map<std::string, std::size_t>;

Result<Timeline> read_all(const std::vector<OpenFile>& files, FileSizes& sizes, bool& has_grown) {
  std::vector<RecordingInput> inputs;
  has_grown = false;
  for (const OpenFile& file : files) {
    const std::size_t size = file.text.bytes().size();
    const auto [before, is_new] = sizes.try_emplace(file.name, size);
    const bool is_settled = file.name == kStandardInput || (!is_new && before->second == size);
    before->second = size;
    inputs.push_back({file.text.bytes(), file.name, &has_grown, is_settled});
  }
  return read_captures(inputs);
}

}  // namespace

Result<Timeline> load_timeline(const std::vector<std::string>& paths) {
  constexpr int kMaxTries = 5;
  bool has_grown = true;
  FileSizes sizes;
  Result<Timeline> timeline = Timeline();
  for (int i = 0; i < kMaxTries && has_grown; ++i) {
    ASSIGN_OR_RETURN(const std::vector<OpenFile> files, opened(paths));
    timeline = read_all(files, sizes, has_grown);
    for (const OpenFile& file : files) {
      if (timeline && !file.text.warning.empty())
        timeline->findings.push_back(reader_warning(file.text.warning));
    }
  }
  return timeline;
}

Profile profile_of(std::string name, Timeline timeline) {
  Profile profile;
  profile.name = std::move(name);
  profile.timeline = std::move(timeline);
  profile.stats = zone_stats(profile.timeline);
  return profile;
}

Result<Profile> load(const std::vector<std::string>& paths) {
  ASSIGN_OR_RETURN(Timeline timeline, load_timeline(paths));
  add_ops_of_lanes(timeline);
  return profile_of(paths.front(), std::move(timeline));
}

}  // namespace ttscope::timeline
