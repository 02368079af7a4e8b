// Declared in include/ttscope/graph_utils.h.
#include <ttscope/graph_utils.h>

#include <stdexcept>

#include "graph/analyze/trace_utilities.h"
#include "graph/load.h"
#include "graph/read/capture_reader.h"

namespace ttscope::graph_utils {

struct Trace::State {
  graph::GraphTrace trace;
};

namespace {

template <typename T>
T value_or_throw(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

Trace first_of(Result<graph::GraphCapture> read) {
  graph::GraphCapture capture = value_or_throw(std::move(read));
  if (capture.segments.empty()) throw std::runtime_error("a capture without nodes");
  return Trace(std::make_shared<Trace::State>(Trace::State{std::move(capture.segments.front().trace)}));
}

}  // namespace

Trace Trace::parse(std::string_view json) { return first_of(graph::parse_graph_capture(json, "capture")); }

Trace Trace::load(const std::string& path) { return first_of(graph::read_graph_capture(path)); }

std::vector<std::string> extract_calltrace(const Trace& trace) {
  return graph::extract_calltrace(trace.state().trace);
}

std::vector<std::pair<std::string, std::vector<std::string>>> extract_arguments(const Trace& trace) {
  return graph::extract_arguments(trace.state().trace);
}

std::vector<std::uint32_t> extract_output_tensors(const Trace& trace) {
  return value_or_throw(graph::extract_output_tensors(trace.state().trace));
}

std::vector<OutputInfo> extract_output_info(const Trace& trace) {
  std::vector<OutputInfo> infos;
  for (graph::OutputInfo& info : value_or_throw(graph::extract_output_info(trace.state().trace)))
    infos.push_back({std::move(info.shape), info.size_bytes, std::move(info.type)});
  return infos;
}

TensorCounts count_intermediate_and_output_tensors(const Trace& trace) {
  const auto counts = value_or_throw(graph::count_intermediate_and_output_tensors(trace.state().trace));
  return {counts.intermediate, counts.output};
}

std::uint32_t extract_peak_L1_memory_usage(const Trace& trace) {
  return graph::extract_peak_l1_memory_usage(trace.state().trace);
}

PeakMemoryUsagePerCore extract_resource_usage_per_core(const Trace& trace, Figures figures) {
  const graph::Rules& rules = figures == Figures::kOriginal ? graph::kCompatRules : graph::kCorrectedRules;
  const graph::L1Usage usage = value_or_throw(graph::l1_usage(trace.state().trace, rules));
  return {usage.peak_cb, usage.peak_l1, usage.peak_dataflow_buffer, usage.peak_scratchpad, usage.peak_total};
}

DRAMUsage extract_dram_usage(const Trace& trace) {
  const graph::DramUsage usage = value_or_throw(graph::dram_usage(trace.state().trace));
  return {usage.peak, usage.total_allocations, usage.total_deallocations};
}

std::uint32_t extract_circular_buffers_peak_size_per_core(const Trace& trace) {
  return value_or_throw(graph::extract_circular_buffers_peak_size_per_core(trace.state().trace));
}

std::uint32_t extract_l1_buffer_allocation_peak_size_per_core(const Trace& trace) {
  return value_or_throw(graph::extract_l1_buffer_allocation_peak_size_per_core(trace.state().trace));
}

std::uint32_t extract_peak_memory_usage(const Trace& trace) {
  return value_or_throw(graph::extract_peak_memory_usage(trace.state().trace));
}

std::int64_t extract_l1_output_buffer_allocation_size_per_core(const Trace& trace, std::uint32_t tensor) {
  return value_or_throw(
      graph::extract_l1_output_buffer_allocation_size_per_core(trace.state().trace, tensor));
}

std::vector<LevelizedVertex> extract_levelized_graph(const Trace& trace, std::uint32_t max_level) {
  std::vector<LevelizedVertex> vertices;
  for (graph::LevelizedVertex& one : value_or_throw(graph::levelized_graph(trace.state().trace, max_level))) {
    vertices.push_back({one.counter, one.stacking_level, std::move(one.name), std::move(one.arguments),
                        std::move(one.in_edges), std::move(one.out_edges), std::move(one.internals),
                        std::move(one.output_info), std::move(one.output_shape)});
  }
  return vertices;
}

std::string pretty_format(const Trace& trace) {
  return value_or_throw(graph::pretty_format(trace.state().trace));
}

}  // namespace ttscope::graph_utils
