#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/open.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/inputs.h"
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
  ASSIGN_OR_RETURN(std::vector<std::string> held, hold_streams(parsed->positionals));
  for (std::size_t i = 0; i < held.size(); ++i) {
    std::replace(args.begin(), args.end(), parsed->positionals[i], held[i]);
  }
  RETURN_IF_ERROR(app::subject_of(held));
  return {};
}

/// Whether a first argument that is no command is meant as a file: it is there, is `-`, or looks like a path.
bool looks_like_file(const std::string& argument) {
  if (argument == "-" || exists(argument)) return !argument.empty();
  return argument.front() != '-' && argument.find_first_of("./") != std::string::npos;
}

/// `ttscope FILE... [options]`: tells what the first file is and runs the command that reads it with all
/// arguments. Files of several subjects are an error. Device time is only shown: files of a report are
/// written where options ask for them.
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
  return command->run(given);
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> kCommands = {
      mem_command(),      oom_command(),   fit_command(),   phases_command(), perf_command(),
      timeline_command(), graph_command(), diff_command(),  gate_command(),   sql_command(),
      export_command(),   run_command(),   trace_command(), tail_command(),   doctor_command(),
      last_run_command(), serve_command(), demo_command(),  agents_command(), completion_command(),
      help_command(),
  };
  return kCommands;
}

const std::vector<Command>& other_programs() {
  static const std::vector<Command> kPrograms = {ttmem_command(), profiler_command(),
                                                 analyze_memory_command()};
  return kPrograms;
}

const std::vector<Command>& ttmem_commands() {
  static const std::vector<Command> kCommands = {list_command(), ttmem_serve_command(), delete_command(),
                                                 prune_command()};
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto& commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

namespace {

int unknown_command(const std::string& given) {
  std::vector<std::string_view> names;
  names.reserve(all_commands().size());
  for (const Command& command : all_commands()) names.push_back(command.name);
  if (given[0] == '-') names = {"--help", "--version"};
  std::string message = fmt::format("unknown {} {}", given[0] == '-' ? "option" : "command", given);
  const std::string_view near = nearest_name(given, names);
  if (!near.empty()) {
    message += fmt::format("; did you mean {}?", near);
  }
  complain(message);
  say("Try `ttscope --help`.\n");
  return kUsage;
}

int run_ttscope(const std::vector<std::string>& args) {
  if (args.empty()) {
    say(overview_text());
    return kUsage;
  }
  const std::string& first = args.front();
  if (first == "-h" || first == "--help") return answer(overview_text());
  if (first == "-V" || first == "--version") return print_version();
  const Command* command = first.empty() ? nullptr : find_command(first);
  if (command == nullptr && !first.empty() && looks_like_file(first)) return open_anything(args);
  if (command == nullptr) return unknown_command(first.empty() ? "''" : first);
  return command->run({args.begin() + 1, args.end()});
}

}  // namespace

int run_program(const std::string& name, const std::vector<std::string>& args) {
  set_arguments(args);
  const std::string base = name.substr(name.rfind('/') + 1);
  for (const Command& program : other_programs()) {
    if (program.name != base) continue;
    set_program_name(base);
    for (const Command& command : ttmem_commands()) {
      if (base == "ttmem" && !args.empty() && args.front() == command.name) {
        return command.run({args.begin() + 1, args.end()});
      }
    }
    return program.run(args);
  }
  return run_ttscope(args);
}

}  // namespace ttscope::cli
