#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::cli {

/// A size that a user typed, in bytes: `943718400`, `900MB`, `1.5 GiB`; units of 1024. Absent if it is none.
std::optional<std::int64_t> parse_size(std::string_view text);
/// `90%` as 0.9.
std::optional<double> parse_share(std::string_view text);

}  // namespace ttscope::cli
