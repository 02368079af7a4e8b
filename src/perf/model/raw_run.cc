#include "perf/model/raw_run.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

constexpr std::array<RawProblemInfo, static_cast<std::size_t>(RawProblem::kCount)> kProblems = {{
    {"dram_full", "processors whose DRAM was full: markers were dropped"},
    {"l1_full", "launches whose buffer in L1 was full: what their kernels recorded after that left no trace"},
    {"noc_stalled",
     "launches in which the recorder of NoC events stopped for want of room: later events left no trace"},
    {"never_sent", "words that the index promises and that were never sent"},
    {"header_lost", "headers under a marker of another processor: program ids cannot be trusted"},
    {"stale_markers", "markers of an earlier launch, sent again under the id of a later one"},
    {"early_times", "times that are 2^32 cycles too small, because the clock carried while it was read"},
    {"main_zone_misuse",
     "processors on which a kernel used a zone of the firmware: program ids and the firmware's zone are "
     "overwritten"},
    {"bad_words", "words that are neither header nor marker"},
    {"cut", "words that the file does not hold"},
    {"only_in_l1", "markers that lie in L1 and had not reached DRAM"},
    {"unpaired", "starts or ends of zones without their partner"},
    {"not_done", "cores that were read before they had said that everything was sent"},
}};

}  // namespace

std::string_view key_of(MarkerKind kind) {
  constexpr std::array<std::string_view, 6> kKeys = {"ZONE_START", "ZONE_END", "ZONE_TOTAL",
                                                     "TS_DATA",    "TS_EVENT", "TS_DATA_16B"};
  return kKeys[static_cast<std::size_t>(kind)];
}

std::string_view key_of(Suspicion suspicion) {
  constexpr std::array<std::string_view, 5> kKeys = {"", "time", "stale", "header", "placed"};
  return kKeys[static_cast<std::size_t>(suspicion)];
}

const RawProblemInfo& info_of(RawProblem problem) { return kProblems[static_cast<std::size_t>(problem)]; }

std::string_view RawRun::name_of(std::uint16_t id) const {
  const auto found = zones.find(id);
  return found == zones.end() ? std::string_view{} : std::string_view(found->second.name);
}

std::optional<std::uint32_t> host_id_of(const RawRegion& region, const RawMarker& marker) {
  if (marker.run == kNone || marker.suspicion == Suspicion::kPlaced) return std::nullopt;
  const RawLaunch& launch = region.runs[marker.run];
  return launch.intact ? std::optional(launch.host_id) : std::nullopt;
}

std::uint64_t launch_count(const RawRegion& region) {
  return static_cast<std::uint64_t>(std::count_if(
      region.runs.begin(), region.runs.end(), [](const RawLaunch& launch) { return !launch.is_blank(); }));
}

std::string log_name_of(std::string_view risc) {
  std::string name;
  for (const char letter : risc) {
    if (letter >= '0' && letter <= '9') name += '_';
    name += letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  }
  return name;
}

bool has_markers(const RawRun& run) {
  return std::any_of(run.cores.begin(), run.cores.end(), [](const RawCore& core) {
    return std::any_of(core.processors.begin(), core.processors.end(), [](const RawProcessor& processor) {
      return !processor.dram.markers.empty() || !processor.l1.markers.empty();
    });
  });
}

}  // namespace ttscope::perf
