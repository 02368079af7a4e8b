#include "graph/read/graph_trace/node_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <limits>

#include "base/json_cursor.h"
#include "base/text_escape.h"
#include "graph/read/graph_trace/block_ahead.h"
#include "graph/read/graph_trace/dumped_nodes.h"
#include "graph/read/graph_trace/node_fields.h"

namespace ttscope::graph {
namespace {

/// Nodes are alike over a capture, so the first ones tell how large its columns will be.
constexpr std::size_t kSampleBytes = std::size_t{8} << 20;

/// Room for `times` what the columns hold: growing step by step would leave holes of their whole size behind,
/// whereas pages that are not used cost nothing.
void reserve_columns(GraphTrace& trace, double times) {
  const auto reserve = [&](auto& column) {
    column.reserve(static_cast<std::size_t>(static_cast<double>(column.size()) * times * 1.1));
  };
  reserve(trace.kinds);
  reserve(trace.levels);
  reserve(trace.details);
  reserve(trace.connection_ends);
  reserve(trace.connections);
  reserve(trace.functions);
  reserve(trace.input_tensors);
  reserve(trace.function_ends);
  reserve(trace.tensors);
  reserve(trace.event_addresses);
  reserve(trace.event_facts);
  reserve(trace.program_addresses);
  reserve(trace.program_facts_ids);
}

}  // namespace

struct NodeReader::Blocks {
  explicit Blocks(std::string_view text) : dumped(text), ahead(text) {}

  DumpedNodes dumped;
  BlockAhead ahead;
  NodeBlock single;  ///< for a node that is read alone
};

/// The fields of a node while it is read. Views point into the input.
struct NodeReader::Node : NodeFields {};

NodeReader::NodeReader(std::string_view text, std::string name, GraphTrace& trace)
    : text_(text),
      name_(std::move(name)),
      trace_(trace),
      params_(trace),
      blocks_(std::make_unique<Blocks>(text)) {}

NodeReader::~NodeReader() = default;

Error NodeReader::broken_at(std::size_t position, std::string_view what) const {
  const TextPlace place = place_in(text_, position);
  return bad_input(fmt::format("{}:{}: {} (byte {} of {})", terminal_safe(name_), place.line, what, position,
                               text_.size()));
}

Result<std::size_t> NodeReader::read_array(std::size_t begin) {
  JsonCursor cursor(text_, begin);
  if (cursor.take(']')) return cursor.position();
  std::size_t window = kFirstWindowBytes;
  bool is_reserved = false;
  for (std::size_t at = begin;;) {
    const bool was_dumped = read_dumped(at);
    const BlockEnd end = was_dumped ? BlockEnd::kReadAll : read_block(blocks_->ahead.take(at, window));
    if (!problem_.empty()) return failure(broken_at(reached_, problem_));
    if (end == BlockEnd::kArrayEnded) return reached_;
    if (end == BlockEnd::kBroken) {
      cursor.move_to(reached_);
      if (cursor.position() > at) cursor.take(',');  // behind the nodes of the block that were read
      const Result<std::size_t> node_end = read_exactly(cursor.position());
      if (!node_end) return failure(node_end.error());
      reached_ = *node_end;
    }
    cursor.move_to(reached_);
    if (cursor.take(']')) return cursor.position();
    if (!cursor.take(',')) {
      return failure(broken_at(cursor.position(), cursor.is_at_end()
                                                      ? "the list of nodes is cut off"
                                                      : "expected a comma or ] behind a node"));
    }
    cursor.peek();  // the block that was foreseen begins behind white space
    at = cursor.position();
    window = std::min(window * 2, kWindowBytes);
    if (!is_reserved && at - begin >= kSampleBytes) {
      is_reserved = true;
      reserve_columns(trace_, static_cast<double>(text_.size() - begin) / static_cast<double>(at - begin));
    }
  }
}

/// Reads nodes in the usual form from `at` on, up to one that is not or to the sample that tells the size of
/// the columns. False if there is none.
bool NodeReader::read_dumped(std::size_t& at) {
  const std::size_t limit = at + kSampleBytes;
  bool has_any = false;
  for (std::size_t next = at; next < limit;) {
    Node node;
    std::size_t end = 0;
    if (!blocks_->dumped.read(next, trace_, node, end)) break;
    if (!add_node(node)) {  // perhaps not in that form after all: the parser shall say
      problem_.clear();
      trace_.connections.resize(trace_.kinds.empty() ? 0 : trace_.connection_ends.back());
      trace_.input_tensors.resize(node.first_input);
      break;
    }
    has_any = true;
    reached_ = end;
    JsonCursor cursor(text_, end);
    if (!cursor.take(',')) break;
    next = cursor.position();
  }
  return has_any;
}

/// Reads the one node at `begin`, whose end is found by the exact walk; gives the place behind it.
Result<std::size_t> NodeReader::read_exactly(std::size_t begin) {
  JsonCursor cursor(text_, begin);
  if (cursor.peek() != '{') {
    return failure(broken_at(cursor.position(), cursor.is_at_end() ? "the list of nodes is cut off"
                                                                   : "expected a node, which is an object"));
  }
  const std::size_t start = cursor.position();
  if (!cursor.take_value()) {
    const bool is_cut = JsonCursor(text_, cursor.position()).is_at_end();
    return failure(
        broken_at(cursor.position(),
                  fmt::format("{}, expected {}", is_cut ? "the file ends inside a node" : "damaged JSON",
                              cursor.expected())));
  }
  const std::size_t end = cursor.position();
  index_block(text_, start, end, blocks_->single);
  if (read_block(blocks_->single) != BlockEnd::kReadAll) {
    return failure(broken_at(start, problem_.empty() ? "a node that cannot be read (damaged text or number)"
                                                     : std::string_view(problem_)));
  }
  return end;
}

NodeReader::BlockEnd NodeReader::read_block(NodeBlock& block) {
  const std::string& text = block.text;
  const std::size_t begin = block.begin;
  reached_ = begin;
  if (!block.indexed) return BlockEnd::kBroken;
  const std::string_view source = text_.substr(begin);
  simdjson::ondemand::document& document = block.document;
  simdjson::ondemand::array nodes;
  if (document.get_array().get(nodes)) return BlockEnd::kBroken;
  const auto in_source = [&](const char* place) {
    return begin + static_cast<std::size_t>(place - text.data()) - 1;
  };
  for (auto element : nodes) {
    simdjson::ondemand::object object;
    Node node;
    if (element.get_object().get(object)) return BlockEnd::kBroken;
    const std::size_t connections = trace_.connections.size();
    const std::size_t inputs = trace_.input_tensors.size();
    if (read_fields(object, {text.data() + 1, source.data()}, trace_, node) != simdjson::SUCCESS) {
      trace_.connections.resize(connections);
      trace_.input_tensors.resize(inputs);
      return BlockEnd::kBroken;
    }
    node.first_input = static_cast<std::uint32_t>(inputs);
    if (!add_node(node)) return BlockEnd::kBroken;
    const char* place = nullptr;
    if (document.current_location().get(place)) return BlockEnd::kBroken;
    reached_ = in_source(place);
  }
  const char* place = nullptr;
  if (!document.current_location().get(
          place)) {  // something stands behind the array: it ended inside of the block
    reached_ = in_source(place);
    return BlockEnd::kArrayEnded;
  }
  return BlockEnd::kReadAll;
}

std::uint8_t NodeReader::level_of(const Node& node) {
  constexpr std::int64_t kDeepest = std::numeric_limits<std::uint8_t>::max();
  if (node.kind == NodeKind::kFunctionStart) ++depth_;
  const auto derived = static_cast<std::int64_t>(depth_);
  if (node.kind == NodeKind::kFunctionEnd && depth_ > 0) --depth_;
  if (node.level < 0) trace_.has_levels = false;
  return static_cast<std::uint8_t>(std::min(node.level < 0 ? derived : node.level, kDeepest));
}

void NodeReader::add_counter(std::int64_t counter) {
  const std::size_t index = trace_.kinds.size();
  if (trace_.counters.empty() && counter == static_cast<std::int64_t>(index)) return;
  for (std::size_t i = trace_.counters.size(); i < index; ++i)
    trace_.counters.push_back(static_cast<std::int64_t>(i));
  trace_.counters.push_back(counter);
}

bool NodeReader::add_node(const Node& node) {
  if (!node.has_type) {
    problem_ = "an object without node_type; expected a node of a graph capture";
    return false;
  }
  if (trace_.size() == std::numeric_limits<std::uint32_t>::max() - 1) {
    problem_ = "more nodes than can be numbered";
    return false;
  }
  std::uint32_t detail = 0;
  bool readable = true;
  if (node.kind == NodeKind::kFunctionStart) {
    FunctionNode function;
    function.arguments_json = node.arguments;
    function.first_input = node.first_input;
    function.input_count = static_cast<std::uint32_t>(trace_.input_tensors.size()) - node.first_input;
    readable = params_.add_function(node.params, function, detail);
  } else {
    trace_.input_tensors.resize(node.first_input);  // only functions have any
    readable = params_.add(node.kind, node.params, detail);
  }
  if (!readable) {
    problem_ = fmt::format("params of a {} that cannot be read", node_type_text(node.kind));
    return false;
  }
  if (node.kind == NodeKind::kFunctionEnd || node.kind == NodeKind::kCaptureEnd) {
    trace_.function_ends.set_duration(detail, node.duration_ns);
  }
  if (node.kind == NodeKind::kOther) detail = params_.text_id(node.type);
  if (node.kind == NodeKind::kTensor && node.tensor_id >= 0) trace_.tensors.set_id(detail, node.tensor_id);
  add_counter(node.counter < 0 ? static_cast<std::int64_t>(trace_.kinds.size()) : node.counter);
  trace_.levels.push_back(level_of(node));
  trace_.kinds.push_back(node.kind);
  trace_.details.push_back(detail);
  trace_.connection_ends.push_back(static_cast<std::uint32_t>(trace_.connections.size()));
  return true;
}

}  // namespace ttscope::graph
