#include "base/number_text.h"

#include <charconv>
#include <cmath>

#include "base/text_search.h"

namespace ttscope {
namespace {

template <typename T>
std::optional<T> parse_all(std::string_view text) {
  text = trimmed(text);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::int64_t> parse_whole(std::string_view text) { return parse_all<std::int64_t>(text); }

std::optional<std::uint64_t> parse_unsigned(std::string_view text) { return parse_all<std::uint64_t>(text); }

std::optional<double> parse_number(std::string_view text) {
  const std::optional<double> value = parse_all<double>(text);
  if (value && !std::isfinite(*value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_whole_or_cut(std::string_view text) {
  if (const std::optional<std::int64_t> whole = parse_whole(text)) return whole;
  const std::optional<double> value = parse_number(text);
  constexpr double kLimit = 9.2e18;
  if (!value || *value >= kLimit || *value <= -kLimit) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<std::int64_t> parse_ticks(std::string_view text) {
  const std::optional<std::int64_t> value = parse_whole_or_cut(text);
  if (value && (*value > kMostTicks || *value < -kMostTicks)) return std::nullopt;
  return value;
}

}  // namespace ttscope
