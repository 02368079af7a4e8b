#include "perf/analyse/profile.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

/// What is shown whatever the window of the ops is.
bool has_zones_or_noc(const std::vector<Capture>& captures) {
  return std::any_of(captures.begin(), captures.end(), [](const Capture& capture) {
    return (capture.zones && !capture.zones->stats.zones.empty()) || !capture.noc.empty();
  });
}

}  // namespace

std::string Profile::title() const {
  const std::string last =
      name.substr(name.find_last_not_of('/') == std::string::npos ? 0 : name.rfind('/') + 1);
  return last.empty() ? name : last;
}

std::vector<const CaptureZones*> Profile::zones() const {
  std::vector<const CaptureZones*> list;
  for (const Capture& capture : captures) {
    if (capture.zones) list.push_back(&*capture.zones);
  }
  return list;
}

bool Profile::has_content() const {
  if (raw) return has_markers(*raw);
  return !report.rows.empty() || has_zones_or_noc(captures) ||
         std::any_of(captures.begin(), captures.end(),
                     [](const Capture& capture) { return !capture.report.rows.empty(); });
}

bool Profile::shows_content() const { return !reading.ops.rows.empty() || has_zones_or_noc(captures); }

std::vector<const NocSummary*> noc_traces_of(const Profile& profile) {
  std::vector<const NocSummary*> list;
  for (const Capture& capture : profile.captures) {
    for (const NocSummary& summary : capture.noc) list.push_back(&summary);
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const NocSummary* a, const NocSummary* b) { return a->all.bytes > b->all.bytes; });
  return list;
}

bool Profile::has_harmful_capture_problems() const {
  return std::any_of(captures.begin(), captures.end(),
                     [](const Capture& capture) { return capture.problems.any_harmful(); });
}

}  // namespace ttscope::perf
