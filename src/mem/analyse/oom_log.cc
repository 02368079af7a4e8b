#include "mem/analyse/oom_log.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "mem/analyse/crash_cause.h"

namespace ttscope::mem {
namespace {

void add_prints(const OomLog& log, std::uint32_t index, std::vector<FailurePrint>& prints) {
  const auto first = static_cast<std::ptrdiff_t>(prints.size());
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> report_of;  // (rank, failure)
  for (std::uint32_t i = 0; i < log.reports().size(); ++i)
    report_of[{log.reports()[i].rank, log.reports()[i].failure}] = i;
  for (std::uint32_t rank = 0; rank < log.profile.trace.ranks.size(); ++rank) {
    for (const FailureMessage& message : log.profile.trace.ranks[rank].failure_messages) {
      prints.push_back(
          {index, report_of[{rank, message.failure}], kNone, &message.printed, message.printed.line});
    }
  }
  for (std::uint32_t i = 0; i < log.crashes.size(); ++i) {
    const CrashReport& report = log.crashes[i];
    prints.push_back(
        {index, kNone, i, nullptr, log.profile.trace.ranks[report.rank].crashes[report.crash].line});
  }
  std::stable_sort(prints.begin() + first, prints.end(),
                   [](const FailurePrint& a, const FailurePrint& b) { return a.line < b.line; });
}

}  // namespace

std::vector<CrashReport> find_crashes(const RuntimeTrace& trace) {
  std::vector<CrashReport> reports;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    std::set<std::uint32_t> explained;  // how many ops had started
    for (const OutOfMemory& failure : trace.ranks[rank].failures) explained.insert(failure.before_op);
    const auto& crashes = trace.ranks[rank].crashes;
    for (std::uint32_t i = 0; i < crashes.size();) {
      const std::uint32_t end = end_of_crash(crashes, i);
      const std::uint32_t started = crashes[i].last_op == kNone ? 0 : crashes[i].last_op + 1;
      if (explained.count(started) == 0) reports.push_back({rank, cause_among(crashes, i, end)});
      i = end;
    }
  }
  return reports;
}

std::vector<FailurePrint> prints_of(const std::vector<OomLog>& logs) {
  std::vector<FailurePrint> prints;
  for (std::uint32_t i = 0; i < logs.size(); ++i) add_prints(logs[i], i, prints);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> first_of;  // (log, report)
  for (std::uint32_t i = 0; i < prints.size(); ++i) {
    if (prints[i].report == kNone) continue;
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
    if (prints[i].repeats != kNone || prints[i].report == kNone) continue;
    const std::uint64_t fingerprint = logs[prints[i].log].reports()[prints[i].report].fingerprint;
    const auto [found, is_new] = place.emplace(fingerprint, groups.size());
    if (is_new) groups.push_back({fingerprint, {}});
    groups[found->second].prints.push_back(i);
  }
  return groups;
}

}  // namespace ttscope::mem
