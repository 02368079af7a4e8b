#include "perf/read/host_logs/side_files.h"

#include <map>
#include <string>

namespace ttscope::perf {

std::uint16_t zone_marker_id(std::string_view zone) {
  std::uint32_t hash = 2166136261u;
  for (const char c : zone) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<std::uint16_t>((hash >> 16) ^ (hash & 0xffff));
}

/// `...note: '#pragma message: BRISC-FW,/opt/brisc.cc,412,KERNEL_PROFILER'`
void find_zone_collisions(std::string_view text, PerfProblems& problems) {
  constexpr std::string_view kMark = "#pragma message: ";
  constexpr std::string_view kEnd = ",KERNEL_PROFILER";
  std::map<std::uint16_t, std::string> zones;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    std::string_view line = text.substr(0, line_end);
    text = line_end == std::string_view::npos ? std::string_view{} : text.substr(line_end + 1);
    if (const std::size_t mark = line.find(kMark); mark != std::string_view::npos)
      line.remove_prefix(mark + kMark.size());
    const std::size_t end = line.find(kEnd);
    if (end == std::string_view::npos) continue;
    const std::string zone(line.substr(0, end + kEnd.size()));
    const auto [known, is_new] = zones.try_emplace(zone_marker_id(zone), zone);
    if (!is_new && known->second != zone) {
      problems.add(PerfProblem::kZoneHashCollision, known->second.substr(0, known->second.find(',')) +
                                                        " and " + zone.substr(0, zone.find(',')));
    }
  }
}

}  // namespace ttscope::perf
