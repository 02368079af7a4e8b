#pragma once

#include <string_view>

#include "base/json_cursor.h"

namespace ttscope::graph {

/// Calls take(text) for each element of an array's text, take(key, text) for each member of an object's; keys
/// are as written. Nothing is built. False when the text is damaged or holds something else.
template <typename Take>
bool for_each_element(std::string_view array, Take take) {
  JsonCursor cursor(array);
  if (!cursor.take('[')) return false;
  if (cursor.take(']')) return true;
  do {
    const auto value = cursor.take_value();
    if (!value) return false;
    take(*value);
  } while (cursor.take(','));
  return cursor.take(']');
}

template <typename Take>
bool for_each_member(std::string_view object, Take take) {
  JsonCursor cursor(object);
  if (!cursor.take('{')) return false;
  if (cursor.take('}')) return true;
  do {
    const auto key = cursor.take_string();
    if (!key || !cursor.take(':')) return false;
    const auto value = cursor.take_value();
    if (!value) return false;
    take(*key, *value);
  } while (cursor.take(','));
  return cursor.take('}');
}

}  // namespace ttscope::graph
