#include "perf/collect_zones.h"

#include <algorithm>
#include <atomic>

#include "base/parallel.h"
#include "perf/read/device_log/zone_groups.h"

namespace ttscope::perf {
namespace {

/// A thread's reader and what it collected; the collector refers to the reader's numbers.
struct ZoneWorker {
  explicit ZoneWorker(const ZonePlaces& places) : reader(places), collector(reader.catalog()) {}
  ZoneGroupReader reader;
  ZoneCollector collector;
};

ZoneStats zone_stats_of(std::string_view text, unsigned threads) {
  const ZonePlaces places(text, threads);
  const std::size_t count = std::clamp<std::size_t>(places.size(), 1, std::max(1u, threads));
  std::vector<std::unique_ptr<ZoneWorker>> workers;
  workers.reserve(count);
  for (std::size_t i = 0; i < count; ++i) workers.push_back(std::make_unique<ZoneWorker>(places));
  std::atomic<std::size_t> next = 0;
  run_parallel(count, threads, [&](std::size_t worker) {
    for (std::size_t place = next++; place < places.size(); place = next++) {
      workers[worker]->collector.take(workers[worker]->reader.read(places[place]), place);
    }
  });
  for (std::size_t i = 1; i < count; ++i) {
    workers.front()->collector.join(workers[i]->collector);
    workers[i] = nullptr;
  }
  return workers.front()->collector.stats();
}

}  // namespace

void collect_zones(unsigned threads, Capture& capture) {
  if (!capture.log) return;
  CaptureZones& zones = capture.zones.emplace();
  zones.stats = zone_stats_of(capture.log_text.bytes(), threads);
  zones.clocks = capture.clocks;
  zones.is_modelled = capture.problems.count(PerfProblem::kSimulatedChips) > 0;
  // Logs without ops have no executions from which the clocks of devices would be known.
  for (const ProcessorFigures& processor : zones.stats.processors) {
    zones.clocks.try_emplace(processor.device, capture.log->clock_mhz);
  }
  capture.problems.add(PerfProblem::kZoneUnmatched, zones.stats.unmatched, {});
  for (const std::string& place : zones.stats.unmatched_places) {
    capture.problems.add_place(PerfProblem::kZoneUnmatched, place);
  }
}

}  // namespace ttscope::perf
