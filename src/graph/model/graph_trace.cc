#include "graph/model/graph_trace.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/json_reader.h"
#include "base/json_writer.h"

namespace ttscope::graph {
namespace {

constexpr std::array<std::string_view, 14> kTypeTexts = {
    "capture_start",
    "capture_end",
    "function_start",
    "function_end",
    "tensor",
    "buffer",
    "buffer_allocate",
    "buffer_deallocate",
    "circular_buffer_allocate",
    "dataflow_buffer_allocate",
    "scratchpad_allocate",
    "circular_buffer_deallocate_all",
    "error",
    "",
};

}  // namespace

std::string_view node_type_text(NodeKind kind) { return kTypeTexts[static_cast<std::size_t>(kind)]; }

NodeKind node_kind_of(std::string_view node_type) {
  for (std::size_t kind = 0; kind + 1 < kTypeTexts.size(); ++kind) {
    const std::string_view text = kTypeTexts[kind];
    if (text.size() == node_type.size() && text == node_type) return static_cast<NodeKind>(kind);
  }
  return NodeKind::kOther;
}

const BufferLabel* GraphTrace::label_of(std::uint32_t node) const {
  const auto found =
      std::lower_bound(buffer_labels.begin(), buffer_labels.end(), node,
                       [](const BufferLabel& label, std::uint32_t wanted) { return label.node < wanted; });
  return found != buffer_labels.end() && found->node == node ? &*found : nullptr;
}

std::optional<std::vector<std::string>> decode_arguments(std::string_view arguments_json) {
  std::vector<std::string> arguments;
  JsonCursor cursor(arguments_json);
  if (cursor.is_at_end() || !cursor.take('[')) return std::nullopt;
  if (cursor.take(']')) return arguments;
  do {
    const char first = cursor.peek();
    const std::optional<std::string_view> value = cursor.take_value();
    if (!value) return std::nullopt;
    if (first != '"') {  // no capture has it; what stands there is still shown
      arguments.emplace_back(*value);
      continue;
    }
    std::optional<std::string> text = json_unescaped(value->substr(1, value->size() - 2));
    if (!text) return std::nullopt;
    arguments.push_back(std::move(*text));
  } while (cursor.take(','));
  if (!cursor.take(']')) return std::nullopt;
  return arguments;
}

namespace {

/// The place of an equal entry, added if there is none. Captures made in memory have few distinct ones, and
/// neighbors are alike, so the search begins at the end.
template <typename Facts>
std::uint32_t intern_facts(std::vector<Facts>& table, const Facts& facts) {
  const auto found = std::find(table.rbegin(), table.rend(), facts);
  if (found != table.rend()) return static_cast<std::uint32_t>(table.rend() - found - 1);
  table.push_back(facts);
  return static_cast<std::uint32_t>(table.size() - 1);
}

constexpr std::int64_t kL1 = 1;
constexpr std::int64_t kL1Small = 3;

}  // namespace

std::uint32_t GraphTraceBuilder::add_node(NodeKind kind, std::uint32_t detail, std::uint8_t level) {
  trace_.kinds.push_back(kind);
  trace_.details.push_back(detail);
  trace_.levels.push_back(level);
  return trace_.size() - 1;
}

std::uint32_t GraphTraceBuilder::add_capture_start() { return add_node(NodeKind::kCaptureStart, 0, 0); }

std::uint32_t GraphTraceBuilder::add_capture_end(std::int64_t duration_ns) {
  trace_.function_ends.push_back({kNone, duration_ns});
  return add_node(NodeKind::kCaptureEnd, static_cast<std::uint32_t>(trace_.function_ends.size() - 1), 0);
}

std::uint32_t GraphTraceBuilder::add_function_start(std::string_view name,
                                                    std::span<const std::string> arguments,
                                                    std::uint8_t level) {
  StringWriter text;
  JsonWriter json(text);
  json.array([&] {
    for (const std::string& argument : arguments) json.value(std::string_view(argument));
  });
  const Result<void> written = text.finish();
  FunctionNode function;
  function.name = trace_.texts.intern(name);
  function.inputs = static_cast<std::int32_t>(arguments.size());
  function.arguments_json = written ? trace_.arena.copy(text.text()) : std::string_view();
  trace_.functions.push_back(function);
  return add_node(NodeKind::kFunctionStart, static_cast<std::uint32_t>(trace_.functions.size() - 1), level);
}

void GraphTraceBuilder::set_input_tensors(std::uint32_t function_start,
                                          std::span<const std::uint32_t> tensors) {
  FunctionNode& function = trace_.functions[trace_.details[function_start]];
  function.first_input = static_cast<std::uint32_t>(trace_.input_tensors.size());
  function.input_count = static_cast<std::uint32_t>(tensors.size());
  trace_.input_tensors.insert(trace_.input_tensors.end(), tensors.begin(), tensors.end());
}

std::uint32_t GraphTraceBuilder::add_function_end(std::string_view name, std::int64_t duration_ns,
                                                  std::uint8_t level) {
  trace_.function_ends.push_back({trace_.texts.intern(name), duration_ns});
  return add_node(NodeKind::kFunctionEnd, static_cast<std::uint32_t>(trace_.function_ends.size() - 1), level);
}

std::uint32_t GraphTraceBuilder::add_tensor(const Tensor& tensor, std::uint8_t level) {
  const auto text = [&](std::string_view content) {
    return content.empty() ? kNone : trace_.texts.intern(content);
  };
  const TensorFacts facts{tensor.size_bytes,         tensor.device_id,   tensor.buffer_type,
                          text(tensor.shape),        text(tensor.dtype), text(tensor.layout),
                          text(tensor.memory_config)};
  trace_.tensors.push_back({tensor.tensor_id, tensor.address, intern_facts(trace_.tensor_facts, facts)});
  return add_node(NodeKind::kTensor, static_cast<std::uint32_t>(trace_.tensors.size() - 1), level);
}

std::uint32_t GraphTraceBuilder::buffer_facts_id(const Buffer& buffer, bool as_event) {
  BufferFacts facts;
  facts.size_bytes = buffer.size_bytes;
  facts.device_id = buffer.device_id;
  facts.buffer_type = buffer.buffer_type;
  facts.in_dram = buffer.buffer_type != kL1 && buffer.buffer_type != kL1Small;
  facts.type = trace_.texts.intern(facts.in_dram ? "DRAM" : "L1");
  facts.layout = trace_.texts.intern(buffer.layout);
  if (as_event) {
    facts.max_size_per_bank_bytes = buffer.max_size_per_bank_bytes;
    facts.page_size_bytes = buffer.page_size_bytes;
    facts.num_cores = buffer.num_cores;
  }
  return intern_facts(trace_.buffer_facts, facts);
}

std::uint32_t GraphTraceBuilder::add_buffer(const Buffer& buffer, std::uint8_t level) {
  return add_node(NodeKind::kBuffer, buffer_facts_id(buffer, false), level);
}

void GraphTraceBuilder::label_buffer(std::uint32_t node, std::int64_t buffer_id, std::string_view kind,
                                     std::string_view name) {
  const auto text = [&](std::string_view content) {
    return content.empty() ? kNone : trace_.texts.intern(content);
  };
  trace_.buffer_labels.push_back({node, buffer_id, text(kind), text(name)});
}

std::uint32_t GraphTraceBuilder::add_buffer_event(NodeKind kind, const Buffer& buffer, std::int64_t address,
                                                  std::uint8_t level) {
  trace_.event_addresses.push_back(address);
  trace_.event_facts.push_back(buffer_facts_id(buffer, true));
  return add_node(kind, static_cast<std::uint32_t>(trace_.event_facts.size() - 1), level);
}

std::uint32_t GraphTraceBuilder::add_buffer_allocate(const Buffer& buffer, std::int64_t address,
                                                     std::uint8_t level) {
  return add_buffer_event(NodeKind::kBufferAllocate, buffer, address, level);
}

std::uint32_t GraphTraceBuilder::add_buffer_deallocate(const Buffer& buffer, std::int64_t address,
                                                       std::uint8_t level) {
  return add_buffer_event(NodeKind::kBufferDeallocate, buffer, address, level);
}

std::uint32_t GraphTraceBuilder::add_program_buffer(NodeKind kind, const ProgramBuffer& buffer,
                                                    std::uint8_t level) {
  ProgramBufferFacts facts;
  facts.size_bytes = buffer.size_bytes;
  facts.device_id = buffer.device_id;
  facts.core_ranges = trace_.texts.intern(buffer.core_ranges);
  facts.borrowed = buffer.borrowed;
  trace_.program_addresses.push_back(buffer.address);
  trace_.program_facts_ids.push_back(intern_facts(trace_.program_facts, facts));
  return add_node(kind, static_cast<std::uint32_t>(trace_.program_facts_ids.size() - 1), level);
}

std::uint32_t GraphTraceBuilder::add_deallocate_all(std::int64_t device_id, std::uint8_t level) {
  return add_node(NodeKind::kDeallocateAll, intern_facts(trace_.device_ids, device_id), level);
}

GraphTrace GraphTraceBuilder::finish() {
  std::stable_sort(edges_.begin(), edges_.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  trace_.connections.reserve(edges_.size());
  trace_.connection_ends.reserve(trace_.kinds.size());
  auto edge = edges_.begin();
  for (std::uint32_t node = 0; node < trace_.size(); ++node) {
    for (; edge != edges_.end() && edge->first == node; ++edge) trace_.connections.push_back(edge->second);
    trace_.connection_ends.push_back(static_cast<std::uint32_t>(trace_.connections.size()));
  }
  std::sort(trace_.buffer_labels.begin(), trace_.buffer_labels.end(),
            [](const BufferLabel& left, const BufferLabel& right) { return left.node < right.node; });
  GraphTrace made = std::move(trace_);
  trace_ = GraphTrace();
  edges_.clear();
  return made;
}

// All forms are four numbers for each range, in the order x, y of the start and x, y of the end; only what
// stands between them differs.
std::optional<std::vector<CoreRange>> parse_core_ranges(std::string_view text) {
  constexpr std::int64_t kMaxCores = 1 << 16;  // of a side; more is damage, not a chip
  std::vector<std::int64_t> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < '0' || text[at] > '9') {
      ++at;
      continue;
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), number);
    if (error != std::errc() || number >= kMaxCores) return std::nullopt;
    numbers.push_back(number);
    at = static_cast<std::size_t>(end - text.data());
  }
  if (numbers.empty() || numbers.size() % 4 != 0) return std::nullopt;
  std::vector<CoreRange> ranges;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    const CoreRange range{numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]};
    if (range.x1 < range.x0 || range.y1 < range.y0) return std::nullopt;
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace ttscope::graph
