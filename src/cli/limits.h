#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ttscope::cli {

/// A bound that a user typed: a share or bytes.
struct LimitValue {
  double fraction = -1;  ///< < 0: bytes are given
  std::int64_t bytes = 0;
};

/// `90%`, `1048576`, `900MB`, `1.5GiB`; units of 1024. Nothing when it is none of these.
std::optional<LimitValue> parse_limit(std::string_view text);

}  // namespace ttscope::cli
