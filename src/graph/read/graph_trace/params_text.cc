#include "graph/read/graph_trace/params_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/text_search.h"

namespace ttscope::graph {
namespace {

void skip_blanks(std::string_view& text) {
  while (!text.empty() && is_blank_or_break(text.front())) text.remove_prefix(1);
}

bool skip(std::string_view& text, std::string_view wanted) {
  skip_blanks(text);
  if (!text.starts_with(wanted)) return false;
  text.remove_prefix(wanted.size());
  return true;
}

bool skip_digits(std::string_view& text, std::int64_t& number) {
  skip_blanks(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

/// Where this key stands. Quotes inside of texts are escaped, so a quoted word with a colon behind it can
/// only be a key. `rare` is where in the key a letter stands that is seldom elsewhere: the search goes from
/// one to the next.
std::size_t find_key(std::string_view text, std::string_view quoted_key, std::size_t rare) {
  for (std::size_t at = text.find(quoted_key[rare]); at != std::string_view::npos;
       at = text.find(quoted_key[rare], at + 1)) {
    if (at < rare || text.substr(at - rare, quoted_key.size()) != quoted_key) continue;
    std::string_view behind = text.substr(at - rare + quoted_key.size());
    return skip(behind, ":") ? at - rare : std::string_view::npos;
  }
  return std::string_view::npos;
}

/// Whether a text is one field with a string as value and a comma, and nothing else. Quotes inside of a
/// string are escaped, so three of these characters in a row can only stand between two fields.
bool is_only_field(std::string_view text, std::string_view with_next_quote) {
  constexpr std::string_view kBetween = "\",\"";
  const void* found =
      ::memmem(with_next_quote.data(), with_next_quote.size(), kBetween.data(), kBetween.size());
  if (found != nullptr) return static_cast<const char*>(found) + 2 == text.data() + text.size();
  JsonCursor cursor(text);
  return cursor.take_string() && cursor.take(':') && cursor.take_string() && cursor.take(',') &&
         cursor.is_at_end();
}

}  // namespace

SplitAddress split_address(std::string_view params) {
  std::string_view text = params;
  SplitAddress split;
  split.rest = params;
  if (!skip(text, "{") || !skip(text, "\"address\"") || !skip(text, ":")) return split;
  if (!skip_digits(text, split.address) || !skip(text, ",")) return split;
  split.found = true;
  split.rest = text;
  return split;
}

SplitTensor split_tensor(std::string_view params, std::string& key) {
  SplitTensor split;
  const SplitAddress head = split_address(params);
  const std::string_view rest = head.rest;
  if (!head.found && find_key(rest, "\"address\"", 1) != std::string_view::npos) return split;
  const std::size_t dtype = find_key(rest, "\"dtype\"", 3);
  const std::size_t id = rest.rfind("\"tensor_id\"");
  if (dtype == std::string_view::npos || id == std::string_view::npos || id < dtype) return split;
  const std::size_t devices = find_key(rest.substr(0, dtype), "\"device_tensors\"", 3);
  if (devices != std::string_view::npos &&
      !is_only_field(rest.substr(devices, dtype - devices), rest.substr(devices, dtype - devices + 1))) {
    return split;
  }
  std::string_view tail = rest.substr(id);
  if (!skip(tail, "\"tensor_id\"") || !skip(tail, ":") || !skip_digits(tail, split.tensor_id)) return split;
  if (!skip(tail, "}")) return split;
  skip_blanks(tail);
  split.found = tail.empty();
  if (head.found) split.address = head.address;
  key.assign(rest.substr(0, std::min(devices, dtype)));
  key.append(rest.substr(dtype, id - dtype));
  return split;
}

}  // namespace ttscope::graph
