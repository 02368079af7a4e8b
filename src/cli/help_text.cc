#include "cli/help_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttscope::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kColumn = 24;

/// `text` broken at blanks so that no line is over kWidth; lines after the first have the indent.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  while (text.size() > kWidth - indent) {
    std::size_t cut = text.rfind(' ', kWidth - indent);
    if (cut == std::string_view::npos || cut == 0) break;
    result += fmt::format("{}\n{:{}}", text.substr(0, cut), "", indent);
    text.remove_prefix(cut + 1);
  }
  return result + std::string(text);
}

std::string row(const std::string& left, std::string_view right) {
  if (left.size() + 2 > kColumn)
    return fmt::format("{}\n{:{}}{}\n", left, "", kColumn, wrapped(right, kColumn));
  return fmt::format("{:{}}{}\n", left, kColumn, wrapped(right, kColumn));
}

/// `-o, --output-file PATH`, long names of all options in one column.
std::string names_of(const OptionSpec& option) {
  std::string names(option.names);
  const std::size_t comma = names.find(',');
  if (comma != std::string::npos) {
    names.replace(comma, 1, ", ");
  }
  if (names.rfind("--", 0) == 0) names = "    " + names;
  if (!option.is_flag()) names += fmt::format(" {}", option.value_name);
  return "  " + names;
}

std::string positional_text(const PositionalSpec& spec) {
  if (spec.max == 0) return {};
  std::string text(spec.name);
  const bool says_how_many = text.find("...") != std::string::npos;
  if (spec.max > 1 && !says_how_many) text += spec.takes_rest ? " [ARG...]" : "...";
  return spec.min == 0 ? fmt::format(" [{}]", text) : " " + text;
}

}  // namespace

std::string usage_line(const CommandSpec& spec) {
  if (spec.positional.takes_rest) {
    return fmt::format("Usage: {} [options]{}\n", spec.program, positional_text(spec.positional));
  }
  return fmt::format("Usage: {}{}{}\n", spec.program, positional_text(spec.positional),
                     spec.options.empty() ? "" : " [options]");
}

std::string help_text(const CommandSpec& spec) {
  std::string text = usage_line(spec);
  text += fmt::format("\n{}\n", wrapped(spec.description, 0));
  if (spec.positional.max > 0 && !spec.positional.help.empty()) {
    text += "\nArguments:\n" + row(fmt::format("  {}", spec.positional.name), spec.positional.help);
  }
  text += "\nOptions:\n";
  for (const OptionSpec& option : spec.options) text += row(names_of(option), option.help);
  text += row("  -h, --help", "show this help");
  if (!spec.examples.empty()) text += fmt::format("\n{}", spec.examples);
  return text;
}

}  // namespace ttscope::cli
