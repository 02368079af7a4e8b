#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::gate {

/// The first character of a TOML text that is not ASCII and stands where TOML wants ASCII: outside of strings
/// and comments, or at the beginning of a line that a backslash continues. Its line, from 1. toml++ 3.3 asks
/// there whether it is a blank, and of some (U+00E9, U+FEFB) that ends in code that cannot be reached.
std::optional<std::uint32_t> line_of_unquoted_character(std::string_view text);

}  // namespace ttscope::gate
