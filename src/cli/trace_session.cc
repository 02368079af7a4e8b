#include "cli/trace_session.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/trace/profiled_python.h"
#include "base/number_text.h"
#include "capture/profiler_variables.h"
#include "capture/program_path.h"
#include "cli/environment.h"
#include "cli/option_values.h"
#include "cli/run_terminal.h"
#include "cli/serve_address.h"
#include "cli/serve_settings.h"
#include "cli/terminal.h"
#include "cli/version.h"

namespace ttscope::cli {
namespace {

std::string own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

app::PythonStandins own_standins() { return app::find_standins(own_program(), TTSCOPE_STANDINS_FROM_BINDIR); }

app::LivePageRequest live_request(std::uint16_t port) {
  app::LivePageRequest live;
  live.port = port;
  live.tool_version = version_text();
  live.settings = serve_settings;
  live.tell_place = [](const app::LivePagePlace& place) {
    say(fmt::format("Live page: {}\nFrom another computer: {}\n",
                    page_address(place.socket, place.token, place.path), tunnel_command(place.socket)));
  };
  return live;
}

}  // namespace

app::TraceRequest trace_request(const ParsedArgs& args, capture::TracePlan plan) {
  app::TraceRequest request;
  request.folders =
      capture::trace_folders(args.value("--output-folder"), plan.environment, std::time(nullptr));
  request.plan = std::move(plan);
  request.words = args.positionals;
  request.is_module = args.has("--module");
  request.of_marked_parts = args.has("--partial");
  request.of_lines = args.has("--lines");
  request.makes_report = args.has("--report");
  request.needs_success = args.has("--check-exit-code");
  request.is_quiet = args.has("--quiet");
  request.is_verbose = args.has("--verbose");
  request.uses_tools = !args.has("--no-capture-tool");
  request.tools_folder = args.value("--tracy-tools-folder");
  request.report_name = args.value("--name-append");
  request.child_functions = comma_separated(args.value("--child-functions"));
  request.analyses = comma_separated(args.value("--device-analysis-types"));
  request.own_program = own_program();
  request.standins = own_standins();
  return request;
}

Result<std::uint16_t> live_port(const ParsedArgs& args, const std::vector<std::string>& environment) {
  const auto by_hand = capture::value_in(environment, "TRACY_WASM_HTTP_PORT");
  const std::string given = args.value("--web-app-port", by_hand.value_or(""));
  if (given.empty()) return 0;
  const std::optional<std::int64_t> number = parse_whole(given);
  if (number && *number >= 1 && *number <= 65534) return static_cast<std::uint16_t>(*number);
  return failure(bad_input(fmt::format("--web-app-port {}: expected a port, 1 to 65534", given)));
}

int trace_program(const ParsedArgs& args) {
  const capture::TraceOptions options(args.values.begin(), args.values.end());
  Result<capture::TracePlan> plan = capture::plan_trace(options, own_environment());
  if (!plan) {
    complain(plan.error().message);
    return kUsage;
  }
  for (const std::string& note : plan->notes) complain(note);
  app::TraceRequest request = trace_request(args, std::move(*plan));
  if (args.has("--live")) {
    const Result<std::uint16_t> port = live_port(args, request.plan.environment);
    if (!port) {
      complain(port.error().message);
      return kUsage;
    }
    request.live = live_request(*port);
  }
  fill_standard_descriptors();
  RunTerminal terminal(false);
  const app::TraceOutcome outcome = args.has("--process-logs-only") ? app::report_trace(request, terminal)
                                                                    : app::trace_program(request, terminal);
  if (!outcome.error) return outcome.exit_code;
  const int code = fail(*outcome.error);
  return outcome.is_usage_problem ? static_cast<int>(kUsage) : code;
}

int print_trace_environment() {
  const Result<std::string> commands = app::opt_in_commands(own_standins(), own_program(), own_environment());
  if (!commands) {
    complain(commands.error().message);
    return capture::kOwnFailure;
  }
  return answer(*commands);
}

}  // namespace ttscope::cli
