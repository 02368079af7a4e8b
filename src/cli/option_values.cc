#include "cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>

#include "base/text.h"

namespace ttscope::cli {

OptionSpec flag_option(std::string_view names, bool& field, std::string_view help, bool value) {
  OptionSpec option{names, "", help};
  option.take = [&field, value](std::string_view, const std::string&) {
    field = value;
    return std::string();
  };
  return option;
}

OptionSpec value_option(std::string_view names, std::string_view value_name, TakeValue take,
                        std::string_view help) {
  OptionSpec option{names, value_name, help};
  option.take = std::move(take);
  return option;
}

OptionSpec number_option(std::string_view names, std::string_view value_name, int least, int& field,
                         std::string_view help) {
  return value_option(
      names, value_name,
      [&field, least](std::string_view key, const std::string& value) {
        return take_number(key, value, least, field);
      },
      help);
}

OptionSpec number_option(std::string_view names, std::string_view value_name, int least,
                         std::optional<int>& field, std::string_view help) {
  return value_option(
      names, value_name,
      [&field, least](std::string_view key, const std::string& value) {
        return take_number(key, value, least, field.emplace());
      },
      help);
}

OptionSpec choice_option(std::string_view names, std::string_view value_name,
                         std::vector<std::string_view> choices, std::string& field, std::string_view help) {
  OptionSpec option = text_option(names, value_name, field, help, ValueKind::kChoice);
  option.choices = std::move(choices);
  return option;
}

OptionSpec choice_option(std::string_view names, std::string_view value_name,
                         std::vector<std::string_view> choices, TakeValue take, std::string_view help) {
  OptionSpec option = value_option(names, value_name, std::move(take), help);
  option.kind = ValueKind::kChoice;
  option.choices = std::move(choices);
  return option;
}

std::string wrong_value(std::string_view key, std::string_view value, std::string_view expected) {
  return fmt::format("{} {}: expected {}", key, value, expected);
}

std::string take_number(std::string_view key, const std::string& value, int least, int& number) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error == std::errc() && end == value.data() + value.size() && number >= least) return {};
  return wrong_value(key, value, fmt::format("a whole number of at least {}", least));
}

std::optional<std::int64_t> age_seconds(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  constexpr std::int64_t kMax = 1000000;
  if (error != std::errc() || number < 0 || number > kMax) return std::nullopt;
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (unit.empty() || unit == "d") return number * 86400;
  if (unit == "h") return number * 3600;
  if (unit == "m") return number * 60;
  return std::nullopt;
}

std::vector<std::string_view> comma_parts(std::string_view list) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::vector<std::string> comma_separated(std::string_view list) {
  std::vector<std::string> parts;
  for (const std::string_view part : comma_parts(list)) {
    if (!trimmed(part).empty()) parts.emplace_back(trimmed(part));
  }
  return parts;
}

namespace {

/// Factor of a unit, 0 if it is none.
double unit_bytes(std::string_view unit) {
  std::string lower;
  for (const char c : unit) lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (lower.empty() || lower == "b") return 1;
  constexpr std::array<std::string_view, 4> kPrefixes = {"k", "m", "g", "t"};
  double factor = 1;
  for (const std::string_view prefix : kPrefixes) {
    factor *= 1024;
    const std::string start(prefix);
    if (lower == start || lower == start + "b" || lower == start + "ib") return factor;
  }
  return 0;
}

/// The number at the start of a text, not below 0, and what stands behind it.
std::optional<double> leading_number(std::string_view& text) {
  const std::string copy(text);
  char* end = nullptr;
  const double number = std::strtod(copy.c_str(), &end);
  if (end == copy.c_str() || !std::isfinite(number) || number < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - copy.c_str()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  const std::optional<double> number = leading_number(text);
  if (!number) return std::nullopt;
  const double size_bytes = *number * unit_bytes(text);
  constexpr double kMax = 4e18;
  if (unit_bytes(text) == 0 || size_bytes > kMax) return std::nullopt;
  return std::llround(size_bytes);
}

std::optional<double> parse_share(std::string_view text) {
  const std::optional<double> number = leading_number(text);
  return number && text == "%" ? std::optional<double>(*number / 100) : std::nullopt;
}

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
