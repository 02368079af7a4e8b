#include "cli/option_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

std::vector<std::string> comma_separated(std::string_view list) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    if (end > at) parts.emplace_back(list.substr(at, end - at));
    at = end + 1;
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
