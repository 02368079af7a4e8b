#include "cli/cmd_doctor.h"

#include "app/doctor_text.h"
#include "cli/environment.h"
#include "cli/terminal.h"
#include "cli/version.h"

namespace ttscope::cli {

CommandSpec doctor_spec() {
  CommandSpec spec;
  spec.program = "ttscope doctor";
  spec.summary = "what a run in this environment will produce";
  spec.description =
      "Looks at the variables, the TT-XLA installation (is it there, built with TT_RUNTIME_DEBUG, new enough "
      "to need "
      "no source edit), the devices and the room on disk, and says which lines a log will hold and how to "
      "get the "
      "missing ones. For ttscope trace: the capture tools, every variable of the profiler with what follows "
      "from it, what "
      "excludes each other, and whether the last run fitted.";
  spec.options = {
      {"--json", "", "print it as JSON (ttscope.doctor/1)", ValueKind::kText, {}},
      {"--llm", "", "print it as markdown", ValueKind::kText, {}},
      {"--tt-xla", "DIR", "a TT-XLA package, build folder or checkout to look at", ValueKind::kFolder, {}},
      {"--output-dir", "DIR", "where runs will be kept (default: ./logs)", ValueKind::kFolder, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope doctor\n"
      "  ttscope doctor --tt-xla ~/tt-xla --json\n"
      "\n"
      "Exit codes: 0 nothing stands in the way, 1 a problem was found, 2 wrong usage\n";
  return spec;
}

int run_doctor(const ParsedArgs& args) {
  if (args.has("--json") && args.has("--llm")) {
    complain("choose one of --json and --llm");
    return kUsage;
  }
  const app::Diagnosis diagnosis =
      app::diagnose({args.value("--tt-xla"), args.value("--output-dir", "logs"), own_environment()});
  const std::string text = args.has("--json") ? app::doctor_json(diagnosis, version_text())
                           : args.has("--llm")
                               ? app::doctor_markdown(diagnosis)
                               : app::doctor_text(diagnosis, use_color("auto", Stream::kOut),
                                                  static_cast<std::size_t>(terminal_width(Stream::kOut)));
  if (const Result<void> printed = print(text); !printed) {
    return fail(printed.error());
  }
  return diagnosis.has_problem() ? kFailed : kOk;
}

}  // namespace ttscope::cli
