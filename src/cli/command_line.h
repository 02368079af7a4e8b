#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace ttscope::cli {

/// What the process returns; scripts rely on it.
enum ExitCode : int {
  kOk = 0,
  kFailed = 1,         ///< bad input, or an output that could not be written
  kUsage = 2,          ///< wrong command line
  kLimitExceeded = 3,  ///< the profile is fine but over a given limit
  kNothingFound = 4,   ///< the input is fine but holds nothing of what was asked for
};

/// A command that a signal ended returns this plus the signal's number, as shells say it.
inline constexpr int kSignalBase = 128;

/// What a value is, for help and shell completion.
enum class ValueKind { kText, kFile, kFolder, kChoice, kCommand };

/// One option of a command. A flag has no value name.
struct OptionSpec {
  std::string_view names;       ///< `-o,--output-file`; the last one is its key
  std::string_view value_name;  ///< `PATH`; empty for a flag
  std::string_view help;
  ValueKind kind = ValueKind::kText;
  std::vector<std::string_view> choices;
  std::string_view bare = {};  ///< of choices: the value where none follows; empty: one must
  bool repeats = false;        ///< given several times, its values are one list; else the last one counts

  std::string_view key() const { return names.substr(names.rfind(',') + 1); }
  bool is_flag() const { return value_name.empty(); }
};

/// The arguments that are not options.
struct PositionalSpec {
  std::string_view name;  ///< `LOG`
  std::string_view help;
  std::size_t min = 0;
  std::size_t max = 0;
  ValueKind kind = ValueKind::kFile;
  std::vector<std::string_view> choices;
  /// A command line of its own: from the first argument that is no option on, all is taken as typed.
  bool takes_rest = false;
};

/// Everything about the command line of a command; parsing, help and completion are made from it.
struct CommandSpec {
  std::string_view program;  ///< as typed: `ttscope mem`
  std::string_view summary;  ///< one line, for the list of commands
  std::string_view description;
  PositionalSpec positional;
  std::vector<OptionSpec> options;  ///< without --help
  std::string_view examples;        ///< shown at the end of the help
};

/// A parsed command line.
struct ParsedArgs {
  bool help_wanted = false;
  std::vector<std::string> positionals;
  std::map<std::string, std::string, std::less<>> values;  ///< by OptionSpec::key(); flags are present or not
  std::map<std::string, std::vector<std::string>, std::less<>> lists;  ///< the values of options that repeat

  bool has(std::string_view key) const { return values.find(key) != values.end(); }
  std::string value(std::string_view key, std::string_view otherwise = {}) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string(otherwise) : found->second;
  }
  /// What an option that repeats was given, one by one: a path may hold a comma.
  std::vector<std::string> list(std::string_view key) const {
    const auto found = lists.find(key);
    return found == lists.end() ? std::vector<std::string>() : found->second;
  }
};

/// A command: its description and its work.
struct Command {
  std::string_view name;
  CommandSpec (*spec)();
  int (*run)(const ParsedArgs& args);
  /// Instead of `run`: for a program that reads its command line itself, as the one it stands in for does.
  int (*run_unparsed)(const std::vector<std::string>& args) = nullptr;
};

/// Reads a command line; the error is what is wrong with it, for the user. `--help` wins over everything that
/// is missing.
tl::expected<ParsedArgs, std::string> parse_args(const CommandSpec& spec,
                                                 const std::vector<std::string>& args);

/// `Usage: ttscope mem LOG... [options]`
std::string usage_line(const CommandSpec& spec);
/// The whole help of a command, at most 80 columns wide.
std::string help_text(const CommandSpec& spec);

/// The script for bash, zsh or fish, made from the descriptions of all commands.
std::string completion_script(std::string_view shell);

}  // namespace ttscope::cli
