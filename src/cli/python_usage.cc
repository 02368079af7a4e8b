// The texts of argparse's command lines, and of the values in them.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/utf8.h"
#include "cli/python_args.h"

namespace ttscope::cli {
namespace {

constexpr std::size_t kNarrowest = 11;
constexpr std::string_view kPrefix = "usage: ";

std::size_t text_width(int columns) {
  return std::max(static_cast<std::size_t>(std::max(columns - 2, 0)), kNarrowest);
}

/// Parts joined to lines that are not over the width; `first` is how much of the first line is taken.
std::vector<std::string> filled(const std::vector<std::string>& parts, std::size_t indent, std::size_t first,
                                std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = first;
  for (const std::string& part : parts) {
    if (used + 1 + part.size() > width && !line.empty()) {
      lines.push_back(std::string(indent, ' ') + line);
      line.clear();
      used = indent - 1;
    }
    line += line.empty() ? part : " " + part;
    used += part.size() + 1;
  }
  if (!line.empty()) lines.push_back(std::string(indent, ' ') + line);
  return lines;
}

std::vector<std::string> usage_parts(const PythonProgram& program) {
  std::vector<std::string> parts = {"[-h]"};
  for (const PythonOption& option : program.options) {
    std::string text(option.name);
    if (!option.metavar.empty()) text += fmt::format(" {}", option.metavar);
    if (!option.required) {
      parts.push_back("[" + text + "]");
      continue;
    }
    parts.emplace_back(option.name);
    if (!option.metavar.empty()) parts.emplace_back(option.metavar);
  }
  return parts;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// As textwrap.wrap(): words that are longer than a line are cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  for (std::string word : words_of(text)) {
    if (!line.empty() && line.size() + 1 + word.size() <= width) {
      line += " " + word;
      continue;
    }
    if (word.size() > width) {
      const std::size_t room = line.empty() ? width : width - std::min(width, line.size() + 1);
      if (room > 0) {
        line += (line.empty() ? "" : " ") + word.substr(0, room);
        word.erase(0, room);
      }
    }
    if (!line.empty()) lines.push_back(std::move(line));
    for (; word.size() > width; word.erase(0, width)) lines.push_back(word.substr(0, width));
    line = word;
  }
  if (!line.empty()) lines.push_back(line);
  return lines;
}

std::string option_help(const std::string& names, std::string_view help, std::size_t position,
                        std::size_t width) {
  const std::size_t room = position - 4;
  std::string text = "  " + names;
  const std::vector<std::string> lines = wrapped(help, width);
  const bool beside = names.size() <= room && !lines.empty();
  if (beside) text += std::string(position - text.size(), ' ') + lines.front();
  text += '\n';
  for (std::size_t i = beside ? 1 : 0; i < lines.size(); ++i)
    text += std::string(position, ' ') + lines[i] + "\n";
  return text;
}

}  // namespace

std::string python_usage(const PythonProgram& program, int columns) {
  const std::size_t width = text_width(columns);
  std::vector<std::string> parts = usage_parts(program);
  const std::string line = fmt::format("{}{} {}", kPrefix, program.name, fmt::join(parts, " "));
  if (line.size() <= width) return line + "\n";
  const std::size_t head = kPrefix.size() + program.name.size();
  std::vector<std::string> lines;
  if (static_cast<double>(head) <= 0.75 * static_cast<double>(width)) {
    parts.insert(parts.begin(), program.name);
    lines = filled(parts, head + 1, kPrefix.size() - 1, width);
    lines.front().erase(0, head + 1);
  } else {
    lines = filled(parts, kPrefix.size(), kPrefix.size() - 1, width);
    lines.insert(lines.begin(), program.name);
  }
  return fmt::format("{}{}\n", kPrefix, fmt::join(lines, "\n"));
}

std::string python_help(const PythonProgram& program, int columns) {
  constexpr std::size_t kUsualPosition = 24;
  const auto given = static_cast<std::size_t>(std::max(columns - 2, 0));
  const std::size_t most = std::min(kUsualPosition, std::max<std::size_t>(given > 20 ? given - 20 : 0, 4));
  std::vector<std::pair<std::string, std::string_view>> rows = {
      {"-h, --help", "show this help message and exit"}};
  for (const PythonOption& option : program.options) {
    rows.emplace_back(
        option.metavar.empty() ? std::string(option.name) : fmt::format("{} {}", option.name, option.metavar),
        option.help);
  }
  std::size_t longest = 0;
  for (const auto& [names, help] : rows) longest = std::max(longest, names.size() + 2);
  const std::size_t position = std::min(longest + 2, most);
  const std::size_t room = std::max(given > position ? given - position : 0, kNarrowest);
  std::string text = python_usage(program, columns) + "\n";
  for (const std::string& line : wrapped(program.description, text_width(columns))) text += line + "\n";
  text += "\noptions:\n";
  for (const auto& [names, help] : rows) text += option_help(names, help, position, room);
  return text;
}

std::optional<double> python_float(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || (text.back() >= '\t' && text.back() <= '\r')))
    text.remove_suffix(1);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
    if (text[i] != '_') {
      plain += static_cast<char>(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    } else if (i == 0 || !digit(i - 1) || !digit(i + 1)) {
      return std::nullopt;
    }
  }
  const bool negative = !plain.empty() && plain[0] == '-';
  if (!plain.empty() && (plain[0] == '+' || plain[0] == '-')) plain.erase(0, 1);
  if (plain.empty() || plain[0] == '+' || plain[0] == '-') return std::nullopt;
  double number = 0;
  if (plain == "inf" || plain == "infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (plain == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    const bool numeric = plain.find_first_not_of("0123456789.e+-") == std::string::npos;
    const auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    if (!numeric || end != plain.data() + plain.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range)
      number = plain.find("e-") == std::string::npos ? HUGE_VAL : 0;
  }
  return negative ? -number : number;
}

std::string python_repr(std::string_view text) {
  const bool has_single = text.find('\'') != std::string_view::npos;
  const char quote = has_single && text.find('"') == std::string_view::npos ? '"' : '\'';
  std::string shown(1, quote);
  while (!text.empty()) {
    const DecodedCharacter next = decode_utf8(text);
    const std::string_view raw = text.substr(0, next.size_bytes);
    text.remove_prefix(next.size_bytes);
    const auto code = static_cast<std::uint32_t>(next.code_point);
    if (!next.valid) {
      for (const char byte : raw) shown += fmt::format("\\udc{:02x}", static_cast<unsigned char>(byte));
    } else if (code == '\n' || code == '\r' || code == '\t') {
      shown += code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t";
    } else if (code == '\\' || code == static_cast<unsigned char>(quote)) {
      shown += '\\';
      shown += static_cast<char>(code);
    } else if (is_control_character(next.code_point)) {
      shown += code <= 0xFF ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    } else {
      shown += raw;
    }
  }
  return shown + quote;
}

}  // namespace ttscope::cli
