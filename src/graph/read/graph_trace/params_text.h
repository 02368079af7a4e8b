#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/json_cursor.h"

namespace ttscope::graph {

/// Calls take(key, value) for each field of an object's text; values are JSON as written. The opening brace
/// may be missing, and the closing one too, as in the pieces that split_address and split_tensor leave. False
/// when the text is damaged or take() says so.
template <typename Take>
bool for_each_param(std::string_view text, Take take) {
  JsonCursor cursor(text);
  cursor.take('{');
  while (cursor.peek() == '"') {
    const auto key = cursor.take_string();
    if (!key || !cursor.take(':')) return false;
    const auto value = cursor.take_value();
    if (!value || !take(*key, *value)) return false;
    if (!cursor.take(',')) break;
  }
  cursor.take('}');
  return cursor.is_at_end();
}

/// The address that stands first in the params of buffer events, and the text behind it, which repeats.
/// Without it `rest` is the whole text.
struct SplitAddress {
  bool found = false;
  std::int64_t address = 0;
  std::string_view rest;
};
SplitAddress split_address(std::string_view params);

/// Address and id of a tensor node, with the rest of its params but for `device_tensors` put together in
/// `key`.
struct SplitTensor {
  bool found = false;
  std::int64_t address = -1;
  std::int64_t tensor_id = -1;
};
SplitTensor split_tensor(std::string_view params, std::string& key);

}  // namespace ttscope::graph
