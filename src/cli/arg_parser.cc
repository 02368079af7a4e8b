#include "cli/arg_parser.h"
#include "base/edit_distance.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

namespace ttscope::cli {
namespace {

constexpr std::string_view kHelpNames = "-h,--help";

/// CLI11's view of a command; texts are collected and checked by us, so that the messages are ours.
struct Parser {
  CLI::App app;
  bool help = false;
  std::vector<std::string> positionals;
  std::deque<std::string> values;              ///< parallel to the options; unused for flags
  std::deque<std::vector<std::string>> lists;  ///< the same; of options that repeat
  std::vector<CLI::Option*> options;           ///< parallel to CommandSpec::options
};

void declare(const CommandSpec& spec, Parser& parser) {
  parser.app.set_help_flag();
  parser.app.allow_extras();
  parser.app.add_flag(std::string(kHelpNames), parser.help);
  for (const OptionSpec& option : spec.options) {
    std::string& value = parser.values.emplace_back();
    std::vector<std::string>& list = parser.lists.emplace_back();
    if (option.is_flag()) {
      parser.options.push_back(parser.app.add_flag(std::string(option.names)));
      continue;
    }
    if (option.repeats) {
      // One value each time.
      parser.options.push_back(
          parser.app.add_option(std::string(option.names), list)->allow_extra_args(false));
    } else {
      parser.options.push_back(parser.app.add_option(std::string(option.names), value)->take_last());
    }
  }
  if (spec.positional.max > 0 && !spec.positional.takes_rest)
    parser.app.add_option("positional", parser.positionals)->expected(-1);
}

std::string unknown_option(const CommandSpec& spec, const std::string& given) {
  const std::string name = given.substr(0, given.find('='));
  std::vector<std::string_view> known = {"--help"};
  for (const OptionSpec& option : spec.options) known.push_back(option.key());
  std::string message = fmt::format("unknown option {}", name);
  const std::string_view near = nearest_name(name, known);
  if (!near.empty()) message += fmt::format("; did you mean {}?", near);
  return message;
}

const OptionSpec* find_letter(const CommandSpec& spec, char letter) {
  for (const OptionSpec& option : spec.options) {
    if (option.names.size() > 1 && option.names[0] == '-' && option.names[1] == letter) return &option;
  }
  return nullptr;
}

/// Of `-lp=1`, which is `-l -p` and a value for `-p`: `-p`; empty where no flag is given a value like this.
std::string flag_with_value(const CommandSpec& spec, const std::string& arg) {
  for (std::size_t i = 1; i + 1 < arg.size() && arg[0] == '-'; ++i) {
    const OptionSpec* const option = find_letter(spec, arg[i]);
    if (option == nullptr || !option->is_flag()) break;
    if (arg[i + 1] == '=') return {'-', arg[i]};
  }
  return {};
}

/// CLI11 leaves `-=1` over of `-p=1`, where `-p` is a flag.
std::string value_of_flag(const CommandSpec& spec, const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg == "--") break;
    const std::string flag = flag_with_value(spec, arg);
    if (!flag.empty()) return fmt::format("{} takes no value; leave it out where it is not wanted", flag);
  }
  return {};
}

std::string extra_argument(const CommandSpec& spec, const std::vector<std::string>& extras) {
  const auto option = std::find_if(extras.begin(), extras.end(),
                                   [](const std::string& text) { return text.size() > 1 && text[0] == '-'; });
  if (option != extras.end()) return unknown_option(spec, *option);
  return fmt::format("unexpected argument {}", extras.front());
}

bool is_choice(const std::vector<std::string_view>& choices, std::string_view text) {
  return choices.empty() || std::find(choices.begin(), choices.end(), text) != choices.end();
}

std::string wrong_choice(std::string_view what, std::string_view given,
                         const std::vector<std::string_view>& choices) {
  std::string message = fmt::format("{}: {} is not one of {}", what, given, fmt::join(choices, ", "));
  const std::string_view near = nearest_name(given, choices);
  return near.empty() ? message : message + fmt::format("; did you mean {}?", near);
}

std::string check_positionals(const PositionalSpec& spec, const std::vector<std::string>& given) {
  if (given.size() < spec.min) return fmt::format("missing {}", spec.name);
  if (given.size() > spec.max) return fmt::format("unexpected argument {}", given[spec.max]);
  for (const std::string& text : given) {
    if (!is_choice(spec.choices, text)) return wrong_choice(spec.name, text, spec.choices);
  }
  return {};
}

std::string collect(const CommandSpec& spec, Parser& parser, ParsedArgs& args) {
  for (std::size_t i = 0; i < spec.options.size(); ++i) {
    if (parser.options[i]->count() == 0) continue;
    const OptionSpec& option = spec.options[i];
    const std::vector<std::string>& given = parser.options[i]->results();
    if (option.is_flag() && std::count(given.begin(), given.end(), "true") != std::ssize(given))
      return fmt::format("{} takes no value; leave it out where it is not wanted", option.key());
    const std::string value =
        option.repeats ? fmt::format("{}", fmt::join(parser.lists[i], ",")) : parser.values[i];
    if (!is_choice(option.choices, value)) return wrong_choice(option.key(), value, option.choices);
    args.values[std::string(option.key())] = value;
    if (option.repeats) args.lists[std::string(option.key())] = std::move(parser.lists[i]);
  }
  args.positionals = std::move(parser.positionals);
  return check_positionals(spec.positional, args.positionals);
}

/// `--json= run.log` would take the next argument, a log, for the value: and overwrite it.
std::string empty_value(const std::vector<std::string>& args) {
  for (const std::string& arg : args) {
    if (arg == "--") break;
    if (arg.size() > 3 && arg.compare(0, 2, "--") == 0 && arg.back() == '=') {
      return fmt::format("{} needs a value after the equals sign", arg.substr(0, arg.size() - 1));
    }
  }
  return {};
}

/// Options that may stand alone get the value that they then have.
std::vector<std::string> with_bare_values(const CommandSpec& spec, std::vector<std::string> args) {
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    for (const OptionSpec& option : spec.options) {
      if (option.bare.empty() || args[i] != option.key()) continue;
      const bool has_value = i + 1 < args.size() && is_choice(option.choices, args[i + 1]);
      if (!has_value) args[i] += fmt::format("={}", option.bare);
    }
  }
  return args;
}

/// CLI11 names the option first and then speaks of "required TEXT".
std::string value_missing(const CommandSpec& spec, const std::string& complaint) {
  for (const OptionSpec& option : spec.options) {
    if (complaint.rfind(std::string(option.key()) + ":", 0) == 0) {
      return fmt::format("{} needs a value: {} {}", option.key(), option.key(), option.value_name);
    }
  }
  return complaint;
}

bool takes_value(const CommandSpec& spec, const std::string& arg) {
  return std::any_of(spec.options.begin(), spec.options.end(), [&](const OptionSpec& option) {
    const std::size_t comma = option.names.find(',');
    return !option.is_flag() && (arg == option.key() || arg == option.names.substr(0, comma));
  });
}

/// How many arguments are options of ours; what follows, with or without `--`, is another command line.
std::size_t own_count(const CommandSpec& spec, const std::vector<std::string>& args) {
  std::size_t at = 0;
  while (at < args.size() && args[at] != "--" && args[at].size() > 1 && args[at][0] == '-') {
    at += takes_value(spec, args[at]) ? 2 : 1;
  }
  return std::min(at, args.size());
}

tl::expected<ParsedArgs, std::string> parse_own_args(const CommandSpec& spec,
                                                     const std::vector<std::string>& args);

/// A command line that ends with another one.
tl::expected<ParsedArgs, std::string> parse_with_rest(const CommandSpec& spec,
                                                      const std::vector<std::string>& args) {
  const auto begin = args.begin() + static_cast<std::ptrdiff_t>(own_count(spec, args));
  CommandSpec own = spec;
  own.positional.min = 0;
  auto parsed = parse_own_args(own, {args.begin(), begin});
  if (!parsed || parsed->help_wanted) return parsed;
  parsed->positionals.assign(begin != args.end() && *begin == "--" ? begin + 1 : begin, args.end());
  if (parsed->positionals.size() < spec.positional.min) {
    return tl::unexpected(fmt::format("missing {}", spec.positional.name));
  }
  return parsed;
}

tl::expected<ParsedArgs, std::string> parse_own_args(const CommandSpec& spec,
                                                     const std::vector<std::string>& args) {
  if (std::string problem = empty_value(args); !problem.empty()) return tl::unexpected(std::move(problem));
  Parser parser;
  declare(spec, parser);
  std::vector<std::string> reversed = with_bare_values(spec, args);
  std::reverse(reversed.begin(), reversed.end());  // the order that CLI11 takes
  try {
    parser.app.parse(reversed);
  } catch (const CLI::ParseError& error) {
    return tl::unexpected(value_missing(spec, error.what()));
  }
  ParsedArgs parsed;
  parsed.help_wanted = parser.help;
  if (parser.help) return parsed;
  std::vector<std::string> extras = parser.app.remaining();
  extras.erase(std::remove(extras.begin(), extras.end(), "--"), extras.end());  // only ends the options
  if (!extras.empty()) {
    const std::string valued = value_of_flag(spec, args);
    return tl::unexpected(valued.empty() ? extra_argument(spec, extras) : valued);
  }
  const std::string problem = collect(spec, parser, parsed);
  if (!problem.empty()) return tl::unexpected(problem);
  return parsed;
}

}  // namespace

tl::expected<ParsedArgs, std::string> parse_args(const CommandSpec& spec,
                                                 const std::vector<std::string>& args) {
  return spec.positional.takes_rest ? parse_with_rest(spec, args) : parse_own_args(spec, args);
}

}  // namespace ttscope::cli
