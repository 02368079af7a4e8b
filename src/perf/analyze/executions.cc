#include "perf/analyze/executions.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/number_text.h"
#include "base/text.h"

namespace ttscope::perf {
namespace {

constexpr double kNsPerUs = 1000;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Grows a span by another one.
void widen(CycleSpan& span, std::uint64_t start, std::uint64_t end) {
  if (start != kNoCycle && (span.start == kNoCycle || start < span.start)) span.start = start;
  if (end != kNoCycle && (span.end == kNoCycle || end > span.end)) span.end = end;
}

/// The spans of an execution over all its cores.
struct Spans {
  CycleSpan fw, main_fw, compute_fw, kernel, dm, starts;
  std::array<CycleSpan, kRiscSlotCount> risc;
  std::int64_t cores = 0;
  std::int64_t per_core_min = 0;
  std::int64_t per_core_max = 0;
  std::int64_t per_core_sum = 0;
  std::int64_t per_core_count = 0;
};

void add_run(const CoreRun& run, Spans& spans) {
  CycleSpan fw = run.fw;
  widen(fw, run.compute_fw.start, run.compute_fw.end);
  if (fw.start != kNoCycle || fw.end != kNoCycle) ++spans.cores;
  widen(spans.fw, fw.start, fw.end);
  widen(spans.main_fw, run.fw.start, run.fw.end);
  widen(spans.compute_fw, run.compute_fw.start, run.compute_fw.end);
  for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) {
    widen(spans.risc[slot], run.kernel[slot].start, run.kernel[slot].end);
  }
  const CycleSpan kernels = run.kernels();
  const CycleSpan dm = run.dm_kernels();
  widen(spans.kernel, kernels.start, kernels.end);
  widen(spans.dm, dm.start, dm.end);
  widen(spans.starts, kernels.start, run.last_kernel_start);
  if (!kernels.is_whole()) return;
  const std::int64_t cycles = kernels.cycles();
  spans.per_core_min = spans.per_core_count == 0 ? cycles : std::min(spans.per_core_min, cycles);
  spans.per_core_max = std::max(spans.per_core_max, cycles);
  spans.per_core_sum += cycles;
  ++spans.per_core_count;
}

Spans spans_of(const DeviceProfile& log, const Execution& execution, PerfProblems& problems) {
  const auto first = log.runs.begin() + execution.first_run;
  const auto last = first + execution.run_count;
  const auto damaged = std::count_if(first, last, [](const CoreRun& run) { return run.damaged; });
  const bool any_whole = damaged < static_cast<std::ptrdiff_t>(execution.run_count);
  Spans spans;
  for (auto run = first; run != last; ++run) {
    if (run->damaged && any_whole) {
      problems.add(PerfProblem::kCoreQuarantined, "op " + std::to_string(execution.key.op_id) +
                                                      " on device " + std::to_string(execution.key.device) +
                                                      ", core " + std::to_string(run->x) + "-" +
                                                      std::to_string(run->y));
    } else {
      add_run(*run, spans);
    }
  }
  return spans;
}

void set_span(Figures& figures, Figure figure, const CycleSpan& span, double clock_mhz) {
  if (span.is_whole() && span.end >= span.start && clock_mhz > 0) {
    figures[figure] = to_ns(span.cycles(), clock_mhz);
  }
}

void set_cycles(Figures& figures, Figure start, Figure end, const CycleSpan& span) {
  if (!span.is_whole()) return;
  figures[start] = static_cast<std::int64_t>(span.start);
  figures[end] = static_cast<std::int64_t>(span.end);
}

void set_per_core(Figures& figures, const Spans& spans, double clock_mhz) {
  if (spans.per_core_count == 0 || clock_mhz <= 0) return;
  figures[Figure::kPerCoreMinNs] = to_ns(spans.per_core_min, clock_mhz);
  figures[Figure::kPerCoreMaxNs] = to_ns(spans.per_core_max, clock_mhz);
  const double average = static_cast<double>(spans.per_core_sum) / static_cast<double>(spans.per_core_count);
  figures[Figure::kPerCoreAvgNs] = static_cast<std::int64_t>(std::nearbyint(average * kNsPerUs / clock_mhz));
}

const CycleSpan& span_of(const Spans& spans, RiscSlot slot) {
  return spans.risc[static_cast<std::size_t>(slot)];
}

void set_figures(Figures& figures, const Spans& spans, double clock_mhz, bool quasar) {
  const CycleSpan& trace = span_of(spans, RiscSlot::kAggregate);
  figures[Figure::kCoreCount] = spans.cores;
  set_cycles(figures, Figure::kFwStartCycle, Figure::kFwEndCycle, spans.fw);
  set_cycles(figures, Figure::kKernelStartCycle, Figure::kKernelEndCycle, spans.kernel);
  set_cycles(figures, Figure::kDmStartCycle, Figure::kDmEndCycle, spans.dm);
  set_span(figures, Figure::kFwNs, spans.fw, clock_mhz);
  set_span(figures, Figure::kKernelNs, spans.kernel, clock_mhz);
  set_span(figures, Figure::kKernelDmNs, spans.dm, clock_mhz);
  set_span(figures, Figure::kFirstToLastStartNs, spans.starts, clock_mhz);
  set_span(figures, Figure::kTraceKernelNs, trace, clock_mhz);
  if (trace.is_whole()) set_span(figures, Figure::kTraceFwNs, spans.fw, clock_mhz);
  set_per_core(figures, spans, clock_mhz);
  if (quasar) {
    set_cycles(figures, Figure::kQuasarDmStartCycle, Figure::kQuasarDmEndCycle,
               span_of(spans, RiscSlot::kBrisc));
    set_cycles(figures, Figure::kQuasarTriscStartCycle, Figure::kQuasarTriscEndCycle,
               span_of(spans, RiscSlot::kTrisc0));
    set_span(figures, Figure::kQuasarDmNs, span_of(spans, RiscSlot::kBrisc), clock_mhz);
    set_span(figures, Figure::kQuasarTriscNs, span_of(spans, RiscSlot::kTrisc0), clock_mhz);
    set_span(figures, Figure::kQuasarDmFwNs, spans.main_fw, clock_mhz);
    set_span(figures, Figure::kQuasarTriscFwNs, spans.compute_fw, clock_mhz);
    return;
  }
  set_span(figures, Figure::kBriscNs, span_of(spans, RiscSlot::kBrisc), clock_mhz);
  set_span(figures, Figure::kNcriscNs, span_of(spans, RiscSlot::kNcrisc), clock_mhz);
  set_span(figures, Figure::kTrisc0Ns, span_of(spans, RiscSlot::kTrisc0), clock_mhz);
  set_span(figures, Figure::kTrisc1Ns, span_of(spans, RiscSlot::kTrisc1), clock_mhz);
  set_span(figures, Figure::kTrisc2Ns, span_of(spans, RiscSlot::kTrisc2), clock_mhz);
  set_span(figures, Figure::kEriscNs, span_of(spans, RiscSlot::kErisc), clock_mhz);
}

void add_sums(const DeviceProfile& log, const DeviceClocks& clocks, bool average,
              std::vector<Execution>& executions) {
  struct KeySum {
    double cycles = 0;
    double count = 0;
  };
  std::vector<std::array<KeySum, 2>> sums(log.sums.empty() ? 0 : executions.size());
  for (const SumSample& sample : log.sums) {
    KeySum& sum = sums[sample.execution][sample.reserve ? 1 : 0];
    sum.cycles += static_cast<double>(sample.cycles);
    ++sum.count;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double clock_mhz = clock_of(clocks, executions[i].key.device);
    for (int kind = 0; kind < 2; ++kind) {
      const KeySum& sum = sums[i][static_cast<std::size_t>(kind)];
      if (sum.count == 0 || clock_mhz <= 0 || (!average && sum.cycles == 0)) continue;
      const double cycles = average ? sum.cycles / sum.count : sum.cycles;
      executions[i].figures[kind == 0 ? Figure::kCbWaitFrontNs : Figure::kCbReserveBackNs] =
          static_cast<std::int64_t>(std::nearbyint(cycles * kNsPerUs / clock_mhz));
    }
  }
}

/// The clock that cycles and nanoseconds of the runtime's rows imply; long ops say it best.
std::optional<double> implied_mhz(const Execution& row) {
  const Figures& figures = row.figures;
  if (!figures.has(Figure::kFwStartCycle) || !figures.has(Figure::kFwEndCycle) ||
      !figures.has(Figure::kFwNs)) {
    return std::nullopt;
  }
  const std::int64_t cycles = figures[Figure::kFwEndCycle] - figures[Figure::kFwStartCycle];
  constexpr std::int64_t kMinNs = 100;
  if (cycles <= 0 || figures[Figure::kFwNs] < kMinNs) return std::nullopt;
  return static_cast<double>(cycles) * kNsPerUs / static_cast<double>(figures[Figure::kFwNs]);
}

}  // namespace

double clock_of(const DeviceClocks& clocks, std::uint32_t device) {
  const auto found = clocks.find(device);
  return found == clocks.end() ? 0 : found->second;
}

std::int64_t to_ns(std::int64_t cycles, double clock_mhz) {
  return static_cast<std::int64_t>(std::nearbyint(static_cast<double>(cycles) * kNsPerUs / clock_mhz));
}

DeviceClocks find_clocks(const DeviceProfile* log, const std::vector<Execution>& cpp_rows,
                         const DeviceClockLines& synchronized) {
  DeviceClocks clocks;
  std::map<std::uint32_t, std::vector<double>> implied;
  for (const Execution& row : cpp_rows) {
    clocks.try_emplace(row.key.device, 0);
    if (const auto mhz = implied_mhz(row)) implied[row.key.device].push_back(*mhz);
  }
  const double header_mhz = log == nullptr ? 0 : log->clock_mhz;
  if (log != nullptr) {
    for (const std::uint32_t device : log->devices) clocks.try_emplace(device, 0);
  }
  for (auto& [device, mhz] : clocks) {
    mhz = header_mhz;
    const auto measured = synchronized.find(device);
    if (measured != synchronized.end()) mhz = measured->second.cycles_per_ns * kNsPerUs;
    const auto rows = implied.find(device);
    if (rows == implied.end()) continue;
    const double said = std::round(median(rows->second));
    // Rounded nanoseconds of short ops are not exact: a clock that is known otherwise is kept if they agree.
    constexpr double kClockTolerance = 0.01;
    if (mhz <= 0 || std::abs(said - mhz) > kClockTolerance * mhz) mhz = said;
  }
  return clocks;
}

std::vector<Execution> measure_executions(const DeviceProfile& log, const DeviceClocks& clocks,
                                          bool average_sums, PerfProblems& problems) {
  std::vector<Execution> executions = log.executions;
  for (Execution& execution : executions) {
    const Spans spans = spans_of(log, execution, problems);
    set_figures(execution.figures, spans, clock_of(clocks, execution.key.device), log.quasar);
  }
  add_sums(log, clocks, average_sums, executions);
  return executions;
}

std::vector<Execution> join_device_files(std::vector<Execution> cpp_rows, std::vector<Execution> measured,
                                         PerfProblems& problems) {
  std::map<ExecutionKey, std::size_t> places;
  for (std::size_t i = 0; i < cpp_rows.size(); ++i) places.emplace(cpp_rows[i].key, i);
  for (Execution& execution : measured) {
    const auto place = execution.occurrence == 0 ? places.find(execution.key) : places.end();
    if (place == places.end()) {
      cpp_rows.push_back(std::move(execution));
      continue;
    }
    Execution& row = cpp_rows[place->second];
    const auto kernel_ns = execution.figures[Figure::kKernelNs];
    if (kernel_ns != kNoFigure && row.figures.has(Figure::kKernelNs) &&
        kernel_ns != row.figures[Figure::kKernelNs]) {
      problems.add(PerfProblem::kReportsDiffer,
                   "op " + std::to_string(row.key.op_id) + " on device " + std::to_string(row.key.device));
    }
    for (std::size_t i = 0; i < kFigureCount; ++i) {
      const auto figure = static_cast<Figure>(i);
      if (execution.figures.has(figure)) row.figures[figure] = execution.figures[figure];
    }
    row.first_cycle = execution.first_cycle;
    row.first_run = execution.first_run;
    row.run_count = execution.run_count;
  }
  return cpp_rows;
}

void add_sub_devices(const DeviceProfile& log, std::vector<Execution>& executions) {
  std::map<ExecutionKey, std::int64_t> known;
  for (const Execution& execution : log.executions) {
    if (execution.figures.has(Figure::kSubDevice))
      known[execution.key] = execution.figures[Figure::kSubDevice];
  }
  for (Execution& execution : executions) {
    const auto found = known.find(execution.key);
    if (found != known.end()) execution.figures[Figure::kSubDevice] = found->second;
  }
}

void find_skewed_timers(const DeviceProfile& log, PerfProblems& problems) {
  struct Place {
    std::uint32_t device;
    std::uint16_t x, y;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in what = default makes
    auto operator<=>(const Place&) const = default;
  };
  std::map<Place, std::vector<double>> offsets;
  std::vector<double> starts;
  // A skew is there all the time: some hundred executions show it.
  constexpr std::size_t kMaxSamples = 500;
  const std::size_t step = log.executions.size() / kMaxSamples + 1;
  for (std::size_t i = 0; i < log.executions.size(); i += step) {
    const Execution& execution = log.executions[i];
    starts.clear();
    const auto first = log.runs.begin() + execution.first_run;
    const auto last = first + execution.run_count;
    for (auto run = first; run != last; ++run) {
      if (run->fw.start != kNoCycle) starts.push_back(static_cast<double>(run->fw.start));
    }
    constexpr std::size_t kMinCores = 3;
    if (starts.size() < kMinCores) continue;
    const double middle = median(starts);
    for (auto run = first; run != last; ++run) {
      if (run->fw.start == kNoCycle) continue;
      offsets[{execution.key.device, run->x, run->y}].push_back(static_cast<double>(run->fw.start) - middle);
    }
  }
  for (auto& [place, values] : offsets) {
    constexpr double kSkewCycles = 1e6;  // about a millisecond: no op is started that unevenly each time
    if (values.size() < 2 || std::abs(median(values)) < kSkewCycles) continue;
    problems.add(PerfProblem::kCoreTimerSkewed, "device " + std::to_string(place.device) + ", core " +
                                                    std::to_string(place.x) + "-" + std::to_string(place.y));
  }
}

namespace {

/// What follows `"name":`.
std::optional<std::string_view> value_after_key(std::string_view meta, std::string_view key) {
  const std::size_t at = meta.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  return meta.substr(at + key.size());
}

}  // namespace

std::optional<std::uint64_t> op_id_in_meta(std::string_view meta) {
  const auto rest = value_after_key(meta, "\"workers_runtime_id\":");
  if (!rest) return std::nullopt;
  return parse_unsigned(rest->substr(0, rest->find_first_of(";}"))).value_or(0);
}

std::optional<std::string_view> command_in_meta(std::string_view meta) {
  const auto rest = value_after_key(meta, "\"dispatch_command_type\":\"");
  if (!rest) return std::nullopt;
  return rest->substr(0, rest->find('"'));
}

namespace {

constexpr std::uint64_t kIdShift = 10;
constexpr std::uint64_t kDispatchIds = 0xffff;

/// One program as its dispatch core saw it.
struct DispatchedProgram {
  std::uint64_t id = 0;
  CycleSpan commands;
  std::int64_t go_cycles = kNoFigure;
};

/// `CQ-DISPATCH:1024:CQ_DISPATCH_CMD_WRITE_PACKED` names its program; 0: not named.
std::uint64_t id_in_zone(std::string_view zone) {
  const std::size_t first = zone.find(':');
  if (first == std::string_view::npos) return 0;
  const std::string_view rest = zone.substr(first + 1);
  return parse_unsigned(rest.substr(0, rest.find(':'))).value_or(0);
}

/// The markers of one dispatch core, put together to programs.
class DispatchCore {
 public:
  void take(const DispatchMarker& marker) {
    if (marker.risc == RiscSlot::kNcrisc) {
      take_subordinate(marker);
    } else if (marker.risc == RiscSlot::kBrisc) {
      take_main(marker);
    }
  }

  std::vector<DispatchedProgram> finish() {
    close();
    for (std::size_t i = 0; i < programs_.size() && i < go_cycles_.size(); ++i)
      programs_[i].go_cycles = go_cycles_[i];
    return std::move(programs_);
  }

 private:
  void take_main(const DispatchMarker& marker) {
    const std::uint64_t said = std::max(id_in_zone(marker.zone), op_id_in_meta(marker.meta).value_or(0));
    if (!marker.meta.empty() && !contains(marker.zone, "CQ-DISPATCH")) {
      current_.id = said;
      return;
    }
    if (!contains(marker.zone, "CQ-DISPATCH") || contains(marker.zone, "SUBORDINATE:")) return;
    if (said != 0) current_.id = said;
    if (marker.is_start) {
      current_.commands.start = std::min(current_.commands.start, marker.cycle);
    } else {
      current_.commands.end =
          current_.commands.end == kNoCycle ? marker.cycle : std::max(current_.commands.end, marker.cycle);
      if (contains(marker.zone, "NOTIFY_SUBORDINATE_GO_SIGNAL")) close();
    }
  }

  void take_subordinate(const DispatchMarker& marker) {
    if (!contains(marker.zone, "SEND_GO_SIGNAL")) return;
    if (marker.is_start) {
      go_start_ = marker.cycle;
    } else if (go_start_ != kNoCycle) {
      go_cycles_.push_back(static_cast<std::int64_t>(marker.cycle - go_start_));
      go_start_ = kNoCycle;
    }
  }

  void close() {
    if (current_.id != 0 && current_.commands.is_whole()) programs_.push_back(current_);
    current_ = {};
  }

  DispatchedProgram current_;
  std::vector<DispatchedProgram> programs_;
  std::vector<std::int64_t> go_cycles_;
  std::uint64_t go_start_ = kNoCycle;
};

/// Executions of a device by the id that a dispatch core uses, in order of time.
class ProgramIndex {
 public:
  explicit ProgramIndex(const std::vector<Execution>& executions) {
    for (std::uint32_t i = 0; i < executions.size(); ++i) {
      const ExecutionKey& key = executions[i].key;
      whole_[{key.device, key.op_id}].push_back(i);
      low_[{key.device, (key.op_id >> kIdShift) & kDispatchIds}].push_back(i);
    }
  }

  /// The next execution of that program without dispatch times.
  std::uint32_t* next(std::uint32_t device, std::uint64_t id) {
    for (auto* index : {&whole_, &low_}) {
      const auto found = index->find({device, id});
      if (found == index->end()) continue;
      std::size_t& used = used_[{index == &whole_, device, id}];
      if (used < found->second.size()) return &found->second[used++];
    }
    return nullptr;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> whole_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> low_;
  std::map<std::tuple<bool, std::uint32_t, std::uint64_t>, std::size_t> used_;
};

}  // namespace

void add_dispatch_times(const DeviceProfile& log, const DeviceClocks& clocks,
                        std::vector<Execution>& executions, PerfProblems& problems) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::vector<const DispatchMarker*>> cores;
  for (const DispatchMarker& marker : log.dispatch)
    cores[{marker.device, marker.x, marker.y}].push_back(&marker);
  ProgramIndex index(executions);
  for (auto& [place, markers] : cores) {
    std::stable_sort(markers.begin(), markers.end(),
                     [](const DispatchMarker* a, const DispatchMarker* b) { return a->cycle < b->cycle; });
    DispatchCore core;
    for (const DispatchMarker* marker : markers) core.take(*marker);
    const std::uint32_t device = std::get<0>(place);
    const auto clock = clocks.find(device);
    for (const DispatchedProgram& program : core.finish()) {
      const std::uint32_t* execution = index.next(device, program.id);
      if (execution == nullptr) {
        problems.add(PerfProblem::kDispatchUnmatched,
                     "program " + std::to_string(program.id) + " on device " + std::to_string(device));
        continue;
      }
      if (clock == clocks.end() || clock->second <= 0) continue;
      Figures& figures = executions[*execution].figures;
      figures[Figure::kDispatchTotalNs] = to_ns(program.commands.cycles(), clock->second);
      if (program.go_cycles != kNoFigure)
        figures[Figure::kDispatchGoNs] = to_ns(program.go_cycles, clock->second);
    }
  }
}

std::vector<CoreLoad> core_loads(const DeviceProfile& log) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, CoreLoad> loads;
  for (const Execution& execution : log.executions) {
    for (std::uint32_t i = 0; i < execution.run_count; ++i) {
      const CoreRun& run = log.runs[execution.first_run + i];
      const CycleSpan kernels = run.kernels();
      if (!kernels.is_whole() || kernels.cycles() < 0) continue;
      CoreLoad& load = loads[{execution.key.device, run.y, run.x}];
      load = {execution.key.device, run.x, run.y,
              load.busy_cycles + static_cast<std::uint64_t>(kernels.cycles()), load.runs + 1};
    }
  }
  std::vector<CoreLoad> list;
  list.reserve(loads.size());
  for (const auto& [place, load] : loads) list.push_back(load);
  return list;
}

}  // namespace ttscope::perf
