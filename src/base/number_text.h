#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"

namespace ttscope {

/// What put_double() writes at most.
inline constexpr std::size_t kDoubleTextBytes = 40;

/// Writes the shortest text that reads back to the same number, always with a point or an exponent, as
/// Python's repr does: `0.0`, `1021.169`, `1e+16`, `3.814697265625e-06`. Returns the end of it. The number
/// must be finite.
char* put_double(char* to, double number);

/// The whole number that the text is, blanks around it allowed.
std::optional<std::int64_t> parse_whole(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
/// The number that the text is (`12`, `1e3`, `-0.5`), blanks around it allowed; NaN and infinity are none.
std::optional<double> parse_number(std::string_view text);

/// Cycles and nanoseconds beyond this are damage; within it a thousand of them can be added up.
inline constexpr std::int64_t kMaxTicks = std::int64_t{1} << 53;

/// A whole or decimal number of at most kMaxTicks either way.
std::optional<std::int64_t> parse_ticks(std::string_view text);

/// A whole number, or a decimal one cut to a whole one as Python's int(float()) does.
std::optional<std::int64_t> parse_whole_or_cut(std::string_view text);

/// Appends a text as Python's repr() prints it: `'it'`, `"it's"`, `'a\n'`.
void append_python_repr(std::string& to, std::string_view text);
/// Appends a number as Python's str() of a float: `0.02`, `1e+16`, `nan`, `inf`.
void append_python_float(std::string& to, double number);
/// Rounds as Python's round(number, digits) does: to the decimal text nearest the number, ties to even.
double python_round(double number, int digits);

}  // namespace ttscope
