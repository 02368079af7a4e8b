#include "cli/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/terminal.h"

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

std::string take_values(const CommandSpec& spec, ParsedArgs parsed) {
  for (const OptionSpec& option : spec.options) {
    if (!parsed.has(option.key()) || !option.take) continue;
    const auto list = parsed.lists.find(option.key());
    const std::vector<std::string> values =
        option.repeats ? list->second : std::vector<std::string>{parsed.value(option.key())};
    for (const std::string& value : values) {
      if (std::string problem = option.take(option.key(), value); !problem.empty()) return problem;
    }
  }
  if (spec.arguments != nullptr) *spec.arguments = std::move(parsed.positionals);
  if (spec.given != nullptr) *spec.given = std::move(parsed.values);
  return {};
}

int run_parsed(const CommandSpec& spec, const std::vector<std::string>& args,
               const std::function<int()>& run) {
  auto parsed = parse_args(spec, args);
  if (!parsed) {
    complain(parsed.error());
    say(fmt::format("{}Try `{} --help`.\n", usage_line(spec), spec.program));
    return kUsage;
  }
  if (parsed->help_wanted) return answer(help_text(spec));
  if (const std::string problem = take_values(spec, std::move(*parsed)); !problem.empty()) {
    complain(problem);
    return kUsage;
  }
  return run();
}

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
  const bool has_count = text.find("...") != std::string::npos;
  if (spec.max > 1 && !has_count) text += spec.takes_rest ? " [ARG...]" : "...";
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

namespace {

std::string all_names(const CommandSpec& spec, std::string_view separator) {
  std::string text = "--help";
  for (const OptionSpec& option : spec.options) {
    std::string names(option.names);
    const std::size_t comma = names.find(',');
    if (comma != std::string::npos) names.replace(comma, 1, separator);
    text += fmt::format("{}{}", separator, names);
  }
  return text;
}

/// What bash offers for a value.
std::string bash_values(ValueKind kind, const std::vector<std::string_view>& choices) {
  if (kind == ValueKind::kFile) return "compgen -f -- \"$word\"";
  if (kind == ValueKind::kFolder) return "compgen -d -- \"$word\"";
  if (kind == ValueKind::kCommand) {
    std::string names;
    for (const Command& command : all_commands())
      names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
    return fmt::format("compgen -W '{}' -- \"$word\"", names);
  }
  return fmt::format("compgen -W '{}' -- \"$word\"", fmt::join(choices, " "));
}

/// `list serve`: the first words that `ttmem` knows beside logs.
std::string ttmem_words() {
  std::string words;
  for (const Command& command : ttmem_commands()) {
    words += fmt::format("{}{}", words.empty() ? "" : " ", command.name);
  }
  return words;
}

std::string bash_command(const CommandSpec& spec, std::string_view pattern) {
  std::string text = fmt::format("    {})\n      case $previous in\n", pattern);
  for (const OptionSpec& option : spec.options) {
    if (option.is_flag()) continue;
    std::string names(option.names);
    const std::size_t comma = names.find(',');
    if (comma != std::string::npos) names.replace(comma, 1, "|");
    text += fmt::format("        {}) mapfile -t COMPREPLY < <({}) ;;\n", names,
                        bash_values(option.kind, option.choices));
  }
  std::string values =
      spec.positional.max == 0 ? "true" : bash_values(spec.positional.kind, spec.positional.choices);
  if (pattern == "ttmem") values = fmt::format("compgen -W '{}' -- \"$word\"; {}", ttmem_words(), values);
  text += fmt::format(
      "        *)\n"
      "          if [[ $word == -?* ]]; then mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\")\n"
      "          else mapfile -t COMPREPLY < <({}); fi ;;\n"
      "      esac ;;\n",
      all_names(spec, " "), values);
  return text;
}

std::string bash_script() {
  std::string text =
      "# bash completion for ttscope, ttmem, tt-memory-profiler and analyze_memory\n"
      "_ttscope() {\n"
      "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} "
      "command=${COMP_WORDS[0]##*/}\n"
      "  [[ $command == ttscope && $COMP_CWORD -gt 1 ]] && command=\"ttscope ${COMP_WORDS[1]}\"\n"
      "  COMPREPLY=()\n";
  text += fmt::format(
      "  [[ $command == ttmem && $COMP_CWORD -gt 1 && ' {} ' == *\" ${{COMP_WORDS[1]}} \"* ]] && "
      "command=\"ttmem ${{COMP_WORDS[1]}}\"\n"
      "  case $command in\n",
      ttmem_words());
  std::string names = "--help --version";
  for (const Command& command : all_commands()) {
    names += fmt::format(" {}", command.name);
    text += bash_command(command.spec(), fmt::format("\"ttscope {}\"", command.name));
  }
  for (const Command& command : ttmem_commands()) {
    text += bash_command(command.spec(), fmt::format("\"ttmem {}\"", command.name));
  }
  for (const Command& program : other_programs()) text += bash_command(program.spec(), program.name);
  text += fmt::format(
      "    ttscope) mapfile -t COMPREPLY < <(compgen -W '{}' -- \"$word\"; compgen -f -- \"$word\") ;;\n",
      names);
  text += "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n";
  return text +
         "  esac\n}\ncomplete -o filenames -F _ttscope ttscope ttmem tt-memory-profiler analyze_memory\n";
}

/// Text inside single quotes of a shell, with the characters that _arguments reads escaped.
std::string zsh_quoted(std::string_view help) {
  std::string text;
  for (const char c : help) {
    if (c == '\'') text += "'\\'";
    if (c == '[' || c == ']' || c == ':') text += '\\';
    text += c;
  }
  return text;
}

std::string zsh_action(ValueKind kind, const std::vector<std::string_view>& choices) {
  if (kind == ValueKind::kFile) return "_files";
  if (kind == ValueKind::kFolder) return "_files -/";
  if (kind == ValueKind::kCommand) return "_ttscope_commands";
  return choices.empty() ? " " : fmt::format("({})", fmt::join(choices, " "));
}

std::string zsh_command(const CommandSpec& spec, std::string_view pattern) {
  std::string text =
      fmt::format("    {})\n      _arguments '(-h --help)'{{-h,--help}}'[show this help]'", pattern);
  for (const OptionSpec& option : spec.options) {
    const bool two_names = option.names.find(',') != std::string_view::npos;
    const std::string names = two_names ? fmt::format("{{{}}}", option.names) : std::string(option.names);
    // Zsh offers an option once, but for those with a star.
    text +=
        fmt::format(" \\\n        {}{}'[{}]", option.repeats ? "'*'" : "", names, zsh_quoted(option.help));
    if (!option.is_flag())
      text += fmt::format(":{}:{}", option.value_name, zsh_action(option.kind, option.choices));
    text += '\'';
  }
  if (spec.positional.max > 0) {
    text += fmt::format(" \\\n        '{}:{}:{}'", spec.positional.max > 1 ? "*" : "", spec.positional.name,
                        zsh_action(spec.positional.kind, spec.positional.choices));
  }
  return text + " ;;\n";
}

std::string zsh_script() {
  std::string text =
      "#compdef ttscope ttmem tt-memory-profiler analyze_memory\n"
      "_ttscope_commands() {\n"
      "  local -a commands=(\n";
  for (const Command& command : all_commands()) {
    text += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(command.spec().summary));
  }
  text +=
      "  )\n"
      "  _describe command commands\n"
      "}\n"
      "_ttscope() {\n"
      "  local command=$service\n"
      "  if [[ $command == ttscope ]]; then\n"
      "    if (( CURRENT == 2 )); then _ttscope_commands; _files; return; fi\n"
      "    command=\"ttscope $words[2]\"\n"
      "    shift words\n"
      "    (( CURRENT-- ))\n"
      "  fi\n";
  text += fmt::format(
      "  if [[ $command == ttmem && CURRENT -gt 2 && ' {} ' == *\" $words[2] \"* ]]; then\n"
      "    command=\"ttmem $words[2]\"\n"
      "    shift words\n"
      "    (( CURRENT-- ))\n"
      "  fi\n"
      "  case $command in\n",
      ttmem_words());
  for (const Command& command : all_commands()) {
    text += zsh_command(command.spec(), fmt::format("\"ttscope {}\"", command.name));
  }
  for (const Command& command : ttmem_commands()) {
    text += zsh_command(command.spec(), fmt::format("\"ttmem {}\"", command.name));
  }
  for (const Command& program : other_programs()) text += zsh_command(program.spec(), program.name);
  text += "    *) _files ;;\n";  // files are opened without a command
  return text + "  esac\n}\n_ttscope \"$@\"\n";
}

std::string fish_quoted(std::string_view help) {
  std::string text;
  for (const char c : help) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text;
}

std::string fish_value(ValueKind kind, const std::vector<std::string_view>& choices) {
  if (kind == ValueKind::kFile) return " -r -F";
  if (kind == ValueKind::kFolder) return " -r -f -a '(__fish_complete_directories)'";
  return choices.empty() ? " -x" : fmt::format(" -x -a '{}'", fmt::join(choices, " "));
}

/// `start` is what every line of this command begins with.
std::string fish_options(const CommandSpec& spec, const std::string& start) {
  std::string text;
  for (const OptionSpec& option : spec.options) {
    std::string names;
    if (option.names.find(',') != std::string_view::npos) names = fmt::format(" -s {}", option.names[1]);
    names += fmt::format(" -l {}", option.key().substr(2));
    text += fmt::format("{}{}{} -d '{}'\n", start, names,
                        option.is_flag() ? std::string(" -f") : fish_value(option.kind, option.choices),
                        fish_quoted(option.help));
  }
  if (spec.positional.kind == ValueKind::kChoice) {
    text += fmt::format("{} -f -a '{}'\n", start, fmt::join(spec.positional.choices, " "));
  }
  return text;
}

std::string fish_script() {
  std::string text = "# fish completion for ttscope, ttmem, tt-memory-profiler and analyze_memory\n";
  for (const Command& command : all_commands()) {
    text += fmt::format("complete -c ttscope -n __fish_use_subcommand -f -a {} -d '{}'\n", command.name,
                        fish_quoted(command.spec().summary));
  }
  text += "complete -c ttscope -n __fish_use_subcommand -f -l help -l version\n";
  for (const Command& command : all_commands()) {
    text += fish_options(
        command.spec(), fmt::format("complete -c ttscope -n '__fish_seen_subcommand_from {}'", command.name));
  }
  for (const Command& command : ttmem_commands()) {
    text += fmt::format("complete -c ttmem -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        fish_quoted(command.spec().summary));
    text += fish_options(command.spec(),
                         fmt::format("complete -c ttmem -n '__fish_seen_subcommand_from {}'", command.name));
  }
  for (const Command& program : other_programs()) {
    text += fish_options(program.spec(), fmt::format("complete -c {}", program.name));
  }
  return text;
}

}  // namespace

std::string completion_script(std::string_view shell) {
  if (shell == "zsh") return zsh_script();
  return shell == "fish" ? fish_script() : bash_script();
}

}  // namespace ttscope::cli
