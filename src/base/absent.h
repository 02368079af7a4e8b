#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/ids.h"

/// Columns of many values have one value that stands for "none" (kNone of ids, an empty text, -1 or 0 of
/// numbers). Documents and tables say null instead.

namespace ttscope {

/// Null for an empty text.
inline std::optional<std::string_view> text_or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// Null for kNone.
inline std::optional<std::uint32_t> id_or_null(std::uint32_t id) {
  return id == kNone ? std::nullopt : std::optional(id);
}

/// Null below 0: the input does not tell.
template <typename T>
std::optional<T> known_or_null(T figure) {
  return figure < 0 ? std::nullopt : std::optional(figure);
}

/// Null for 0 and below: a count, a size or the number of a line that is not there.
template <typename T>
std::optional<T> positive_or_null(T number) {
  return number > 0 ? std::optional(number) : std::nullopt;
}

}  // namespace ttscope
