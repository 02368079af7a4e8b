#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/report_library.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "base/writer.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/mem_profiles.h"
#include "cli/terminal.h"
#include "mem/write/json.h"
#include "mem/write/markdown.h"
#include "mem/write/page.h"
#include "mem/write/ttmem_files.h"

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

/// docs/agents.md, put into the program by the build.
std::string_view agents_text();

namespace {

/// Of commands that take no options.
struct NoOptions {};

struct HelpOptions {
  std::vector<std::string> commands;
};

CommandSpec describe_help(HelpOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope help";
  spec.summary = "help on a command";
  spec.description = "Shows the help of a command, or the list of commands.";
  spec.positional = {"COMMAND", "", 0, 1, ValueKind::kCommand};
  spec.arguments = &options.commands;
  return spec;
}

int run_help(HelpOptions& options) {
  if (options.commands.empty()) return answer(overview_text());
  const std::string& name = options.commands.front();
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

CommandSpec describe_agents(NoOptions&) {
  CommandSpec spec;
  spec.program = "ttscope agents";
  spec.summary = "instructions for language models that use ttscope";
  spec.description =
      "Prints docs/agents.md: which command answers which question, what the metrics mean, and their "
      "targets.";
  return spec;
}

int run_agents(NoOptions&) { return answer(agents_text()); }

struct CompletionOptions {
  std::vector<std::string> shells;
};

CommandSpec describe_completion(CompletionOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope completion";
  spec.summary = "completion script for bash, zsh or fish";
  spec.description = "Prints a script that completes commands, options and files in your shell.";
  spec.positional = {"SHELL", "bash, zsh or fish", 1, 1, ValueKind::kChoice, {"bash", "zsh", "fish"}};
  spec.arguments = &options.shells;
  spec.examples =
      "Examples:\n"
      "  source <(ttscope completion bash)\n"
      "  ttscope completion zsh > \"${fpath[1]}/_ttscope\"\n"
      "  ttscope completion fish > ~/.config/fish/completions/ttscope.fish\n";
  return spec;
}

int run_completion(CompletionOptions& options) { return answer(completion_script(options.shells.front())); }

namespace fs = std::filesystem;

constexpr std::string_view kSampleLog = "sample.log";
constexpr std::string_view kFailedLog = "sample_oom.log";
constexpr int kMaxFolders = 10000;

/// The sample logs: a given folder, beside the installed program, or in the source tree around a build.
Result<fs::path> examples_folder() {
  std::vector<fs::path> places;
  const char* given = std::getenv("TTSCOPE_DATA_DIR");
  if (given != nullptr && *given != '\0') {
    places = {given};
  } else {
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    places = {program / TTSCOPE_EXAMPLES_FROM_BINDIR, program / "../../examples"};
  }
  std::error_code ignored;
  for (const fs::path& place : places) {
    if (fs::exists(place / kSampleLog, ignored)) return place.lexically_normal();
  }
  return failure(
      bad_input(fmt::format("{}: no sample log here; set TTSCOPE_DATA_DIR to the folder that has {}",
                            places.front().lexically_normal().string(), kSampleLog)));
}

/// The first of ttscope-demo-1, ttscope-demo-2 ... that does not exist yet, made.
Result<TemporaryFolder> new_folder() {
  for (int number = 1; number < kMaxFolders; ++number) {
    const std::string name = fmt::format("ttscope-demo-{}", number);
    std::optional<TemporaryFolder> made = TemporaryFolder::make(name);
    if (made) return std::move(*made);
    const int reason = errno;
    if (reason != EEXIST) return failure(write_failed(fmt::format("{}: {}", name, std::strerror(reason))));
  }
  return failure(write_failed("too many ttscope-demo folders here"));
}

Result<void> write_demo(const mem::Profile& profile, const std::string& folder) {
  const auto files = mem::write_ttmem_files(profile.log, profile.memory, {folder, "sample"});
  if (!files) return failure(files.error());
  Result<void> written = write_file(folder + "/sample.json", [&](Writer& out) {
    mem::write_mem_json(profile.log, profile.memory, out, {.tool_version = version_text()});
  });
  if (!written) return written;
  written = write_file(folder + "/sample.md", [&](Writer& out) {
    mem::write_mem_markdown(profile.log, profile.memory, "sample", out);
  });
  if (!written) return written;
  return write_file(app::page_path(folder, "sample"),
                    [&](Writer& out) { mem::write_mem_page(profile, out, page_options("sample", profile)); });
}

std::string closing_text(const fs::path& examples, const std::string& folder) {
  const std::string log = (examples / kSampleLog).string();
  return fmt::format(
      "\n"
      "Written into {0}/\n"
      "  sample_report.html  the interactive page         (ttscope mem LOG --html PATH)\n"
      "  sample.json      everything above, for programs  (ttscope mem LOG --json PATH)\n"
      "  sample.md        the report for language models  (ttscope mem LOG --llm PATH)\n"
      "  sample_memory.json, sample_operations.json, sample_inputs_registry.json,\n"
      "  sample_ir.json   op by op                        (ttscope mem LOG --out DIR)\n"
      "\n"
      "Open the report page in a browser: {3}\n"
      "The log was {1}\n"
      "See also an out-of-memory run: ttscope mem {2}\n",
      folder, log, (examples / kFailedLog).string(),
      fs::absolute(app::page_path(folder, "sample")).lexically_normal().string());
}

Result<void> demonstrate() {
  ASSIGN_OR_RETURN(const fs::path examples, examples_folder());
  ASSIGN_OR_RETURN(const mem::Profile log,
                   profile_logs({(examples / kSampleLog).string()}, {.live_totals = true}));
  ASSIGN_OR_RETURN(TemporaryFolder folder, new_folder());
  const std::string path = folder.path();
  if (Result<void> written = write_demo(log, path); !written) return written;
  folder.release();
  return print(summary_text(log, "auto", kTopRows) + closing_text(examples, path));
}

CommandSpec describe_demo(NoOptions&) {
  CommandSpec spec;
  spec.program = "ttscope demo";
  spec.summary = "profile the sample log that comes with ttscope";
  spec.description =
      "Profiles the sample log, prints the summary and writes every output form into a new folder "
      "ttscope-demo-N.";
  return spec;
}

int run_demo(NoOptions&) {
  const Result<void> done = demonstrate();
  if (done) return kOk;
  return fail(done.error());
}

}  // namespace

Command help_command() { return make_command("help", describe_help, run_help); }

Command agents_command() { return make_command("agents", describe_agents, run_agents); }

Command completion_command() { return make_command("completion", describe_completion, run_completion); }

Command demo_command() { return make_command("demo", describe_demo, run_demo); }

}  // namespace ttscope::cli
