#include "graph/analyse/findings.h"

#include <algorithm>
#include <array>

namespace ttscope::graph {
namespace {

/// The largest core of any chip so far: Blackhole's.
constexpr std::int64_t kLargestCoreBytes = std::int64_t{1536} * 1024;

/// The smallest core of the devices; nothing where none is described.
std::int64_t core_bytes(const std::vector<GraphDevice>& devices) {
  std::int64_t least = 0;
  for (const GraphDevice& device : devices) {
    if (device.worker_l1_size_bytes <= 0) continue;
    least = least == 0 ? device.worker_l1_size_bytes : std::min(least, device.worker_l1_size_bytes);
  }
  return least;
}

bool has_kind(const GraphTrace& trace, NodeKind kind) {
  return std::find(trace.kinds.begin(), trace.kinds.end(), kind) != trace.kinds.end();
}

std::vector<Lack> lacks_of(const SegmentView& segment, bool device_is_known) {
  std::vector<Lack> lacks;
  const auto add = [&](bool is_lacking, Lack lack) {
    if (is_lacking) lacks.push_back(lack);
  };
  const SegmentProfile& profile = *segment.profile;
  const bool has_programs = profile.l1.peak_cb > 0;
  add(!device_is_known, Lack::kDevice);
  add(has_programs && !has_kind(*segment.trace, NodeKind::kDeallocateAll), Lack::kReleases);
  add(has_programs && !profile.busiest_core.known, Lack::kCoreRanges);
  add(std::any_of(profile.differences.begin(), profile.differences.end(),
                  [](const Difference& one) { return one.kind == DifferenceKind::kBankDerived; }),
      Lack::kBankSizes);
  add(profile.no_dispatch, Lack::kPlacement);
  return lacks;
}

void add_l1(const std::vector<SegmentView>& segments, std::uint32_t number, std::int64_t described_bytes,
            std::vector<Finding>& findings) {
  const SegmentView& segment = segments[number];
  const SegmentProfile& profile = *segment.profile;
  Finding finding;
  finding.segment = number;
  finding.bytes = profile.l1_peak.bytes;
  finding.limit_bytes = described_bytes > 0 ? described_bytes : kLargestCoreBytes;
  if (finding.bytes <= finding.limit_bytes) return;
  if (profile.busiest_core.known) finding.busiest_bytes = profile.busiest_core.peak_total_bytes;
  const bool only_sum = finding.busiest_bytes >= 0 && finding.busiest_bytes <= finding.limit_bytes;
  finding.kind = only_sum ? FindingKind::kL1SumBeyond : FindingKind::kL1BeyondCore;
  finding.lacks = lacks_of(segment, described_bytes > 0);
  findings.push_back(std::move(finding));
}

}  // namespace

std::string_view name_of(FindingKind kind) {
  constexpr std::array<std::string_view, 4> kNames = {"stopped_in_calls", "l1_beyond_core",
                                                      "l1_sum_beyond_core", "tied_by_size"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string_view name_of(Lack lack) {
  constexpr std::array<std::string_view, 5> kNames = {"device", "releases", "core_ranges", "bank_sizes",
                                                      "placement"};
  return kNames[static_cast<std::size_t>(lack)];
}

std::vector<Finding> find_in(const std::vector<SegmentView>& segments, const LiveSet& live,
                             const std::vector<GraphDevice>& devices) {
  std::vector<Finding> findings;
  const std::int64_t described_bytes = core_bytes(devices);
  for (std::uint32_t i = 0; i < segments.size(); ++i) {
    const SegmentProfile& profile = *segments[i].profile;
    if (!profile.unfinished.empty()) {
      Finding finding;
      finding.kind = FindingKind::kStopped;
      finding.segment = i;
      finding.count = profile.unfinished.size();
      finding.call = profile.unfinished.back();
      findings.push_back(std::move(finding));
    }
    add_l1(segments, i, described_bytes, findings);
  }
  const bool is_told = std::any_of(findings.begin(), findings.end(), [](const Finding& one) {
    return one.kind == FindingKind::kL1BeyondCore || one.kind == FindingKind::kL1SumBeyond;
  });
  const std::int64_t limit_bytes = described_bytes > 0 ? described_bytes : kLargestCoreBytes;
  if (segments.size() > 1 && !is_told && live.l1.bytes > limit_bytes) {
    Finding finding;
    finding.kind = FindingKind::kL1BeyondCore;
    finding.bytes = live.l1.bytes;
    finding.limit_bytes = limit_bytes;
    finding.lacks = lacks_of(segments[live.l1.at.segment], described_bytes > 0);
    findings.push_back(std::move(finding));
  }
  if (live.tied_by_size > 0) {
    Finding finding;
    finding.kind = FindingKind::kTiedBySize;
    finding.count = live.tied_by_size;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ttscope::graph
