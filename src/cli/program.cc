#include "cli/program.h"

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "cli/cmd_help.h"
#include "cli/commands.h"
#include "cli/open_anything.h"
#include "cli/terminal.h"

namespace ttscope::cli {
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
