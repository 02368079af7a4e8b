#include "cli/cmd_agents.h"

#include "cli/terminal.h"

namespace ttscope::cli {

/// docs/agents.md, put into the program by the build.
std::string_view agents_text();

CommandSpec agents_spec() {
  CommandSpec spec;
  spec.program = "ttscope agents";
  spec.summary = "instructions for language models that use ttscope";
  spec.description =
      "Prints docs/agents.md: which command answers which question, what the metrics mean, and their "
      "targets.";
  return spec;
}

int run_agents(const ParsedArgs&) { return answer(agents_text()); }

}  // namespace ttscope::cli
