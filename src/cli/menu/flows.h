#pragma once

#include <optional>
#include <string>

#include "cli/menu/ui.h"

namespace ttscope::cli {

// The ways through the guided `ttmem`. Each returns the exit code of the program, or nothing: back to the
// menu.
using Flow = std::optional<int>;

/// Asks for a log, reports on it, and offers to serve the report.
Flow report_on_users_log(Ui& ui);

/// Asks for a script, runs it under capture, and offers to serve its report.
Flow run_users_script(Ui& ui);

/// Says how a log is made and what this machine has for it, then goes on as report_on_users_log.
Flow explain_logs(Ui& ui);

/// Lists the library: open, serve, delete.
Flow browse_reports(Ui& ui);

/// After a report (its name in the library, or a folder): asks whether to serve it, and does.
Flow offer_to_serve(Ui& ui, const std::string& report);

/// Serves until Ctrl-C. Returns the exit code: 128 and the signal's number after any other signal.
int serve_report(const std::string& report, bool open_browser);

}  // namespace ttscope::cli
