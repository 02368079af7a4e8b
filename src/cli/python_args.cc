#include "cli/python_args.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace ttscope::cli
