#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text_search.h"

namespace ttscope {

/// The whole number that the text is, blanks around it allowed.
std::optional<std::int64_t> parse_whole(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
/// The number that the text is (`12`, `1e3`, `-0.5`), blanks around it allowed; NaN and infinity are none.
std::optional<double> parse_number(std::string_view text);
/// Cycles and nanoseconds beyond this are damage; within it a thousand of them can be added up.
inline constexpr std::int64_t kMostTicks = std::int64_t{1} << 53;
/// A whole or decimal number of at most kMostTicks either way.
std::optional<std::int64_t> parse_ticks(std::string_view text);

/// A whole number, or a decimal one cut to a whole one as Python's int(float()) does.
std::optional<std::int64_t> parse_whole_or_cut(std::string_view text);

}  // namespace ttscope
