#pragma once

// The utilities of ttnn.graph, under its names, on captures that were read or taken.
// docs/formats/graph_trace.md says what each gives; errors are std::runtime_error with the original's texts.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <ttscope/memory_usage_tracker.h>

namespace ttscope::graph_utils {

/// A graph capture; copies share it.
class Trace {
 public:
  /// The list of nodes that `end_graph_capture` gives, as JSON text.
  static Trace parse(std::string_view json);
  /// The first capture of a file: a list of nodes, a report, a tracker's segments.
  static Trace load(const std::string& path);

  struct State;
  explicit Trace(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

struct OutputInfo {
  std::vector<std::int64_t> shape;
  std::int64_t size = 0;  ///< of its buffer
  std::string type;       ///< `L1` or `DRAM`
};
struct TensorCounts {
  std::size_t intermediate = 0;
  std::size_t output = 0;
};
/// A tensor or a function in the data flow of extract_levelized_graph; edges and internals are counters.
struct LevelizedVertex {
  std::uint32_t counter = 0;
  std::uint32_t stacking_level = 0;
  std::string name;
  std::vector<std::string> arguments;
  std::vector<std::uint32_t> in_edges;
  std::vector<std::uint32_t> out_edges;
  std::vector<std::uint32_t> internals;
  std::vector<std::string> output_info;
  std::vector<std::string> output_shape;
};

std::vector<std::string> extract_calltrace(const Trace& trace);
std::vector<std::pair<std::string, std::vector<std::string>>> extract_arguments(const Trace& trace);
std::vector<std::uint32_t> extract_output_tensors(const Trace& trace);
std::vector<OutputInfo> extract_output_info(const Trace& trace);
TensorCounts count_intermediate_and_output_tensors(const Trace& trace);
// NOLINTNEXTLINE(readability-identifier-naming): the name that ttnn gives it
std::uint32_t extract_peak_L1_memory_usage(const Trace& trace);
PeakMemoryUsagePerCore extract_resource_usage_per_core(const Trace& trace,
                                                       Figures figures = Figures::kOriginal);
DRAMUsage extract_dram_usage(const Trace& trace);
std::uint32_t extract_circular_buffers_peak_size_per_core(const Trace& trace);
std::uint32_t extract_l1_buffer_allocation_peak_size_per_core(const Trace& trace);
std::uint32_t extract_peak_memory_usage(const Trace& trace);
/// `tensor` is the counter of its node.
std::int64_t extract_l1_output_buffer_allocation_size_per_core(const Trace& trace, std::uint32_t tensor);
std::vector<LevelizedVertex> extract_levelized_graph(const Trace& trace, std::uint32_t max_level = 1);
std::string pretty_format(const Trace& trace);

}  // namespace ttscope::graph_utils
