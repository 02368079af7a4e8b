// A capture of the Tracy profiler. What is behind the magic is also taken as the content itself, in blocks
// that are stored as they are: most changes of packed bytes end in the packing.
#include <cstdint>
#include <string>

#include "fuzz/fuzz_target.h"
#include "timeline/load.h"
#include "timeline/read/tracy/tracy_reader.h"

namespace ttscope::timeline {
namespace {

using fuzz::require;

void check(std::string_view file) {
  Result<Timeline> read = read_tracy(file, "x.tracy");
  if (!read) return;
  std::size_t next = 0;
  for (const Track& track : read->tracks) {
    require(track.first_zone == next, "the zones of a track follow those of the one before");
    next = track.end_zone();
    require(track.group < read->groups.size(), "the group of a track is there");
    for (std::size_t zone = track.first_zone; zone < next; ++zone) {
      require(read->zones.end_ns[zone] >= read->zones.start_ns[zone], "a zone ends after it begins");
      require(read->zones.location[zone] < read->locations.size(), "its place is there");
      require(read->zones.detail[zone] < read->details.size(), "its detail is there");
      require(zone > track.first_zone ? read->zones.depth[zone] <= read->zones.depth[zone - 1] + 1
                                      : read->zones.depth[zone] == 0,
              "zones nest by one at a time");
    }
  }
  require(next == read->zones.size(), "every zone is of a track");
  const Profile profile = profile_of("x", std::move(*read));
  std::uint64_t counted = 0;
  for (const ZoneStat& stat : profile.stats) counted += stat.count + stat.without_length;
  require(counted == profile.timeline.zones.size(), "every zone is counted once");
}

/// LZ4 blocks of literals alone.
std::string stored(std::string_view content) {
  constexpr std::size_t kBlockBytes = 65536;
  std::string file("tlZ\x04");
  for (; !content.empty(); content.remove_prefix(std::min(kBlockBytes, content.size()))) {
    const std::string_view block = content.substr(0, kBlockBytes);
    std::string packed(1, block.size() < 15 ? static_cast<char>(block.size() << 4) : '\xF0');
    if (block.size() >= 15) {
      std::size_t left = block.size() - 15;
      for (; left >= 255; left -= 255) packed += '\xFF';
      packed += static_cast<char>(left);
    }
    packed += block;
    const auto size = static_cast<std::uint32_t>(packed.size());
    file.append(reinterpret_cast<const char*>(&size), sizeof(size));
    file += packed;
  }
  return file;
}

TTSCOPE_FUZZ_TARGET(timeline_tracy) {
  check(text);
  check(stored(text));
}

}  // namespace
}  // namespace ttscope::timeline
