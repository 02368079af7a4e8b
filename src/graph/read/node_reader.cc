#include "graph/read/node_reader.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "base/result.h"
#include "base/text.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

// Blocks of nodes with simdjson; for the .cc files of this folder only.

/// How much is read at once: the first block is small, for lists may be short; the largest with its index
/// stays in the cache.
constexpr std::size_t kFirstWindowBytes = std::size_t{1} << 12;
constexpr std::size_t kWindowBytes = std::size_t{1} << 17;

}  // namespace

/// Some nodes of a list: the text between two borders, copied with brackets around it and indexed by the
/// parser.
struct NodeBlock {
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  std::string text;
  std::size_t begin = 0;  ///< in the input
  std::size_t end = 0;    ///< `begin`: no border was found
  bool indexed = false;   ///< false: the text is not what the parser takes
};

namespace {

std::size_t before_blanks(std::string_view text, std::size_t end) {
  while (end > 0 && is_blank_or_break(text[end - 1])) --end;
  return end;
}

std::size_t skip_leading_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank_or_break(text[at])) ++at;
  return at;
}

/// Behind the last node that seems to end in the window; `begin` if none does. A brace with a quote behind it
/// opens an object, for inside of a text the quote would be escaped; whether it is a node, the parser will
/// tell.
std::size_t guess_cut(std::string_view text, std::size_t begin, std::size_t window_bytes) {
  std::size_t brace = std::min(text.size(), begin + window_bytes);
  while (brace > begin) {
    brace = text.rfind('{', brace - 1);
    if (brace == std::string_view::npos || brace <= begin) return begin;
    const std::size_t quote = skip_leading_blanks(text, brace + 1);
    if (quote == text.size() || text[quote] != '"') continue;
    const std::size_t comma = before_blanks(text, brace);
    if (comma <= begin || text[comma - 1] != ',') continue;
    const std::size_t end = before_blanks(text, comma - 1);
    if (end > begin && text[end - 1] == '}') return end;
  }
  return begin;
}

/// Copies and indexes [begin, end) of the input.
void index_block(std::string_view input, std::size_t begin, std::size_t end, NodeBlock& block) {
  block.begin = begin;
  block.end = end;
  block.text.clear();
  block.text.reserve(end - begin + 2 + simdjson::SIMDJSON_PADDING);
  block.text += '[';
  block.text += input.substr(begin, end - begin);
  block.text += ']';
  block.indexed =
      !block.parser.iterate(block.text.data(), block.text.size(), block.text.capacity()).get(block.document);
}

/// Cuts and indexes the nodes of a window from `begin` on.
void cut_block(std::string_view input, std::size_t begin, std::size_t window_bytes, NodeBlock& block) {
  const std::size_t cut = guess_cut(input, begin, window_bytes);
  if (cut != begin) return index_block(input, begin, cut, block);
  block.begin = block.end = begin;
  block.indexed = false;
}

// Fields of a node, by simdjson; for the .cc files of this folder only.

/// What a node says of itself. Texts are views into the input, not into the parser's copy.
struct NodeFields {
  NodeKind kind = NodeKind::kOther;
  bool has_type = false;
  std::int64_t counter = -1;
  std::int64_t level = -1;
  std::int64_t duration_ns = 0;
  std::int64_t tensor_id = -1;  ///< of the old types `tensor[7]`
  std::string_view type;
  std::string_view params;     ///< the object; empty: null
  std::string_view arguments;  ///< the array; empty: none or `[]`
  std::uint32_t first_input = 0;
};

/// Where the parser's copy of the block begins, and the same place of the input.
struct BlockOrigin {
  const char* copy;
  const char* source;
};

using simdjson::error_code;
using simdjson::ondemand::value;

/// What read_fields is given.
struct Target {
  const BlockOrigin& origin;
  GraphTrace& trace;
  NodeFields& node;
};

/// The text up to the next quote; the parser knows that there is one. What we look for has no escapes.
std::string_view until_quote(const char* begin) {
  return {begin, static_cast<std::size_t>(static_cast<const char*>(std::strchr(begin, '"')) - begin)};
}

/// Without the exception that the result's conversion to bool throws.
bool is_null(value field) {
  bool truth = false;
  return field.is_null().get(truth) == simdjson::SUCCESS && truth;
}

/// The text of a container in the input, without what stands between it and the next token.
std::string_view in_input(std::string_view raw, const BlockOrigin& origin) {
  while (!raw.empty() && is_blank_or_break(raw.back())) raw.remove_suffix(1);
  return {origin.source + (raw.data() - origin.copy), raw.size()};
}

/// Appends the counters of an array like `[3, 14]`.
error_code append_counters(value field, std::vector<std::uint32_t>& to) {
  simdjson::ondemand::array array;
  if (const error_code error = field.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = array.raw_json().get(raw)) return error;
  const char* at = raw.data() + 1;
  const char* const end = raw.data() + raw.size();
  while (at < end) {
    while (at < end && (is_blank_or_break(*at) || *at == ',')) ++at;
    if (at == end || *at == ']') return simdjson::SUCCESS;
    std::uint32_t counter = 0;
    const auto [behind, error] = std::from_chars(at, end, counter);
    if (error != std::errc()) return simdjson::NUMBER_ERROR;
    to.push_back(counter);
    at = behind;
  }
  return simdjson::SUCCESS;
}

error_code take_number(value field, std::int64_t& number) {
  std::int64_t taken = 0;
  error_code error = field.get_int64().get(taken);
  if (error == simdjson::INCORRECT_TYPE && is_null(field)) return simdjson::SUCCESS;
  if (error == simdjson::INCORRECT_TYPE) error = field.get_int64_in_string().get(taken);
  if (error == simdjson::SUCCESS) number = taken;
  return error;
}

error_code take_params(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::object object;
  if (const error_code error = field.get_object().get(object)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = object.raw_json().get(raw)) return error;
  node.params = in_input(raw, origin);
  return simdjson::SUCCESS;
}

error_code take_arguments(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::array array;
  if (const error_code error = field.get_array().get(array)) {
    return error == simdjson::INCORRECT_TYPE && is_null(field) ? simdjson::SUCCESS : error;
  }
  std::string_view raw;
  if (const error_code error = array.raw_json().get(raw)) return error;
  node.arguments = in_input(raw, origin);
  if (node.arguments.size() == 2) node.arguments = {};
  return simdjson::SUCCESS;
}

error_code take_type(value field, const BlockOrigin& origin, NodeFields& node) {
  simdjson::ondemand::raw_json_string raw;
  if (const error_code error = field.get_raw_json_string().get(raw)) return error;
  const std::string_view text = until_quote(raw.raw());
  node.has_type = true;
  node.type = {origin.source + (text.data() - origin.copy), text.size()};
  node.tensor_id = -1;
  node.kind = node_kind_of(text);
  if (node.kind != NodeKind::kOther || !text.starts_with("tensor[")) return simdjson::SUCCESS;
  node.kind = NodeKind::kTensor;
  std::from_chars(text.data() + 7, text.data() + text.size(), node.tensor_id);
  return simdjson::SUCCESS;
}

/// Reads the value of a key. It is compared together with the quote that ends it, which makes it whole;
/// behind the block the parser needs more readable bytes than any of these keys has.
error_code take_field(const char* key, value field, const Target& target) {
  const auto is = [&](const auto& quoted) { return std::memcmp(key, quoted, sizeof(quoted) - 1) == 0; };
  NodeFields& node = target.node;
  switch (key[0]) {
    case 'a':
      return is("arguments\"") ? take_arguments(field, target.origin, node) : simdjson::SUCCESS;
    case 'p':
      return is("params\"") ? take_params(field, target.origin, node) : simdjson::SUCCESS;
    case 's':
      return is("stacking_level\"") ? take_number(field, node.level) : simdjson::SUCCESS;
    case 'd':
      return is("duration_ns\"") ? take_number(field, node.duration_ns) : simdjson::SUCCESS;
    case 'i':
      return is("input_tensors\"") ? append_counters(field, target.trace.input_tensors) : simdjson::SUCCESS;
    case 'c':
      if (is("connections\"")) return append_counters(field, target.trace.connections);
      return is("counter\"") ? take_number(field, node.counter) : simdjson::SUCCESS;
    case 'n':
      if (is("node_type\"") || (is("name\"") && !node.has_type)) return take_type(field, target.origin, node);
      return simdjson::SUCCESS;
    default:
      return simdjson::SUCCESS;
  }
}

/// Reads one node. Connections and input tensors are put at the end of the trace's columns; the caller takes
/// them back after an error.
error_code read_fields(simdjson::ondemand::object& object, const BlockOrigin& origin, GraphTrace& trace,
                       NodeFields& node) {
  const Target target{origin, trace, node};
  for (auto entry : object) {
    simdjson::ondemand::raw_json_string raw_key;
    if (const error_code error = entry.key().get(raw_key)) return error;
    value field;
    if (const error_code error = entry.value().get(field)) return error;
    if (const error_code error = take_field(raw_key.raw(), field, target)) return error;
  }
  return simdjson::SUCCESS;
}

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
  NodeBlock window;
  NodeBlock single;  ///< for a node that is read alone
};

/// The fields of a node while it is read. Views point into the input.
struct NodeReader::Node : NodeFields {};

NodeReader::NodeReader(std::string_view text, std::string name, GraphTrace& trace)
    : text_(text),
      name_(std::move(name)),
      trace_(trace),
      params_(trace),
      blocks_(std::make_unique<Blocks>()) {}

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
    cut_block(text_, at, window, blocks_->window);
    const BlockEnd end = read_block(blocks_->window);
    if (!problem_.empty()) {
      cursor.move_to(reached_);
      if (reached_ > at) cursor.take(',');
      cursor.peek();
      return failure(broken_at(cursor.position(), problem_));
    }
    if (end == BlockEnd::kArrayEnded) return reached_;
    if (end == BlockEnd::kBroken) {
      cursor.move_to(reached_);
      if (cursor.position() > at) cursor.take(',');  // behind the nodes of the block that were read
      ASSIGN_OR_RETURN(const std::size_t node_end, read_exactly(cursor.position()));
      reached_ = node_end;
    }
    cursor.move_to(reached_);
    if (cursor.take(']')) return cursor.position();
    if (!cursor.take(',')) {
      return failure(broken_at(cursor.position(), cursor.is_at_end()
                                                      ? "the list of nodes is cut off"
                                                      : "expected a comma or ] behind a node"));
    }
    at = cursor.position();
    window = std::min(window * 2, kWindowBytes);
    if (!is_reserved && at - begin >= kSampleBytes) {
      is_reserved = true;
      reserve_columns(trace_, static_cast<double>(text_.size() - begin) / static_cast<double>(at - begin));
    }
  }
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
  constexpr std::int64_t kMaxDepth = std::numeric_limits<std::uint8_t>::max();
  if (node.kind == NodeKind::kFunctionStart) ++depth_;
  const auto derived = static_cast<std::int64_t>(depth_);
  if (node.kind == NodeKind::kFunctionEnd && depth_ > 0) --depth_;
  if (node.level < 0) trace_.has_levels = false;
  return static_cast<std::uint8_t>(std::min(node.level < 0 ? derived : node.level, kMaxDepth));
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
