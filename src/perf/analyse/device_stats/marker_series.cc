#include "perf/analyse/device_stats/marker_series.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/number_text.h"

namespace ttscope::perf {
namespace {

constexpr std::int64_t kMostCycles = std::numeric_limits<std::int64_t>::max();

/// Data of a damaged log may be anything; what does not fit becomes the most.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return b < 0 ? -kMostCycles : kMostCycles;
  return sum;
}

double middle_of(std::vector<double> values) {
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), half, values.end());
  if (values.size() % 2 == 1) return *half;
  return (*std::max_element(values.begin(), half) + *half) / 2;
}

DurationSample sample_of(const TimedMarker& start, const TimedMarker& end) {
  DurationSample sample;
  sample.cycles = static_cast<std::int64_t>(end.cycle) - static_cast<std::int64_t>(start.cycle);
  sample.start = start;
  sample.end = end;
  return sample;
}

/// Looks for gaps of one analysis.
class GapFinder {
 public:
  explicit GapFinder(std::vector<DurationSample>& samples) : samples_(samples) {}

  void take(const TimedMarker& marker, bool starts, bool ends, const TimedMarker* iteration) {
    if (is_open_ && ends) {
      DurationSample sample = sample_of(open_.start, marker);
      sample.start_iteration = open_.start_iteration;
      sample.has_start_iteration = open_.has_start_iteration;
      sample.has_end_iteration = iteration != nullptr;
      if (iteration != nullptr) sample.end_iteration = *iteration;
      samples_.push_back(sample);
      is_open_ = false;
    } else if (starts) {
      is_open_ = true;
      open_.start = marker;
      open_.has_start_iteration = iteration != nullptr;
      if (iteration != nullptr) open_.start_iteration = *iteration;
    }
  }

 private:
  std::vector<DurationSample>& samples_;
  DurationSample open_;
  bool is_open_ = false;
};

bool starts_iteration(const LogMarker& row) {
  return row.type == "ZONE_START" && (row.zone == "BRISC-FW" || row.zone == "DM0-FW");
}

/// A marker of a record with what it may start and end.
struct MarkedMarker {
  TimedMarker marker;
  AnalysisMarks marks;
};

/// From the first start to the last end behind it.
template <typename Iterator>
void add_first_to_last(Iterator first, Iterator last, std::uint32_t bit,
                       std::vector<DurationSample>& samples) {
  const auto start =
      std::find_if(first, last, [bit](const auto& entry) { return (entry.marks.start & bit) != 0; });
  if (start == last) return;
  for (auto end = last - 1; end != start; --end) {
    if ((end->marks.end & bit) == 0) continue;
    samples.push_back(sample_of(start->marker, end->marker));
    return;
  }
}

/// First to last on each core, cores in order of appearance.
void add_per_core(const DeviceMarkers& device, const std::vector<MarkedMarker>& marked, std::uint32_t bit,
                  std::vector<DurationSample>& samples) {
  std::unordered_map<std::uint32_t, std::size_t> places;
  std::vector<std::vector<MarkedMarker>> cores;
  for (const MarkedMarker& entry : marked) {
    const std::uint32_t core = device.processors[entry.marker.processor].core;
    const auto [place, is_new] = places.try_emplace(core, cores.size());
    if (is_new) cores.emplace_back();
    if (((entry.marks.start | entry.marks.end) & bit) != 0) cores[place->second].push_back(entry);
  }
  for (const std::vector<MarkedMarker>& core : cores)
    add_first_to_last(core.begin(), core.end(), bit, samples);
}

void add_sum(const MarkerSource& source, const std::vector<MarkedMarker>& marked, std::uint32_t bit,
             std::vector<DurationSample>& samples) {
  DurationSample sample;
  for (const MarkedMarker& entry : marked) {
    if ((entry.marks.start & bit) == 0) continue;
    const std::uint64_t data = parse_unsigned(source.read(entry.marker.at).data).value_or(0);
    sample.cycles = added(sample.cycles,
                          static_cast<std::int64_t>(std::min(data, static_cast<std::uint64_t>(kMostCycles))));
  }
  if (sample.cycles != 0) samples.push_back(sample);
}

}  // namespace

double CycleStats::average() const {
  return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

std::int64_t CycleStats::range() const { return added(max, -min); }

CycleStats stats_of(const std::vector<DurationSample>& samples) {
  CycleStats stats;
  if (samples.empty()) return stats;
  stats.count = samples.size();
  stats.first = stats.max = stats.min = samples.front().cycles;
  std::vector<double> values;
  values.reserve(samples.size());
  for (const DurationSample& sample : samples) {
    stats.max = std::max(stats.max, sample.cycles);
    stats.min = std::min(stats.min, sample.cycles);
    stats.sum = added(stats.sum, sample.cycles);
    values.push_back(static_cast<double>(sample.cycles));
  }
  stats.median = middle_of(std::move(values));
  return stats;
}

void StatsCollector::add(const CycleStats& stats) {
  if (stats.count == 0) return;
  all_.max = all_.count == 0 ? stats.max : std::max(all_.max, stats.max);
  all_.min = all_.count == 0 ? stats.min : std::min(all_.min, stats.min);
  if (all_.count == 0) all_.first = stats.first;
  all_.sum = added(all_.sum, stats.sum);
  all_.count += stats.count;
  medians_.push_back(stats.median);
}

CycleStats StatsCollector::finish() {
  if (!medians_.empty()) all_.median = middle_of(std::move(medians_));
  return all_;
}

std::vector<std::vector<DurationSample>> find_gaps(const MarkerSource& source,
                                                   const std::vector<std::uint32_t>& lanes,
                                                   AnalysisScope scope, AnalysisMatcher& matcher) {
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  std::vector<std::vector<DurationSample>> found(analyses.size());
  std::vector<std::pair<std::uint32_t, GapFinder>> finders;
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i].scope == scope && analyses[i].kind == AnalysisKind::kAdjacent)
      finders.emplace_back(1u << i, GapFinder(found[i]));
  }
  TimedMarker iteration;
  bool has_iteration = false;
  MarkerMerge merge(source, lanes);
  for (TimedMarker marker; merge.next(marker);) {
    const LogMarker row = source.read(marker.at);
    if (starts_iteration(row)) {
      iteration = marker;
      has_iteration = true;
    }
    const AnalysisMarks marks = matcher.marks_of(row.zone, row.type, source.risc_of(marker));
    for (auto& [bit, finder] : finders) {
      finder.take(marker, (marks.start & bit) != 0, (marks.end & bit) != 0,
                  has_iteration ? &iteration : nullptr);
    }
  }
  return found;
}

std::vector<std::vector<DurationSample>> measure_record(const MarkerSource& source, const OpRecord& record,
                                                        AnalysisScope scope, AnalysisMatcher& matcher) {
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  std::vector<std::vector<DurationSample>> found(analyses.size());
  std::vector<MarkedMarker> marked;
  marked.reserve(record.markers.size());
  for (const TimedMarker& marker : record.markers) {
    const LogMarker row = source.read(marker.at);
    const AnalysisMarks marks = matcher.marks_of(row.zone, row.type, source.risc_of(marker));
    marked.push_back({marker, marks});
  }
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (analyses[i].scope != scope) continue;
    const std::uint32_t bit = 1u << i;
    if (analyses[i].kind == AnalysisKind::kOpFirstLast) {
      add_first_to_last(marked.begin(), marked.end(), bit, found[i]);
    } else if (analyses[i].kind == AnalysisKind::kOpCoreFirstLast) {
      add_per_core(source.device, marked, bit, found[i]);
    } else if (analyses[i].kind == AnalysisKind::kSum) {
      add_sum(source, marked, bit, found[i]);
    }
  }
  return found;
}

void for_each_event(const MarkerSource& source, std::size_t analysis,
                    const std::function<void(const TimedMarker&)>& take) {
  const std::string_view risc = timer_analyses()[analysis].start.risc;
  const auto lanes = lanes_by_risc(source.device);
  const auto found = lanes.find(risc);
  if (found == lanes.end()) return;
  MarkerMerge merge(source, found->second);
  for (TimedMarker marker; merge.next(marker);) {
    const std::string_view type = source.rows.read(marker.at).type;
    if (type == "TS_DATA" || type == "TS_EVENT") take(marker);
  }
}

}  // namespace ttscope::perf
