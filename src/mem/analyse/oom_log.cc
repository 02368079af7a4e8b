#include "mem/analyse/oom_log.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ttscope::mem {
namespace {

void add_prints(const OomLog& log, std::uint32_t index, std::vector<FailurePrint>& prints) {
  const auto first = static_cast<std::ptrdiff_t>(prints.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> report_of;  // (rank, failure)
  for (std::uint32_t i = 0; i < log.reports.size(); ++i)
    report_of[{log.reports[i].rank, log.reports[i].failure}] = i;
  for (std::uint32_t rank = 0; rank < log.profile.trace.ranks.size(); ++rank) {
    for (const FailureMessage& message : log.profile.trace.ranks[rank].failure_messages) {
      prints.push_back({index, report_of[{rank, message.failure}], &message.printed, kNone});
    }
  }
  std::stable_sort(prints.begin() + first, prints.end(), [](const FailurePrint& a, const FailurePrint& b) {
    return a.printed->line < b.printed->line;
  });
}

}  // namespace

std::vector<FailurePrint> prints_of(const std::vector<OomLog>& logs) {
  std::vector<FailurePrint> prints;
  for (std::uint32_t i = 0; i < logs.size(); ++i) add_prints(logs[i], i, prints);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_of;  // (log, report)
  for (std::uint32_t i = 0; i < prints.size(); ++i) {
    const auto [found, is_new] = first_of.emplace(std::pair(prints[i].log, prints[i].report), i);
    if (!is_new) prints[i].repeats = found->second;
  }
  return prints;
}

std::vector<FailureGroup> groups_of(const std::vector<OomLog>& logs,
                                    const std::vector<FailurePrint>& prints) {
  std::vector<FailureGroup> groups;
  std::unordered_map<std::uint64_t, std::size_t> place;
  for (std::uint32_t i = 0; i < prints.size(); ++i) {
    if (prints[i].repeats != kNone) continue;
    const std::uint64_t fingerprint = logs[prints[i].log].reports[prints[i].report].fingerprint;
    const auto [found, is_new] = place.emplace(fingerprint, groups.size());
    if (is_new) groups.push_back({fingerprint, {}});
    groups[found->second].prints.push_back(i);
  }
  return groups;
}

}  // namespace ttscope::mem
