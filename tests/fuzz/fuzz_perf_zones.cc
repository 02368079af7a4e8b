// The zones of a device log.
#include "fuzz/fuzz_target.h"
#include "perf/read/log_rows.h"

TTSCOPE_FUZZ_TARGET(perf_zones) {
  using namespace ttscope;
  const perf::ProcessorRowIndex places(text, 1);
  perf::ZoneGroupReader reader(places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const perf::ZoneGroup& group = reader.read(places[i]);
    const perf::ZoneCatalog& catalog = reader.catalog();
    for (const perf::ZoneMarker& marker : group.markers) {
      fuzz::require(marker.zone < catalog.zones.size(), "a marker has a zone");
      fuzz::require(marker.execution == kNone || marker.execution < catalog.executions.size(),
                    "a marker has an execution or none");
    }
    for (const perf::ZoneTotal& total : group.totals) {
      fuzz::require(total.zone < catalog.zones.size(), "a sum has a zone");
    }
  }
}
