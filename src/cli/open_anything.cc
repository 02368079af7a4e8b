#include "cli/open_anything.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/open.h"
#include "cli/arg_parser.h"
#include "cli/commands.h"
#include "cli/open_profiles.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

bool exists(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

bool has_options(const std::vector<std::string>& args) {
  return std::any_of(args.begin(), args.end(),
                     [](const std::string& arg) { return arg.size() > 1 && arg.front() == '-'; });
}

/// Whether all files are of one subject. Arguments that cannot be parsed are left to the command.
Result<void> check_files(const Command& command, const std::vector<std::string>& args) {
  const auto parsed = parse_args(command.spec(), args);
  if (!parsed || parsed->help_wanted) return {};
  if (parsed->positionals.size() == 1) return {};
  if (Result<void> held = hold_standard_input(parsed->positionals); !held) return held;
  const Result<app::Subject> subject = app::subject_of(parsed->positionals);
  if (!subject) return failure(subject.error());
  return {};
}

}  // namespace

bool is_meant_as_file(const std::string& argument) {
  if (argument == "-" || exists(argument)) return !argument.empty();
  return argument.front() != '-' && argument.find_first_of("./") != std::string::npos;
}

int open_anything(const std::vector<std::string>& args) {
  const std::string& first = args.front();
  if (first != "-" && !exists(first)) {
    return fail(bad_input(fmt::format("{}: no such file or folder, and not a command", first)));
  }
  if (const Result<void> held = hold_standard_input({first}); !held) return fail(held.error());
  const Result<app::Subject> subject = app::subject_of({first});
  if (!subject) return fail(subject.error());
  const Command* command = find_command(app::name_of(*subject));
  if (const Result<void> checked = check_files(*command, args); !checked) return fail(checked.error());
  std::vector<std::string> given = args;
  if (*subject == app::Subject::kPerf && !has_options(args)) given.emplace_back("--table");
  return run_command(*command, given);
}

}  // namespace ttscope::cli
