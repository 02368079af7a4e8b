#pragma once

#include <cstddef>
#include <functional>
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

/// Puts a value of an option (empty for a flag) into the field that the option is bound to. Returns the
/// complaint about a wrong value, else nothing.
using TakeValue = std::function<std::string(std::string_view key, const std::string& value)>;

/// One option of a command, with the field that it fills; option_values.h and outputs.h make them. A flag has
/// no value name.
struct OptionSpec {
  std::string_view names;       ///< `-o,--output-file`; the last one is its key
  std::string_view value_name;  ///< `PATH`; empty for a flag
  std::string_view help;
  ValueKind kind = ValueKind::kText;
  std::vector<std::string_view> choices = {};
  std::string_view bare = {};  ///< of choices: the value where none follows; empty: one must
  bool repeats = false;        ///< given several times, each value is taken; else the last one counts
  TakeValue take = {};

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
  std::vector<std::string_view> choices = {};
  /// A command line of its own: from the first argument that is no option on, all is taken as typed.
  bool takes_rest = false;
};

/// As many arguments as the user likes.
inline constexpr std::size_t kManyArguments = 1000000;

/// The options that were given, by OptionSpec::key(); flags have an empty value.
using GivenOptions = std::map<std::string, std::string, std::less<>>;

/// Everything about the command line of a command; parsing, help and completion are made from it. It is bound
/// to the options of one run, which must outlive it.
struct CommandSpec {
  std::string_view program;  ///< as typed: `ttscope mem`
  std::string_view summary;  ///< one line, for the list of commands
  std::string_view description;
  PositionalSpec positional;
  std::vector<OptionSpec> options;  ///< without --help
  std::string_view examples;        ///< shown at the end of the help
  /// Where the arguments that are not options go, and the names of the options that were given; null:
  /// nowhere.
  std::vector<std::string>* arguments = nullptr;
  GivenOptions* given = nullptr;
};

/// A parsed command line.
struct ParsedArgs {
  bool help_wanted = false;
  std::vector<std::string> positionals;
  GivenOptions values;
  std::map<std::string, std::vector<std::string>, std::less<>> lists;  ///< the values of options that repeat

  bool has(std::string_view key) const { return values.find(key) != values.end(); }
  std::string value(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? std::string() : found->second;
  }
};

/// A command: its description, and what it does with a command line; returns the exit code.
struct Command {
  std::string_view name;
  std::function<CommandSpec()> spec;
  std::function<int(const std::vector<std::string>& args)> run;
};

/// Reads a command line; the error is what is wrong with it, for the user. `--help` wins over everything that
/// is missing.
tl::expected<ParsedArgs, std::string> parse_args(const CommandSpec& spec,
                                                 const std::vector<std::string>& args);

/// Puts what was parsed into the fields of the options, in their order. Returns the complaint about the first
/// wrong value, else nothing.
std::string take_values(const CommandSpec& spec, ParsedArgs parsed);

/// Parses, and runs if there is something to run: help and usage errors are dealt with here.
int run_parsed(const CommandSpec& spec, const std::vector<std::string>& args,
               const std::function<int()>& run);

/// The command that `describe` binds to its options and `run` carries out.
template <typename Options>
Command make_command(std::string_view name, CommandSpec (*describe)(Options&), int (*run)(Options&)) {
  return {name,
          [describe] {
            Options unused;
            return describe(unused);
          },
          [describe, run](const std::vector<std::string>& args) {
            Options options;
            return run_parsed(describe(options), args, [&] { return run(options); });
          }};
}

/// `Usage: ttscope mem LOG... [options]`
std::string usage_line(const CommandSpec& spec);
/// The whole help of a command, at most 80 columns wide.
std::string help_text(const CommandSpec& spec);

/// The script for bash, zsh or fish, made from the descriptions of all commands.
std::string completion_script(std::string_view shell);

}  // namespace ttscope::cli
