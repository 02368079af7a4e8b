// Declared in flows.h, as all flows of the menu are.
#include <fmt/format.h>

#include <csignal>

#include "base/shell_text.h"
#include "cli/cmd_serve.h"
#include "cli/menu/flows.h"
#include "cli/signals.h"
#include "cli/terminal.h"

namespace ttscope::cli {

int serve_report(const std::string& report, bool open_browser) {
  ParsedArgs args;
  args.positionals = {report};
  if (open_browser) args.values["--open"] = "";
  const int code = run_ttmem_serve(args);
  // Ctrl-C is meant for the server, other signals for the program.
  const int signal_number = last_relayed_signal();
  return code == kOk && signal_number != 0 && signal_number != SIGINT ? 128 + signal_number : code;
}

Flow offer_to_serve(Ui& ui, const std::string& report) {
  const std::optional<bool> wanted = ui.confirm({"Serve the report now, to look at it in a browser?", true});
  if (ui.has_ended()) return std::nullopt;
  if (wanted.value_or(false)) return serve_report(report, false);
  const Result<void> printed = print(fmt::format("Later: {}\n", shell_command({"ttmem", "serve", report})));
  return printed ? kOk : kFailed;
}

}  // namespace ttscope::cli
