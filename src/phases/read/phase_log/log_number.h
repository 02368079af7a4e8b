#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ttscope::phases {

/// A decimal number at the start of `text`, blanks and a sign before it allowed, with or without thousands
/// separators: `969,369,600`, `+1863.25`. `used` gets how much of the text it took.
std::optional<double> read_log_number(std::string_view text, std::size_t* used);

}  // namespace ttscope::phases
