#include "cli/cmd_help.h"

#include <fmt/format.h>

#include "base/edit_distance.h"
#include "cli/commands.h"
#include "cli/help_text.h"
#include "cli/terminal.h"
#include "cli/version.h"

namespace ttscope::cli {

std::string overview_text() {
  std::string text =
      "ttscope: profiling toolkit for Tenstorrent accelerators\n"
      "\n"
      "Usage: ttscope COMMAND [arguments]\n"
      "       ttscope FILE...               opens whatever it is\n"
      "\n"
      "Commands:\n";
  for (const Command& command : all_commands())
    text += fmt::format("  {:<14}{}\n", command.name, command.spec().summary);
  text +=
      "\n"
      "Start with `ttscope demo`, or `ttscope FILE` on a file of your own.\n"
      "`ttscope help COMMAND` tells more; `ttscope --version` shows the version.\n"
      "\n"
      "The same program under other names:\n";
  for (const Command& program : other_programs()) {
    text += fmt::format("  {:<20}{}\n", program.name, program.spec().summary);
  }
  return text;
}

int print_version() { return answer(fmt::format("ttscope {}\n", version_text())); }

CommandSpec help_spec() {
  CommandSpec spec;
  spec.program = "ttscope help";
  spec.summary = "help on a command";
  spec.description = "Shows the help of a command, or the list of commands.";
  spec.positional = {"COMMAND", "", 0, 1, ValueKind::kCommand, {}};
  return spec;
}

int run_help(const ParsedArgs& args) {
  if (args.positionals.empty()) return answer(overview_text());
  const std::string& name = args.positionals.front();
  std::vector<std::string_view> names;
  for (const auto* list : {&all_commands(), &other_programs()}) {
    for (const Command& command : *list) {
      if (command.name == name) return answer(help_text(command.spec()));
      names.push_back(command.name);
    }
  }
  const std::string_view near = nearest_name(name, names);
  complain(fmt::format("no command {}{}", name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  return kUsage;
}

}  // namespace ttscope::cli
