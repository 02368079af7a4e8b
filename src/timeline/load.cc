#include "timeline/load.h"

#include <fmt/format.h>

#include <utility>

#include "io/whole_text.h"
#include "timeline/read/tracy/tracy_reader.h"

namespace ttscope::timeline {

Result<Timeline> load_timeline(const std::string& path) {
  const Result<io::WholeText> text = io::open_whole_text(path);
  if (!text) return failure(text.error());
  Result<Timeline> timeline = read_tracy(text->bytes(), path == "-" ? "standard input" : path);
  if (timeline && !text->warning.empty()) timeline->warnings.push_back(text->warning);
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
  if (paths.size() != 1) {
    return failure(bad_input(fmt::format("one capture of Tracy is read at a time, {} were given", paths.size())));
  }
  Result<Timeline> timeline = load_timeline(paths.front());
  if (!timeline) return failure(timeline.error());
  return profile_of(paths.front(), std::move(*timeline));
}

}  // namespace ttscope::timeline
