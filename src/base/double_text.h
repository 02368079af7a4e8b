#pragma once

#include <cstddef>

namespace ttscope {

/// What put_double() writes at most.
inline constexpr std::size_t kDoubleTextBytes = 40;

/// Writes the shortest text that reads back to the same number, always with a point or an exponent, as
/// Python's repr does: `0.0`, `1021.169`, `1e+16`, `3.814697265625e-06`. Returns the end of it. The number
/// must be finite.
char* put_double(char* to, double number);

}  // namespace ttscope
