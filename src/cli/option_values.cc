#include "cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

#include "base/text.h"
#include "cli/mem_profiles.h"

namespace ttscope::cli {

bool read_number(const ParsedArgs& args, std::string_view key, int least, int& number) {
  if (!args.has(key)) return true;
  const std::string text = args.value(key);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && number >= least) return true;
  complain(fmt::format("{} {}: expected a whole number of at least {}", key, text, least));
  return false;
}

std::optional<std::int64_t> age_seconds(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  constexpr std::int64_t kMost = 1000000;
  if (error != std::errc() || number < 0 || number > kMost) return std::nullopt;
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

bool are_usable_outputs(const ParsedArgs& args, std::initializer_list<std::string_view> keys) {
  std::string on_stdout;
  int count = 0;
  for (const std::string_view key : keys) {
    const std::string path = args.value(key);
    if (args.has(key) && path.empty()) {
      complain(fmt::format("{} needs a path", key));
      return false;
    }
    if (is_one_of(path, args.positionals)) {
      complain(fmt::format("{} {}: would overwrite the input", key, path));
      return false;
    }
    if (path == "-" && count++ > 0) {
      complain(fmt::format("only one of {} and {} can go to standard output", on_stdout, key));
      return false;
    }
    if (path == "-") on_stdout = key;
  }
  return true;
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
std::optional<double> take_number(std::string_view& text) {
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
  const std::optional<double> number = take_number(text);
  if (!number) return std::nullopt;
  const double size_bytes = *number * unit_bytes(text);
  constexpr double kMost = 4e18;
  if (unit_bytes(text) == 0 || size_bytes > kMost) return std::nullopt;
  return std::llround(size_bytes);
}

std::optional<double> parse_share(std::string_view text) {
  const std::optional<double> number = take_number(text);
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
