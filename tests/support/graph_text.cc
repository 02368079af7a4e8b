#include "support/graph_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <vector>

#include "base/json_reader.h"

namespace ttscope::testing {
namespace {

std::string joined(const std::vector<std::string>& parts) { return fmt::format("{}", fmt::join(parts, "|")); }

std::string details_of(const graph::GraphTrace& trace, std::uint32_t node) {
  switch (trace.kinds[node]) {
    case graph::NodeKind::kFunctionStart: {
      const graph::FunctionNode& function = trace.function_of(node);
      return fmt::format(
          "{} inputs {} args {} in {}", trace.text(function.name), function.inputs,
          joined(graph::decode_arguments(function.arguments_json).value_or(std::vector<std::string>())),
          fmt::join(trace.inputs_of(function), ","));
    }
    case graph::NodeKind::kFunctionEnd:
    case graph::NodeKind::kCaptureEnd: {
      const graph::FunctionEndNode& end = trace.function_ends[trace.details[node]];
      return fmt::format("{} ns {}", trace.text(end.name), end.duration_ns);
    }
    case graph::NodeKind::kTensor: {
      const graph::TensorFacts& facts = trace.tensor_facts_of(node);
      return fmt::format("{} @{} {} {} {} {} size {} dev {} type {}", trace.tensor_of(node).tensor_id,
                         trace.tensor_of(node).address, trace.text(facts.shape), trace.text(facts.dtype),
                         trace.text(facts.layout), trace.text(facts.memory_config), facts.size_bytes,
                         facts.device_id, facts.buffer_type);
    }
    case graph::NodeKind::kBuffer:
    case graph::NodeKind::kBufferAllocate:
    case graph::NodeKind::kBufferDeallocate: {
      const graph::BufferFacts& facts = trace.buffer_of(node);
      const std::int64_t address =
          trace.kinds[node] == graph::NodeKind::kBuffer ? -1 : trace.buffer_address(node);
      const graph::BufferLabel* const label = trace.label_of(node);
      const std::string owner = label == nullptr
                                    ? std::string()
                                    : fmt::format(" of {} {} {}", label->buffer_id, trace.text(label->kind),
                                                  trace.text(label->name));
      return fmt::format("@{} size {} bank {} page {} cores {} dev {} type {} {} {}{}", address,
                         facts.size_bytes, facts.max_size_per_bank_bytes, facts.page_size_bytes,
                         facts.num_cores, facts.device_id, facts.buffer_type, trace.text(facts.type),
                         trace.text(facts.layout), owner);
    }
    case graph::NodeKind::kCircularBufferAllocate:
    case graph::NodeKind::kDataflowBufferAllocate:
    case graph::NodeKind::kScratchpadAllocate: {
      const graph::ProgramBufferFacts& facts = trace.program_buffer_of(node);
      return fmt::format("@{} size {} dev {} cores {} borrowed {}",
                         trace.program_addresses[trace.details[node]], facts.size_bytes, facts.device_id,
                         trace.text(facts.core_ranges),
                         facts.borrowed ? static_cast<int>(*facts.borrowed) : -1);
    }
    case graph::NodeKind::kDeallocateAll:
      return fmt::format("dev {}", trace.device_ids[trace.details[node]]);
    case graph::NodeKind::kOther:
      return std::string(trace.text(trace.details[node]));
    default:
      return "";
  }
}

std::int64_t number(const JsonTree& object, std::string_view key) {
  const JsonTree* const value = object.find(key);
  return value == nullptr ? -1 : value->whole_number().value_or(-1);
}
std::string text(const JsonTree& object, std::string_view key) {
  const JsonTree* const value = object.find(key);
  return value == nullptr ? "" : value->content();
}
std::string list(const JsonTree& node, std::string_view key, std::string_view between) {
  std::vector<std::string> parts;
  if (const JsonTree* const value = node.find(key)) {
    for (const JsonTree& item : value->items()) parts.push_back(item.content());
  }
  return fmt::format("{}", fmt::join(parts, between));
}

std::string reference_details(const JsonTree& node, const JsonTree& params, const std::string& type) {
  if (type == "function_start") {
    return fmt::format("{} inputs {} args {} in {}", text(params, "name"), number(params, "inputs"),
                       list(node, "arguments", "|"), list(node, "input_tensors", ","));
  }
  if (type == "function_end" || type == "capture_end") {
    return fmt::format("{} ns {}", text(params, "name"),
                       std::max<std::int64_t>(number(node, "duration_ns"), 0));
  }
  if (type == "tensor") {
    return fmt::format("{} @{} {} {} {} {} size {} dev {} type {}", number(params, "tensor_id"),
                       number(params, "address"), text(params, "shape"), text(params, "dtype"),
                       text(params, "layout"), text(params, "memory_config"), number(params, "size"),
                       number(params, "device_id"), number(params, "buffer_type"));
  }
  if (type == "buffer" || type == "buffer_allocate" || type == "buffer_deallocate") {
    const bool has_owner = type == "buffer" && params.find("buffer_id") != nullptr;
    return fmt::format("@{} size {} bank {} page {} cores {} dev {} type {} {} {}{}",
                       type == "buffer" ? -1 : number(params, "address"), number(params, "size"),
                       number(params, "max_size_per_bank"), number(params, "page_size"),
                       number(params, "num_cores"), number(params, "device_id"),
                       number(params, "buffer_type"), text(params, "type"), text(params, "layout"),
                       has_owner ? fmt::format(" of {} {} {}", number(params, "buffer_id"),
                                               text(params, "kind"), text(params, "owner"))
                                 : "");
  }
  if (type == "circular_buffer_allocate" || type == "dataflow_buffer_allocate" ||
      type == "scratchpad_allocate") {
    const char* const key = type == "dataflow_buffer_allocate" ? "borrows_memory" : "globally_allocated";
    return fmt::format("@{} size {} dev {} cores {} borrowed {}", number(params, "address"),
                       number(params, "size"), number(params, "device_id"), text(params, "core_range_set"),
                       number(params, key));
  }
  if (type == "circular_buffer_deallocate_all") return fmt::format("dev {}", number(params, "device_id"));
  return type == "capture_start" || type == "error" ? "" : type;
}

/// Makes random nodes.
class CaptureMaker {
 public:
  explicit CaptureMaker(std::uint64_t seed) : random_(seed), compact_(seed % 3 == 0) {}

  std::string make(std::size_t nodes) {
    std::string json = blanks() + "[";
    for (std::size_t i = 0; i < nodes; ++i) {
      if (i > 0) json += blanks() + "," + blanks();
      json += node(i);
    }
    return json + blanks() + "]" + blanks();
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::string blanks() {
    return std::string(below(compact_ ? 400 : 6) == 0 ? below(3) : 0, below(2) == 0 ? ' ' : '\n');
  }
  std::string integer() { return std::to_string(below(3) == 0 ? random_() >> 2 : below(5000)); }
  std::string as_text_or_number() { return below(4) == 0 ? "\"" + integer() + "\"" : integer(); }

  std::string any_text() {
    static constexpr std::string_view kTexts[] = {"DRAM",
                                                  "L1",
                                                  "INTERLEAVED",
                                                  "HEIGHT_SHARDED",
                                                  "Shape([1, 1, 32, 32])",
                                                  "DataType::BFLOAT16",
                                                  "},{",
                                                  "\\\"},{\\\"",
                                                  "{\\\"a\\\":[",
                                                  "\\\\",
                                                  "x\\n\\u00e9\\ud83d\\ude00",
                                                  "[}",
                                                  "tensor_id",
                                                  "dtype",
                                                  "device_tensors",
                                                  "",
                                                  "]",
                                                  "caf\u00e9"};
    return fmt::format("\"{}\"", kTexts[below(std::size(kTexts))]);
  }

  /// `{...}` with the pairs in any order.
  std::string object(std::vector<std::pair<std::string, std::string>> pairs) {
    if (below(compact_ ? 60 : 3) == 0) std::shuffle(pairs.begin(), pairs.end(), random_);
    std::string out = "{" + blanks();
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (i > 0) out += "," + blanks();
      out += "\"" + pairs[i].first + "\"" + blanks() + ":" + blanks() + pairs[i].second;
    }
    return out + blanks() + "}";
  }

  std::string counters(std::size_t most) {
    std::string out = "[";
    for (std::size_t i = 0, count = below(most + 1); i < count; ++i)
      out += (i > 0 ? "," : "") + blanks() + std::to_string(below(900));
    return out + blanks() + "]";
  }

  std::string params_of(graph::NodeKind kind) {
    std::vector<std::pair<std::string, std::string>> pairs;
    const auto add = [&](const char* key, std::string value) {
      if (below(12) != 0) pairs.emplace_back(key, std::move(value));
    };
    switch (kind) {
      case graph::NodeKind::kFunctionStart:
        add("inputs", "\"" + std::to_string(below(9)) + "\"");
        add("name", any_text());
        break;
      case graph::NodeKind::kFunctionEnd:
        add("name", any_text());
        break;
      case graph::NodeKind::kTensor:
        add("address", as_text_or_number());
        add("buffer_type", as_text_or_number());
        add("device_id", as_text_or_number());
        add("device_tensors", "\"[{\\\"address\\\":5,\\\"device_id\\\":0}]\"");
        add("dtype", any_text());
        add("layout", any_text());
        add("memory_config", any_text());
        add("shape", any_text());
        add("size", as_text_or_number());
        add("tensor_id", as_text_or_number());
        break;
      case graph::NodeKind::kBuffer:
      case graph::NodeKind::kBufferAllocate:
      case graph::NodeKind::kBufferDeallocate:
        if (kind != graph::NodeKind::kBuffer) add("address", as_text_or_number());
        add("buffer_type", as_text_or_number());
        add("device_id", as_text_or_number());
        add("layout", any_text());
        add("max_size_per_bank", as_text_or_number());
        add("num_cores", as_text_or_number());
        add("page_size", as_text_or_number());
        add("size", as_text_or_number());
        add("type", any_text());
        if (kind != graph::NodeKind::kBuffer || below(2) == 0) break;
        add("buffer_id", as_text_or_number());
        add("kind", any_text());
        add("owner", any_text());
        break;
      case graph::NodeKind::kCircularBufferAllocate:
      case graph::NodeKind::kDataflowBufferAllocate:
        add("address", as_text_or_number());
        add("core_range_set", "\"{[0-0 - 1-1]}\"");
        add("device_id", as_text_or_number());
        add(kind == graph::NodeKind::kDataflowBufferAllocate ? "borrows_memory" : "globally_allocated",
            "\"" + std::to_string(below(2)) + "\"");
        add("size", as_text_or_number());
        break;
      case graph::NodeKind::kDeallocateAll:
        add("device_id", as_text_or_number());
        break;
      default:
        break;
    }
    if (pairs.empty() && below(2) == 0) return "null";
    if (below(5) == 0) pairs.emplace_back("unknown", "[{\"a\":1},{\"b\":[2,{}]}]");
    return object(std::move(pairs));
  }

  std::string node(std::size_t index) {
    const auto kind = static_cast<graph::NodeKind>(below(12));
    const std::string type = below(20) == 0 ? "some_new_type" : std::string(graph::node_type_text(kind));
    std::vector<std::pair<std::string, std::string>> pairs;
    std::string arguments = "[";
    if (kind == graph::NodeKind::kFunctionStart) {
      for (std::size_t i = 0, count = below(3); i < count; ++i)
        arguments += (i > 0 ? "," : "") + blanks() + any_text();
    }
    pairs.emplace_back("arguments", arguments + "]");
    pairs.emplace_back("connections", counters(3));
    pairs.emplace_back("counter", std::to_string(below(60) == 0 ? below(900) : index));
    if (below(3) == 0) pairs.emplace_back("duration_ns", integer());
    pairs.emplace_back("input_tensors", counters(kind == graph::NodeKind::kFunctionStart ? 2 : 0));
    pairs.emplace_back("node_type", "\"" + type + "\"");
    pairs.emplace_back("params", params_of(type == "some_new_type" ? graph::NodeKind::kOther : kind));
    pairs.emplace_back("stacking_level", std::to_string(below(5)));
    return object(std::move(pairs));
  }

  std::mt19937_64 random_;
  bool compact_;  ///< nearly all as ttnn writes it
};

}  // namespace

std::string graph_text(const graph::GraphTrace& trace) {
  std::string out;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const std::string type = trace.kinds[node] == graph::NodeKind::kOther
                                 ? "other"
                                 : std::string(graph::node_type_text(trace.kinds[node]));
    fmt::format_to(std::back_inserter(out), "{} {} level {} to {}: {}\n", trace.counter(node), type,
                   trace.levels[node], fmt::join(trace.connections_of(node), ","), details_of(trace, node));
  }
  return out;
}

std::string reference_graph_text(std::string_view json) {
  const Result<JsonTree> tree = parse_json_tree(json, "reference");
  if (!tree) return tree.error().message;
  static const JsonTree none = JsonTree::object();
  std::string out;
  for (const JsonTree& node : tree->items()) {
    const JsonTree* const found = node.find("params");
    const JsonTree& params = found == nullptr || found->is(JsonTree::Kind::kNull) ? none : *found;
    const std::string type = text(node, "node_type");
    const bool is_known = graph::node_kind_of(type) != graph::NodeKind::kOther;
    fmt::format_to(std::back_inserter(out), "{} {} level {} to {}: {}\n", number(node, "counter"),
                   is_known ? type : "other", number(node, "stacking_level"), list(node, "connections", ","),
                   reference_details(node, params, type));
  }
  return out;
}

std::string random_capture(std::uint64_t seed, std::size_t nodes) { return CaptureMaker(seed).make(nodes); }

}  // namespace ttscope::testing
