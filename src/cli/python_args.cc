#include "cli/python_args.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/text.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kHelp = "--help";

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// `-5`, `-.5`, `-1.5`: arguments, since no option looks like a number.
bool is_negative_number(std::string_view text) {
  if (text.size() < 2 || text[0] != '-') return false;
  text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point == std::string_view::npos) return is_digits(text);
  return (point == 0 || is_digits(text.substr(0, point))) && is_digits(text.substr(point + 1));
}

/// How an argument that may be an option was understood.
struct Match {
  bool is_option = false;
  std::string_view name;  ///< empty: no option of ours
  std::optional<std::string> explicit_value;
  std::string error;
};

class PythonParser {
 public:
  PythonParser(const PythonProgram& program, const std::vector<std::string>& args)
      : program_(program), args_(args) {
    for (const std::string& arg : args) {
      matches_.push_back(options_ended_ ? Match{} : classify(arg));
      if (arg == "--") options_ended_ = true;
    }
  }

  PythonArgs parse() {
    for (const Match& match : matches_) {
      if (!match.error.empty()) return failed(match.error);
    }
    for (std::size_t i = 0; i < args_.size() && result_.error.empty() && !result_.help_wanted; ++i) take(i);
    if (!result_.error.empty() || result_.help_wanted) return result_;
    std::string missing;
    for (const PythonOption& option : program_.options) {
      if (!option.required || result_.has(option.name)) continue;
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", option.name);
    }
    if (!missing.empty()) return failed("the following arguments are required: " + missing);
    if (!extras_.empty()) return failed(fmt::format("unrecognized arguments: {}", fmt::join(extras_, " ")));
    return result_;
  }

 private:
  PythonArgs failed(std::string message) {
    result_.error = std::move(message);
    return result_;
  }

  const PythonOption* find(std::string_view name) const {
    const auto found = std::find_if(program_.options.begin(), program_.options.end(),
                                    [&](const PythonOption& option) { return option.name == name; });
    return found == program_.options.end() ? nullptr : &*found;
  }

  bool is_known(std::string_view name) const {
    return name == "-h" || name == kHelp || find(name) != nullptr;
  }

  Match classify(const std::string& arg) const {
    if (arg.empty() || arg[0] != '-' || arg == "--") return {};
    if (is_known(arg)) return {true, name_of(arg), std::nullopt, {}};
    if (arg.size() == 1) return {};
    const std::size_t equals = arg.find('=');
    if (equals != std::string::npos && is_known(arg.substr(0, equals))) {
      return {true, name_of(arg.substr(0, equals)), arg.substr(equals + 1), {}};
    }
    if (starts_with(arg, "--")) return abbreviated(arg);
    if (starts_with(arg, "-h")) return {true, kHelp, arg.substr(2), {}};
    if (is_negative_number(arg) || arg.find(' ') != std::string::npos) return {};
    return {true, {}, std::nullopt, {}};
  }

  /// The name as it stands in the program, which outlives the argument.
  std::string_view name_of(std::string_view name) const {
    const PythonOption* option = find(name);
    return option == nullptr ? kHelp : option->name;
  }

  Match abbreviated(const std::string& arg) const {
    const std::size_t equals = arg.find('=');
    const std::string start = arg.substr(0, equals);
    std::vector<std::string_view> found;
    if (starts_with(kHelp, start)) found.push_back(kHelp);
    for (const PythonOption& option : program_.options) {
      if (starts_with(option.name, start)) found.push_back(option.name);
    }
    Match match{true, {}, std::nullopt, {}};
    if (found.size() > 1) {
      match.error = fmt::format("ambiguous option: {} could match {}", arg, fmt::join(found, ", "));
    } else if (found.size() == 1) {
      match.name = found.front();
      if (equals != std::string::npos) match.explicit_value = arg.substr(equals + 1);
    } else if (is_negative_number(arg) || arg.find(' ') != std::string::npos) {
      return {};
    }
    return match;
  }

  void take(std::size_t& i) {
    const Match& match = matches_[i];
    if (!match.is_option || match.name.empty()) {
      extras_.push_back(args_[i]);
    } else if (match.name == kHelp) {
      take_help(match);
    } else if (const PythonOption* option = find(match.name); option->metavar.empty()) {
      if (match.explicit_value) {
        failed(fmt::format("argument {}: ignored explicit argument {}", option->name,
                           python_repr(*match.explicit_value)));
      }
      result_.values[std::string(option->name)] = {};
    } else {
      take_value(*option, i);
    }
  }

  /// `-hh` is `-h -h`; any other text behind -h is refused.
  void take_help(const Match& match) {
    const std::string more = match.explicit_value.value_or("");
    const bool repeated = args_short(more);
    if (match.explicit_value && !repeated) {
      failed("argument -h/--help: ignored explicit argument " + python_repr(more));
    } else {
      result_.help_wanted = true;
    }
  }

  static bool args_short(const std::string& more) {
    return !more.empty() && more.find_first_not_of('h') == std::string::npos;
  }

  void take_value(const PythonOption& option, std::size_t& i) {
    std::string value;
    if (matches_[i].explicit_value) {
      value = *matches_[i].explicit_value;
    } else if (i + 1 < args_.size() && !matches_[i + 1].is_option && args_[i + 1] != "--") {
      value = args_[++i];
    } else {
      failed(fmt::format("argument {}: expected one argument", option.name));
      return;
    }
    if (option.number && !python_float(value)) {
      failed(fmt::format("argument {}: invalid float value: {}", option.name, python_repr(value)));
    }
    result_.values[std::string(option.name)] = value;
  }

  const PythonProgram& program_;
  const std::vector<std::string>& args_;
  bool options_ended_ = false;
  std::vector<Match> matches_;
  std::vector<std::string> extras_;
  PythonArgs result_;
};

}  // namespace

PythonArgs parse_python_args(const PythonProgram& program, const std::vector<std::string>& args) {
  return PythonParser(program, args).parse();
}

namespace {

// The texts of argparse's command lines, and of the values in them.

constexpr std::size_t kMinWidth = 11;
constexpr std::string_view kPrefix = "usage: ";

std::size_t text_width(int columns) {
  return std::max(static_cast<std::size_t>(std::max(columns - 2, 0)), kMinWidth);
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
  const std::size_t room = std::max(given > position ? given - position : 0, kMinWidth);
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
