#include "cli/capture_session.h"

#include <utility>

#include "cli/environment.h"
#include "cli/page_options.h"
#include "cli/profile_run.h"
#include "cli/run_terminal.h"

namespace ttscope::cli {

app::CaptureRequest capture_request(const ParsedArgs& args, std::vector<std::string> command,
                                    const std::string& usual_name) {
  app::CaptureRequest request;
  request.command = std::move(command);
  request.name = args.value("--name", usual_name);
  request.base = args.value("--output-dir");
  request.log_only = args.has("--log");
  request.compress = args.has("--compress");
  request.quiet = args.has("--quiet");
  request.keep_in_library = !args.has("--no-library");
  return request;
}

app::CaptureOutcome capture_command(app::CaptureRequest request) {
  fill_standard_descriptors();
  request.environment = own_environment();
  request.read_log = [](const std::string& path) { return profile_logs({path}, {.live_totals = true}); };
  request.page_options = [](const std::string& name) { return page_options(name); };
  RunTerminal terminal(!request.quiet);
  return app::capture_command(request, terminal);
}

}  // namespace ttscope::cli
