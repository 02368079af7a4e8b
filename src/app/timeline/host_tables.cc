#include "app/timeline/host_tables.h"

#include "base/writer.h"
#include "timeline/load.h"
#include "timeline/tables/finding_text.h"
#include "timeline/write/csv/csvexport.h"

namespace ttscope::app {
namespace {

std::string table_of(const timeline::Profile& profile, timeline::CsvForm form) {
  StringWriter out;
  timeline::CsvOptions options;
  options.form = form;
  timeline::write_csv(profile, options, out);
  return out.finish() ? out.text() : std::string();
}

}  // namespace

Result<perf::HostTables> host_tables_of(const std::string& path) {
  Result<timeline::Timeline> timeline = timeline::load_timeline({path});
  if (!timeline) return failure(timeline.error());
  perf::HostTables tables;
  tables.is_simulated = timeline->has_simulated_chips();
  for (const timeline::Finding& finding : timeline->findings) {
    if (finding.kind == timeline::FindingKind::kSimulatedChips) continue;
    tables.warning += (tables.warning.empty() ? "" : "; ") + timeline::finding_text(finding);
  }
  timeline::Profile profile;
  profile.timeline = std::move(*timeline);
  tables.times = table_of(profile, timeline::CsvForm::kOpsTimes);
  tables.messages = table_of(profile, timeline::CsvForm::kOpsData);
  return tables;
}

}  // namespace ttscope::app
