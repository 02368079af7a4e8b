#include "cli/cmd_run.h"

#include <fmt/format.h>

#include <utility>

#include "app/report_name.h"
#include "app/run_folder.h"
#include "cli/capture_session.h"
#include "cli/terminal.h"

namespace ttscope::cli {

CommandSpec run_spec() {
  CommandSpec spec;
  spec.program = "ttscope run";
  spec.summary = "run a program, keep its log, report on its memory";
  spec.description =
      "Runs any program (python, pytest, torchrun, mpirun, a binary) with the variables that make the log "
      "useful, shows its output as it comes and writes ./logs/NAME_YYYYMMDD_HHMMSS/ with NAME_profile.log "
      "and "
      "the report. No shell is in between: arguments arrive as typed. On a terminal a status line shows ops, "
      "DRAM and L1 against capacity, growth and the current program.";
  spec.positional = {
      "CMD", "the program and its arguments, after `--` or the options", 1, 1000000, ValueKind::kFile, {},
      true};
  spec.options = {
      {"--name",
       "NAME",
       "how the files begin (default: from the Python file or program)",
       ValueKind::kText,
       {}},
      {"--output-dir", "DIR", "the folder of runs (default: ./logs)", ValueKind::kFolder, {}},
      {"--log", "", "capture only, no report", ValueKind::kText, {}},
      {"--compress", "", "write the log as zstd: NAME_profile.log.zst", ValueKind::kText, {}},
      {"--no-library", "", "do not keep the report in the library of reports too", ValueKind::kText, {}},
      {"-q,--quiet", "", "no status line and no summary: problems only", ValueKind::kText, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope run -- python model.py --batch 8\n"
      "  ttscope run --name vit -- pytest -svv tests/test_vit.py\n"
      "  ttscope run --compress -- mpirun --tag-output -n 2 python model.py\n"
      "\n"
      "Exit codes: that of the program (128 + N after signal N); 2 wrong usage,\n"
      "125 our part failed, 126 it cannot be started, 127 it was not found\n";
  return spec;
}

int run_run(const ParsedArgs& args) {
  app::CaptureRequest request =
      capture_request(args, args.positionals, app::name_of_command(args.positionals));
  if (!app::is_plain_name(request.name)) {
    complain(fmt::format("--name {}: expected a plain file name", request.name));
    return kUsage;
  }
  if (args.has("--output-dir") && request.base.empty()) {
    complain("--output-dir needs a folder");
    return kUsage;
  }
  return capture_command(std::move(request)).exit_code;
}

}  // namespace ttscope::cli
