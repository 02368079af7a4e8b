#include "graph/analyse/profile.h"

#include <fmt/format.h>

#include <utility>

namespace ttscope::graph {

std::vector<SegmentFigures> Profile::figures() const {
  std::vector<SegmentFigures> all;
  for (const ProfiledSegment& segment : segments) {
    all.push_back({segment.name, segment.profile.dram, segment.profile.l1});
  }
  return all;
}

std::vector<SegmentView> Profile::views() const {
  std::vector<SegmentView> all;
  for (const ProfiledSegment& segment : segments)
    all.push_back({segment.name, segment.trace, &segment.profile});
  return all;
}

std::uint64_t Profile::node_count() const {
  std::uint64_t count = 0;
  for (const ProfiledSegment& segment : segments) count += segment.trace->size();
  return count;
}

Result<void> add_capture(Profile& profile, const std::string& file, GraphCapture capture, Depth depth) {
  const auto number = static_cast<std::uint32_t>(profile.files.size());
  profile.files.push_back(file);
  profile.captures.push_back(std::make_unique<const GraphCapture>(std::move(capture)));
  for (const GraphSegment& segment : profile.captures.back()->segments) {
    Result<SegmentProfile> found = depth == Depth::kFigures ? figures_of_segment(segment.trace, profile.rules)
                                                            : profile_segment(segment.trace, profile.rules);
    if (!found) return failure(bad_input(fmt::format("{}: {}", file, found.error().message)));
    profile.segments.push_back({number, segment.name, &segment.trace, std::move(*found)});
  }
  return {};
}

void finish_profile(Profile& profile, Depth depth) {
  if (depth == Depth::kFigures) return;
  const std::vector<SegmentView> views = profile.views();
  profile.live = join_segments(views);
  std::vector<GraphDevice> devices;
  for (const auto& capture : profile.captures)
    devices.insert(devices.end(), capture->devices.begin(), capture->devices.end());
  profile.findings = find_in(views, profile.live, devices);
}

}  // namespace ttscope::graph
