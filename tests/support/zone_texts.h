#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/zones.h"
#include "perf/read/log_rows.h"
#include "support/perf_lines.h"

namespace ttscope::testing {

/// The zones of a log. With several readers the processors go to them in turn, as threads would take them.
inline perf::ZoneStats zones_of(std::string_view log, std::size_t readers = 1) {
  const perf::ProcessorRowIndex places(log, static_cast<unsigned>(readers));
  struct Part {
    explicit Part(const perf::ProcessorRowIndex& all) : reader(all), collector(reader.catalog()) {}
    perf::ZoneGroupReader reader;
    perf::ZoneCollector collector;
  };
  std::vector<std::unique_ptr<Part>> parts;
  for (std::size_t i = 0; i < readers; ++i) parts.push_back(std::make_unique<Part>(places));
  for (std::size_t i = 0; i < places.size(); ++i) {
    Part& part = *parts[i % readers];
    part.collector.take(part.reader.read(places[i]), i);
  }
  for (std::size_t i = 1; i < readers; ++i) parts.front()->collector.join(parts[i]->collector);
  return parts.front()->collector.stats();
}

/// The zone of that name; a failing test where there are none or several.
inline const perf::ZoneFigures* find_zone(const perf::ZoneStats& stats, std::string_view name,
                                          std::string_view risc = "BRISC") {
  const perf::ZoneFigures* found = nullptr;
  for (const perf::ZoneFigures& zone : stats.zones) {
    if (zone.source.name == name && zone.risc == risc) found = found == nullptr ? &zone : nullptr;
  }
  return found;
}

/// A marker of accumulate mode: no op id.
inline std::string bare_marker(std::uint64_t time, const std::string& zone, bool start,
                               const std::string& where = "0,1,1,BRISC") {
  return marker_line({where, ",,", zone, time, time, ""}, start);
}

}  // namespace ttscope::testing
