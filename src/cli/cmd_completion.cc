#include "cli/cmd_completion.h"

#include "cli/completion_script.h"
#include "cli/terminal.h"

namespace ttscope::cli {

CommandSpec completion_spec() {
  CommandSpec spec;
  spec.program = "ttscope completion";
  spec.summary = "completion script for bash, zsh or fish";
  spec.description = "Prints a script that completes commands, options and files in your shell.";
  spec.positional = {"SHELL", "bash, zsh or fish", 1, 1, ValueKind::kChoice, {"bash", "zsh", "fish"}};
  spec.examples =
      "Examples:\n"
      "  source <(ttscope completion bash)\n"
      "  ttscope completion zsh > \"${fpath[1]}/_ttscope\"\n"
      "  ttscope completion fish > ~/.config/fish/completions/ttscope.fish\n";
  return spec;
}

int run_completion(const ParsedArgs& args) { return answer(completion_script(args.positionals.front())); }

}  // namespace ttscope::cli
