#include "cli/limits.h"

#include "cli/size_value.h"

namespace ttscope::cli {

std::optional<LimitValue> parse_limit(std::string_view text) {
  LimitValue limit;
  if (const std::optional<double> share = parse_share(text)) {
    limit.fraction = *share;
    return limit;
  }
  const std::optional<std::int64_t> size = parse_size(text);
  if (!size) return std::nullopt;
  limit.bytes = *size;
  return limit;
}

}  // namespace ttscope::cli
