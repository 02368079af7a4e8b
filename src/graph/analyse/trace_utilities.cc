#include "graph/analyse/trace_utilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

bool is_kind(const GraphTrace& trace, std::uint32_t node, NodeKind kind) {
  return node != kNone && trace.kinds[node] == kind;
}

/// The tensors among a node's connections.
std::vector<std::uint32_t> connected_tensors(const GraphTrace& trace, std::uint32_t node) {
  std::vector<std::uint32_t> tensors;
  for (const std::uint32_t counter : trace.connections_of(node)) {
    if (is_kind(trace, trace.node_at(counter), NodeKind::kTensor)) tensors.push_back(counter);
  }
  return tensors;
}

std::string_view end_name(const GraphTrace& trace, std::uint32_t node) {
  return trace.text(trace.function_ends[trace.details[node]].name);
}

bool is_l1(const GraphTrace& trace, const BufferFacts& facts) { return trace.text(facts.type) == "L1"; }

std::uint32_t low_half(std::int64_t value) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(value));
}

/// The running sums of the deprecated peak, modulo 2^32.
struct LegacySums {
  std::uint32_t programs = 0;
  std::uint32_t buffers = 0;

  void take(const GraphTrace& trace, std::uint32_t node) {
    switch (trace.kinds[node]) {
      case NodeKind::kDataflowBufferAllocate:
        if (trace.program_buffer_of(node).borrowed.value_or(false)) return;
        [[fallthrough]];
      case NodeKind::kCircularBufferAllocate:
      case NodeKind::kScratchpadAllocate:
        programs += low_half(trace.program_buffer_of(node).size_bytes);
        return;
      case NodeKind::kDeallocateAll:
        programs = 0;
        return;
      case NodeKind::kBufferAllocate:
        if (is_l1(trace, trace.buffer_of(node))) buffers += low_half(trace.buffer_of(node).size_bytes);
        return;
      case NodeKind::kBufferDeallocate: {
        const BufferFacts& facts = whole_of_freed(trace, node);
        if (is_l1(trace, facts)) buffers -= low_half(facts.size_bytes);
        return;
      }
      default:
        return;
    }
  }
};

template <typename Field>
Result<std::uint32_t> cut_field(const GraphTrace& trace, Field field) {
  return l1_usage(trace, kCompatRules).map([&](const L1Usage& usage) {
    return static_cast<std::uint32_t>(usage.*field);
  });
}

/// Adds the L1 buffers among the inputs of an outermost function, which stand directly behind it; the last of
/// them.
std::uint32_t take_inputs(const GraphTrace& trace, std::uint32_t node, LegacySums& sums) {
  for (; node + 1 < trace.size(); ++node) {
    const NodeKind next = trace.kinds[node + 1];
    if (next != NodeKind::kTensor && next != NodeKind::kBuffer) break;
    if (next == NodeKind::kBuffer && is_l1(trace, trace.buffer_of(node + 1))) {
      sums.buffers += low_half(trace.buffer_of(node + 1).size_bytes);
    }
  }
  return node;
}

}  // namespace

std::vector<std::int64_t> shape_numbers(std::string_view text) {
  std::vector<std::int64_t> numbers;
  const std::size_t open = text.find('[');
  const std::size_t close = text.find(']', open);
  if (open == std::string_view::npos || close == std::string_view::npos) return numbers;
  text = text.substr(open + 1, close - open - 1);
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(", "), text.size()));
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    numbers.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  }
  return numbers;
}

std::vector<std::string> extract_calltrace(const GraphTrace& trace) {
  std::vector<std::string> names;
  names.reserve(trace.functions.size());
  for (const FunctionNode& function : trace.functions) names.emplace_back(trace.text(function.name));
  return names;
}

std::vector<std::pair<std::string, std::vector<std::string>>> extract_arguments(const GraphTrace& trace) {
  std::vector<std::pair<std::string, std::vector<std::string>>> calls;
  for (const FunctionNode& function : trace.functions) {
    std::vector<std::string> arguments =
        decode_arguments(function.arguments_json).value_or(std::vector<std::string>());
    if (!arguments.empty()) calls.emplace_back(trace.text(function.name), std::move(arguments));
  }
  return calls;
}

Result<std::vector<std::uint32_t>> extract_output_tensors(const GraphTrace& trace) {
  for (std::uint32_t node = trace.size(); node-- > 0;) {
    if (trace.kinds[node] != NodeKind::kFunctionEnd) continue;
    const std::vector<std::uint32_t> tensors = connected_tensors(trace, node);
    if (tensors.empty()) continue;
    const std::set<std::uint32_t> distinct(tensors.begin(), tensors.end());
    return std::vector<std::uint32_t>(distinct.begin(), distinct.end());
  }
  return failure(bad_input("No function_end node with tensor connections found in the trace"));
}

Result<std::vector<OutputInfo>> extract_output_info(const GraphTrace& trace) {
  const Result<std::vector<std::uint32_t>> outputs = extract_output_tensors(trace);
  if (!outputs) return failure(outputs.error());
  std::vector<OutputInfo> infos;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kBuffer) continue;
    for (const std::uint32_t counter : trace.connections_of(node)) {
      if (!std::binary_search(outputs->begin(), outputs->end(), counter)) continue;
      const BufferFacts& facts = trace.buffer_of(node);
      infos.push_back({shape_numbers(trace.text(trace.tensor_facts_of(counter).shape)), facts.size_bytes,
                       is_l1(trace, facts) ? "L1" : "DRAM"});
      break;  // a buffer counts once, however often the tensor was seen in it
    }
  }
  return infos;
}

Result<TensorCounts> count_intermediate_and_output_tensors(const GraphTrace& trace) {
  const Result<std::vector<std::uint32_t>> outputs = extract_output_tensors(trace);
  if (!outputs)
    return failure(bad_input("no function_start, or no function_end with a tensor, in the trace"));
  std::set<std::uint32_t> intermediates;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kFunctionEnd || end_name(trace, node) != "create_device_tensor")
      continue;
    const auto connections = trace.connections_of(node);
    if (!connections.empty()) intermediates.insert(connections.front());
  }
  for (const std::uint32_t output : *outputs) intermediates.erase(output);
  return TensorCounts{intermediates.size(), outputs->size()};
}

std::uint32_t extract_peak_l1_memory_usage(const GraphTrace& trace) {
  LegacySums sums;
  std::uint32_t peak = 0;
  std::size_t depth = 0;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] == NodeKind::kFunctionStart && depth++ == 0) node = take_inputs(trace, node, sums);
    if (trace.kinds[node] == NodeKind::kFunctionEnd && depth > 0) --depth;
    sums.take(trace, node);
    peak = std::max(peak, sums.programs + sums.buffers);
  }
  return peak;
}

Result<std::uint32_t> extract_circular_buffers_peak_size_per_core(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_cb);
}
Result<std::uint32_t> extract_l1_buffer_allocation_peak_size_per_core(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_l1);
}
Result<std::uint32_t> extract_peak_memory_usage(const GraphTrace& trace) {
  return cut_field(trace, &L1Usage::peak_total);
}

Result<std::int64_t> extract_l1_output_buffer_allocation_size_per_core(const GraphTrace& trace,
                                                                       std::uint32_t tensor) {
  // A capture ties tensors to buffer nodes, and those to the event that has the size in a bank.
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (trace.kinds[node] != NodeKind::kBufferAllocate) continue;
    const std::uint32_t buffer = buffer_node_of(trace, node);
    const auto owned = trace.connections_of(buffer);
    if (std::find(owned.begin(), owned.end(), tensor) == owned.end()) continue;
    if (trace.buffer_of(node).in_dram) return failure(bad_input("No L1 allocation. Tensor is in DRAM"));
    return per_bank_bytes(trace.buffer_of(node));
  }
  return failure(
      bad_input(fmt::format("tensor {} has no buffer that was allocated in this capture", tensor)));
}

Result<std::string> pretty_format(const GraphTrace& trace) {
  constexpr std::size_t kWidth = 50;
  std::string text;
  std::size_t indent = 0;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    std::string line;
    switch (trace.kinds[node]) {
      case NodeKind::kCaptureStart:
        line = "Capture Start";
        break;
      case NodeKind::kCaptureEnd:
        line = "Capture End";
        break;
      case NodeKind::kBuffer:
        line = "Add Device Buffer";
        break;
      case NodeKind::kBufferAllocate:
        line = "Allocate Device Buffer";
        break;
      case NodeKind::kBufferDeallocate:
        line = "Deallocate Device Buffer";
        break;
      case NodeKind::kFunctionStart:
        line = fmt::format("Function Start: {}", trace.text(trace.function_of(node).name));
        break;
      case NodeKind::kFunctionEnd:
        line = fmt::format("Function End:   {}", end_name(trace, node));
        break;
      case NodeKind::kTensor:
        line = fmt::format("Add Tensor: {}", trace.tensor_of(node).tensor_id);
        break;
      case NodeKind::kCircularBufferAllocate:
        line = "Allocate Circular Buffer";
        break;
      case NodeKind::kDataflowBufferAllocate:
        line = "Allocate Dataflow Buffer";
        break;
      case NodeKind::kScratchpadAllocate:
        line = "Allocate Kernel Scratchpad";
        break;
      case NodeKind::kDeallocateAll:
        line = "Deallocate All Program-Scope L1";
        break;
      case NodeKind::kError:
        return failure(bad_input("Unknown node type: error"));
      case NodeKind::kOther:
        return failure(bad_input(fmt::format("Unknown node type: {}", trace.text(trace.details[node]))));
    }
    if (trace.kinds[node] == NodeKind::kFunctionEnd) indent -= std::min<std::size_t>(indent, 4);
    const std::size_t width = kWidth > indent ? kWidth - indent : 0;
    text += std::string(indent, ' ') + fmt::format("{:<{}}", line, width) + '\n';
    if (trace.kinds[node] == NodeKind::kFunctionStart) indent += 4;
  }
  return text;
}

}  // namespace ttscope::graph
