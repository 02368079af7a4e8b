#include "cli/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/open.h"
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
  Result<std::vector<std::string>> held = hold_streams(parsed->positionals);
  if (!held) return failure(held.error());
  for (std::size_t i = 0; i < held->size(); ++i) {
    std::replace(args.begin(), args.end(), parsed->positionals[i], (*held)[i]);
  }
  const Result<app::Subject> subject = app::subject_of(*held);
  if (!subject) return failure(subject.error());
  return {};
}

/// Whether a first argument that is no command is meant as a file: it is there, is `-`, or looks like a path.
bool is_meant_as_file(const std::string& argument) {
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
  return run_command(*command, given);
}

}  // namespace

const std::vector<Command>& all_commands() {
  static const std::vector<Command> kCommands = {
      {"mem", mem_spec, run_mem},          {"oom", oom_spec, run_oom},
      {"fit", fit_spec, run_fit},          {"phases", phases_spec, run_phases},
      {"perf", perf_spec, run_perf},       {"timeline", timeline_spec, run_timeline},
      {"graph", graph_spec, run_graph},    {"diff", diff_spec, run_diff},
      {"gate", gate_spec, run_gate},       {"sql", sql_spec, run_sql},
      {"export", export_spec, run_export}, {"run", run_spec, run_run},
      {"trace", trace_spec, run_trace},    {"tail", tail_spec, run_tail},
      {"doctor", doctor_spec, run_doctor}, {"last-run", last_run_spec, run_last_run},
      {"serve", serve_spec, run_serve},    {"demo", demo_spec, run_demo},
      {"agents", agents_spec, run_agents}, {"completion", completion_spec, run_completion},
      {"help", help_spec, run_help},
  };
  return kCommands;
}

const std::vector<Command>& other_programs() {
  static const std::vector<Command> kPrograms = {
      {"ttmem", ttmem_spec, run_ttmem},
      {"tt-memory-profiler", profiler_spec, run_profiler},
      {"analyze_memory", analyze_memory_spec, nullptr, run_analyze_memory},
  };
  return kPrograms;
}

const std::vector<Command>& ttmem_commands() {
  static const std::vector<Command> kCommands = {
      {"list", list_spec, run_list},
      {"serve", ttmem_serve_spec, run_ttmem_serve},
      {"delete", delete_spec, run_delete},
      {"prune", prune_spec, run_prune},
  };
  return kCommands;
}

const Command* find_command(std::string_view name) {
  const auto& commands = all_commands();
  const auto found = std::find_if(commands.begin(), commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  return found == commands.end() ? nullptr : &*found;
}

int run_command(const Command& command, const std::vector<std::string>& args) {
  if (command.run_unparsed != nullptr) return command.run_unparsed(args);
  const CommandSpec spec = command.spec();
  const auto parsed = parse_args(spec, args);
  if (!parsed) {
    complain(parsed.error());
    say(fmt::format("{}Try `{} --help`.\n", usage_line(spec), spec.program));
    return kUsage;
  }
  if (parsed->help_wanted) return answer(help_text(spec));
  return command.run(*parsed);
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
  if (command == nullptr && !first.empty() && is_meant_as_file(first)) return open_anything(args);
  if (command == nullptr) return unknown_command(first.empty() ? "''" : first);
  return run_command(*command, {args.begin() + 1, args.end()});
}

}  // namespace

int run_program(const std::string& name, const std::vector<std::string>& args) {
  const std::string base = name.substr(name.rfind('/') + 1);
  for (const Command& program : other_programs()) {
    if (program.name != base) continue;
    set_program_name(base);
    for (const Command& command : ttmem_commands()) {
      if (base == "ttmem" && !args.empty() && args.front() == command.name) {
        return run_command(command, {args.begin() + 1, args.end()});
      }
    }
    return run_command(program, args);
  }
  return run_ttscope(args);
}

}  // namespace ttscope::cli
