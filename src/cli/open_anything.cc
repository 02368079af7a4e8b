#include "cli/open_anything.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/open.h"
#include "cli/arg_parser.h"
#include "cli/commands.h"
#include "cli/given_inputs.h"
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

/// Whether all files are of one subject, with the pipes among the arguments made files. Arguments that cannot
/// be parsed are left to the command.
Result<void> check_files(const Command& command, std::vector<std::string>& args) {
  const auto parsed = parse_args(command.spec(), args);
  if (!parsed || parsed->help_wanted || parsed->positionals.size() == 1) return {};
  Result<std::vector<std::string>> held = hold_streams(parsed->positionals);
  if (!held) return failure(held.error());
  for (std::size_t i = 0; i < held->size(); ++i) {
    std::replace(args.begin(), args.end(), parsed->positionals[i], (*held)[i]);
  }
  const Result<app::Subject> subject = app::subject_of(*held);
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
  const Result<std::vector<std::string>> held = hold_streams({first});
  if (!held) return fail(held.error());
  const Result<app::Subject> subject = app::subject_of(*held);
  if (!subject) return fail(subject.error());
  const Command* command = find_command(app::name_of(*subject));
  std::vector<std::string> given = args;
  given.front() = held->front();
  if (const Result<void> checked = check_files(*command, given); !checked) return fail(checked.error());
  if (*subject == app::Subject::kPerf && !has_options(args)) given.emplace_back("--table");
  return run_command(*command, given);
}

}  // namespace ttscope::cli
