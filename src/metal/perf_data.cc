// Queries of what the profiler measured; declared in tt_metal/experimental/profiler.hpp.
#include <tt_metal/experimental/profiler.hpp>

#include <algorithm>
#include <compare>
#include <stdexcept>

#include "metal/device_state.h"
#include "metal/machine.h"
#include "metal/open_devices.h"

namespace tt::tt_metal::experimental {

namespace {

namespace perf = ttscope::perf;
using ProgramsByChip = std::map<ChipId, std::set<ProgramAnalysisData>>;

std::uint64_t uid_part(std::int64_t number) {
  return number < 0 ? INVALID_NUM_PROGRAM_EXECUTION_UID : static_cast<std::uint64_t>(number);
}

ProgramAnalysisData data_of(const perf::ProgramTimes& program, std::uint32_t cores) {
  ProgramAnalysisData data;
  data.program_execution_uid = {program.key.op_id, uid_part(program.key.trace), uid_part(program.key.replay)};
  data.core_count = program.cores;
  data.num_available_cores = cores;
  for (std::size_t i = 0; i < perf::kProgramSpanKinds; ++i) {
    const auto kind = static_cast<perf::ProgramSpanKind>(i);
    const perf::ProgramSpan& span = program.span(kind);
    if (!span.cycles.is_whole()) continue;
    data.program_analyses_results[std::string(perf::column_of(kind))] = {span.cycles.start, span.cycles.end,
                                                                         span.ns};
  }
  return data;
}

const ProgramSingleAnalysisResult* result_of(const ProgramAnalysisData& data, perf::ProgramSpanKind kind) {
  const auto found = data.program_analyses_results.find(std::string(perf::column_of(kind)));
  return found == data.program_analyses_results.end() ? nullptr : &found->second;
}

/// Of all open devices; nothing unless markers are measured while the process goes on.
template <typename Programs>
ProgramsByChip programs_by_chip(Programs programs) {
  ProgramsByChip chips;
  for (const auto& device : open_devices()) {
    const ttscope::metal::HostSettings& settings = ttscope::metal::HostMachine::get().settings();
    if (!settings.profiler || !settings.dumps_mid_run || !settings.post_processes) return {};
    const ttscope::metal::DeviceProfiler& profiler = device->state().profiler;
    std::set<ProgramAnalysisData>& found = chips[device->id()];
    for (const perf::ProgramTimes& program : programs(profiler))
      found.insert(data_of(program, profiler.compute_cores()));
  }
  return chips;
}

DurationHistogram histogram_of(const std::vector<std::uint64_t>& durations, std::uint64_t min_ns,
                               std::uint64_t max_ns, std::uint32_t buckets) {
  constexpr std::uint64_t kEmptyMinNs = 100;
  constexpr std::uint64_t kEmptyMaxNs = 10'000'000;
  if (min_ns == 0 && max_ns == 0) {
    const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
    min_ns = durations.empty() ? kEmptyMinNs : *least;
    max_ns = durations.empty() ? kEmptyMaxNs : *most + 1;
  }
  if (buckets == 0 || max_ns <= min_ns)
    throw std::runtime_error("a histogram needs buckets and a largest duration above the smallest");
  DurationHistogram histogram = {min_ns, max_ns, buckets, {}, std::vector<std::uint64_t>(buckets), 0, 0};
  for (std::uint64_t i = 0; i <= buckets; ++i)
    histogram.bucket_edges_ns.push_back(min_ns + (max_ns - min_ns) * i / buckets);
  for (const std::uint64_t duration : durations) {
    if (duration < min_ns) {
      ++histogram.underflow;
    } else if (duration >= max_ns) {
      ++histogram.overflow;
    } else {
      const auto above =
          std::upper_bound(histogram.bucket_edges_ns.begin(), histogram.bucket_edges_ns.end(), duration);
      ++histogram.bucket_counts[static_cast<std::size_t>(above - histogram.bucket_edges_ns.begin()) - 1];
    }
  }
  return histogram;
}

std::map<ChipId, KernelDurationSummary> summaries(const ProgramsByChip& chips, std::uint64_t min_ns,
                                                  std::uint64_t max_ns, std::uint32_t buckets) {
  std::map<ChipId, KernelDurationSummary> out;
  for (const auto& [chip, programs] : chips) {
    std::vector<std::uint64_t> durations;
    for (const ProgramAnalysisData& program : programs) {
      if (const auto* kernel = result_of(program, perf::ProgramSpanKind::kKernel))
        durations.push_back(kernel->duration);
    }
    KernelDurationSummary& summary = out[chip];
    summary.count = durations.size();
    for (const std::uint64_t duration : durations) summary.avg_ns += static_cast<double>(duration);
    if (!durations.empty()) {
      const auto [least, most] = std::minmax_element(durations.begin(), durations.end());
      summary.min_ns = *least;
      summary.max_ns = *most;
      summary.avg_ns /= static_cast<double>(durations.size());
    }
    summary.histogram = histogram_of(durations, min_ns, max_ns, buckets);
  }
  return out;
}

}  // namespace

bool ProgramAnalysisData::operator<(const ProgramAnalysisData& other) const {
  const auto firmware = [](const ProgramAnalysisData& data) {
    const auto* result = result_of(data, perf::ProgramSpanKind::kFirmware);
    return result == nullptr ? ProgramSingleAnalysisResult{} : *result;
  };
  const auto order = firmware(*this) <=> firmware(other);
  return std::is_neq(order) ? std::is_lt(order) : program_execution_uid < other.program_execution_uid;
}

ProgramsByChip GetLatestProgramsPerfData() {
  return programs_by_chip([](const auto& profiler) -> const auto& { return profiler.latest_programs(); });
}

ProgramsByChip GetAllProgramsPerfData() {
  return programs_by_chip([](const auto& profiler) -> const auto& { return profiler.all_programs(); });
}

std::map<ChipId, KernelDurationSummary> GetLatestKernelDurationSummary(std::uint64_t histogram_min_ns,
                                                                       std::uint64_t histogram_max_ns,
                                                                       std::uint32_t histogram_buckets) {
  return summaries(GetLatestProgramsPerfData(), histogram_min_ns, histogram_max_ns, histogram_buckets);
}

std::map<ChipId, KernelDurationSummary> GetAllKernelDurationSummary(std::uint64_t histogram_min_ns,
                                                                    std::uint64_t histogram_max_ns,
                                                                    std::uint32_t histogram_buckets) {
  return summaries(GetAllProgramsPerfData(), histogram_min_ns, histogram_max_ns, histogram_buckets);
}

}  // namespace tt::tt_metal::experimental
