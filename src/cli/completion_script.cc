#include "cli/completion_script.h"

#include <fmt/format.h>

#include "cli/commands.h"

namespace ttscope::cli {
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
