#include "app/old_reports.h"

#include <algorithm>

namespace ttscope::app {

std::vector<serve::Report> old_reports(std::vector<serve::Report> reports, const Retention& retention) {
  std::stable_sort(reports.begin(), reports.end(),
                   [](const serve::Report& a, const serve::Report& b) { return a.time_s > b.time_s; });
  const std::size_t kept = std::min(retention.newest, reports.size());
  reports.erase(reports.begin(), reports.begin() + static_cast<std::ptrdiff_t>(kept));
  std::erase_if(reports, [&](const serve::Report& report) {
    return report.time_s >= retention.oldest_time_s || report.folder.empty();
  });
  return reports;
}

}  // namespace ttscope::app
