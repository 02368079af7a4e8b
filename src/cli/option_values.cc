#include "cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/text_search.h"
#include "cli/profile_run.h"

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

}  // namespace ttscope::cli
