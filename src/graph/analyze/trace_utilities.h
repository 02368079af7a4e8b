#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "graph/analyze/figures.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

// The utilities of ttnn.graph, with its names and results; docs/formats/graph_trace.md says what each gives.
// Their errors have the original's text.

/// Names of all functions in the order they were entered.
std::vector<std::string> extract_calltrace(const GraphTrace& trace);

/// Name and arguments of each function that has arguments.
std::vector<std::pair<std::string, std::vector<std::string>>> extract_arguments(const GraphTrace& trace);

/// Counters of the tensors that the last function with any tensor result left, ascending.
Result<std::vector<std::uint32_t>> extract_output_tensors(const GraphTrace& trace);

struct OutputInfo {
  std::vector<std::int64_t> shape;
  std::int64_t size_bytes = 0;  ///< of its buffer
  std::string type;             ///< `L1` or `DRAM`
  bool operator==(const OutputInfo&) const = default;
};

/// The buffers of those tensors.
Result<std::vector<OutputInfo>> extract_output_info(const GraphTrace& trace);

struct TensorCounts {
  std::size_t intermediate = 0;
  std::size_t output = 0;
  bool operator==(const TensorCounts&) const = default;
};

/// Intermediate ones are those of functions named exactly `create_device_tensor`, as captures before 2026
/// have them.
Result<TensorCounts> count_intermediate_and_output_tensors(const GraphTrace& trace);

/// The deprecated figure: whole buffers, inputs of outermost functions included, 32-bit wrap-around.
std::uint32_t extract_peak_l1_memory_usage(const GraphTrace& trace);

// Fields of l1_usage() cut to 32 bits; deprecated in the original.
Result<std::uint32_t> extract_circular_buffers_peak_size_per_core(const GraphTrace& trace);
Result<std::uint32_t> extract_l1_buffer_allocation_peak_size_per_core(const GraphTrace& trace);
Result<std::uint32_t> extract_peak_memory_usage(const GraphTrace& trace);

/// What the buffer of an output tensor takes of a bank.
Result<std::int64_t> extract_l1_output_buffer_allocation_size_per_core(const GraphTrace& trace,
                                                                       std::uint32_t tensor);

/// One line for each node, indented by the functions around it.
Result<std::string> pretty_format(const GraphTrace& trace);

/// The numbers between the brackets of `Shape([1, 3, 32, 32])`.
std::vector<std::int64_t> shape_numbers(std::string_view text);

/// A tensor of level 1 or a function, in the data flow between them.
struct LevelizedVertex {
  std::uint32_t counter = 0;  ///< its place in the graph
  std::uint32_t stacking_level = 0;
  std::string name;  ///< of the function, or `tensor[ID]`
  std::vector<std::string> arguments;
  std::vector<std::uint32_t> in_edges;
  std::vector<std::uint32_t> out_edges;
  std::vector<std::uint32_t> internals;   ///< functions that it calls, one level deeper
  std::vector<std::string> output_info;   ///< its result as the first consumer's argument shows it
  std::vector<std::string> output_shape;  ///< distinct shapes of its results
};

/// The capture as data flow between tensors of level 1 and functions of level `max_level` or less, as
/// ttnn.graph.extract_levelized_graph gives it: tensors first, then functions, both in order. An error for a
/// function without its end.
Result<std::vector<LevelizedVertex>> levelized_graph(const GraphTrace& trace, std::uint32_t max_level);

}  // namespace ttscope::graph
