#include "cli/capture_session.h"

#include "cli/environment.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/run_terminal.h"

namespace ttscope::cli {

app::CaptureOutcome capture_command(app::CaptureRequest request) {
  fill_standard_descriptors();
  request.environment = own_environment();
  request.read_log = [](const std::string& path) { return profile_logs({path}, {.live_totals = true}); };
  request.page_options = [](const std::string& name) { return page_options(name); };
  RunTerminal terminal(!request.quiet);
  return app::capture_command(request, terminal);
}

}  // namespace ttscope::cli
