#include "graph/read/graph_trace/node_fields.h"

#include <charconv>
#include <cstring>
#include <vector>

#include "base/text_search.h"

namespace ttscope::graph {
namespace {

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

}  // namespace

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

}  // namespace ttscope::graph
