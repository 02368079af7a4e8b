#include "cli/cmd_serve.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "app/identify.h"
#include "app/report_library.h"
#include "app/run_report.h"
#include "app/served_places.h"
#include "app/timeline/open_timeline.h"
#include "app/timeline/timeline_windows.h"
#include "base/private_files.h"
#include "base/text_escape.h"
#include "cli/environment.h"
#include "cli/given_inputs.h"
#include "cli/limits.h"
#include "cli/serve_address.h"
#include "cli/serve_settings.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "serve/child_process.h"
#include "serve/http_server.h"
#include "serve/listen_socket.h"
#include "serve/request_checks.h"
#include "timeline/write/terminal/timeline_words.h"

namespace ttscope::cli {
namespace {

constexpr std::uint16_t kFirstPort = 8000;
constexpr unsigned kPortsToTry = 100;
constexpr std::string_view kUploadLimit = "4GiB";

/// `8000` means that port, `8000+` the next free one from there on, `0` any.
std::optional<serve::ListenRequest> listen_request(const ParsedArgs& args) {
  serve::ListenRequest request;
  request.host = args.value("--host", "127.0.0.1");
  request.port = kFirstPort;
  request.attempts = kPortsToTry;
  if (!args.has("--port")) return request;
  std::string text = args.value("--port");
  request.attempts = 1;
  if (!text.empty() && text.back() == '+') {
    request.attempts = kPortsToTry;
    text.pop_back();
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), request.port);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return request;
}

/// Waits for the signal that ends the server; other threads do the work.
class StopSignal {
 public:
  StopSignal() : relay_([this](int) { stop(); }) {}
  void wait() {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stopped_; });
  }

 private:
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    wake_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopped_ = false;
  SignalRelay relay_;
};

/// Many clients need many descriptors; the usual 1024 are a soft limit that a program may raise.
void raise_descriptor_limit() {
  constexpr rlim_t kWanted = 4096;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= kWanted) return;
  files.rlim_cur = files.rlim_max == RLIM_INFINITY ? kWanted : std::min(kWanted, files.rlim_max);
  setrlimit(RLIMIT_NOFILE, &files);
}

/// Children work in another folder.
std::string whole_path(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
  return ignored ? path : whole.string();
}

/// A memory report, or the page of whatever `ttscope FILE` makes of it. What it is told only in children: a
/// file that shrinks while it is looked at ends them alone.
Result<void> profile_in_child(const serve::HandedFiles& handed, const std::string& base,
                              const std::function<bool()>& is_stopping) {
  const std::string& name = handed.paths().front();
  const std::string log = name.starts_with('-') ? "./" + name : name;
  Result<void> memory = serve::run_child(
      {"/proc/self/exe", "tt-memory-profiler", "--analyze", log, "--output-dir", whole_path(base)}, handed,
      is_stopping);
  if (memory || is_stopping()) return memory;
  const auto write_page = [&](const std::string& folder,
                              const std::string& report) -> Result<std::vector<std::string>> {
    const std::string page = app::page_path(folder, report);
    const Result<void> written =
        serve::run_child({"/proc/self/exe", "ttscope", log, "-q", "--html", page}, handed, is_stopping);
    if (!written) return failure(written.error());
    return std::vector<std::string>{page};
  };
  const app::ReportPlace place{whole_path(base), handed.folder() + "/" + name};
  return app::write_report_folder(place, write_page) ? Result<void>() : memory;
}

/// The page of a comparison as a report of its own.
Result<void> compare_in_child(const serve::HandedFiles& handed, const std::vector<std::string>& inputs,
                              const std::string& name, const std::string& base,
                              const std::function<bool()>& is_stopping) {
  const auto write_page = [&](const std::string& folder,
                              const std::string& report) -> Result<std::vector<std::string>> {
    const std::string page = app::page_path(folder, report);
    const Result<void> written =
        serve::run_child({"/proc/self/exe", "ttscope", "diff", inputs[0], inputs[1], "-q", "--html", page},
                         handed, is_stopping, kLimitExceeded);
    if (!written) return failure(written.error());
    return std::vector<std::string>{page};
  };
  // What stands behind the last dot of a name is taken for the ending of a file.
  const Result<app::ReportFolder> made =
      app::write_report_folder({whole_path(base), name + ".diff"}, write_page);
  return made ? Result<void>() : failure(made.error());
}

/// Before anything is served: what cannot be read is said at once.
Result<void> open_served_timeline(const std::vector<std::string>& given, serve::ServeSettings& settings) {
  const Result<std::vector<std::string>> paths = hold_streams(given);
  if (!paths) return failure(paths.error());
  app::TimelineOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  Result<timeline::Profile> profile = app::open_timeline(*paths, options);
  if (!profile) return failure(profile.error());
  if (!profile->timeline.has_content()) return failure(nothing_found(timeline::nothing_words(*paths)));
  Result<serve::ServedTimeline> served = app::served_timeline(std::move(*profile), version_text());
  if (!served) return failure(served.error());
  settings.timeline = std::make_shared<const serve::ServedTimeline>(std::move(*served));
  return {};
}

std::string start_text(const serve::ListenSocket& socket, const std::string& address,
                       const serve::Library& library) {
  std::string text = fmt::format("Serving {} {}\n  {}\n\n", library.reports.size(),
                                 library.reports.size() == 1 ? "report" : "reports", address);
  if (socket.is_loopback || socket.is_any) {
    text += fmt::format("From another computer, run there\n  {}\nand open the same address.\n\n",
                        tunnel_command(socket));
  }
  return text + "Ctrl-C stops.\n";
}

void warn_of_network(const serve::ListenSocket& socket) {
  if (socket.is_loopback) return;
  complain(
      fmt::format("warning: {} is reachable from the network, and nothing is encrypted: whoever sees the "
                  "address can read the "
                  "reports and upload logs. The ssh line below needs no --host.",
                  socket.is_any ? "every address of this machine" : socket.address));
}

Result<void> serve_until_stopped(app::ServePlaces places, const ParsedArgs& args,
                                 const serve::ListenRequest& request) {
  StopSignal stop;
  const PrivateFiles keeps_private;
  Result<serve::ListenSocket> socket = serve::open_listen_socket(request);
  if (!socket) return failure(socket.error());
  Result<std::string> token = serve::new_token();
  if (!token) return failure(token.error());
  serve::ServiceOptions options;
  options.settings = serve_settings(*socket, request.host, *token);
  options.report_base = places.report_base;
  options.first_logs = std::move(places.logs);
  options.profile = profile_in_child;
  options.compare = compare_in_child;
  options.settings.can_compare = !options.report_base.empty();
  options.is_profile = app::is_profile_by_beginning;
  const std::optional<LimitValue> limit = parse_limit(args.value("--max-upload", kUploadLimit));
  if (!options.report_base.empty())
    options.settings.upload_limit_bytes = static_cast<std::uint64_t>(limit->bytes);
  if (args.has("--timeline")) {
    if (Result<void> opened = open_served_timeline(args.list("--timeline"), options.settings); !opened)
      return opened;
  }
  serve::LibraryService service(std::move(places.places), std::move(options));
  warn_of_network(*socket);
  const bool shows_timeline = args.has("--timeline");
  const std::string path = shows_timeline ? "timeline/"
                           : places.shown_report.empty()
                               ? ""
                               : fmt::format("reports/{}/", serve::url_encoded(places.shown_report));
  const std::string address = page_address(*socket, *token, path);
  const std::string text = start_text(*socket, address, *service.library());
  const Result<std::unique_ptr<serve::HttpServer>> server =
      serve::HttpServer::start(std::move(socket->descriptor), service);
  if (!server) return failure(server.error());
  if (Result<void> printed = print(text); !printed) return printed;
  std::unique_ptr<BrowserPage> shown;
  if (args.has("--open") && !(shown = BrowserPage::open(address, keeps_private.mask_before())))
    complain("no browser to open; use the address above");
  stop.wait();
  return {};
}

int run(Result<app::ServePlaces> places, const ParsedArgs& args) {
  const std::optional<serve::ListenRequest> request = listen_request(args);
  if (!request || request->host.empty()) {
    complain(request ? "--host needs an address"
                     : "--port takes a number up to 65535, or one with a + behind it");
    return kUsage;
  }
  const std::optional<LimitValue> limit = parse_limit(args.value("--max-upload", kUploadLimit));
  if (!limit || limit->fraction >= 0 || limit->bytes < 0) {
    complain("--max-upload takes bytes: 4GiB, 500MB, 0 for no upload");
    return kUsage;
  }
  if (!places) {  // nothing can be served, for whatever reason
    complain(places.error().message);
    return kFailed;
  }
  raise_descriptor_limit();
  const Result<void> served = serve_until_stopped(std::move(*places), args, *request);
  if (served) {
    say("Server stopped.\n");
    return kOk;
  }
  return fail(served.error());
}

std::vector<OptionSpec> serve_options() {
  return {
      {"--port",
       "PORT",
       "listen there; 8000+ takes the next free port from 8000 on (default), 0 any",
       ValueKind::kText,
       {}},
      {"--host",
       "ADDRESS",
       "listen on this address instead of 127.0.0.1; others can then reach the reports",
       ValueKind::kText,
       {}},
      {"--open", "", "show the page in the browser", ValueKind::kText, {}},
      {"--timeline",
       "PATH",
       "show the timeline of this capture or folder of the profiler, of any size: the page asks for what it "
       "shows; again for each further file of it (a runtime log, another host)",
       ValueKind::kFile,
       {},
       {},
       true},
      {"--max-upload",
       "SIZE",
       "largest log that may be dropped onto the page (default 4GiB); 0: none",
       ValueKind::kText,
       {}},
  };
}

constexpr std::string_view kServeExamples =
    "Examples:\n"
    "  ttscope serve\n"
    "  ttscope serve ./logs --open\n"
    "  ttscope serve run_profile.log\n"
    "  ttscope serve --timeline generated/profiler --open\n"
    "  ttscope serve --timeline generated/profiler --timeline run.log\n"
    "\n"
    "Exit codes: 0 stopped by Ctrl-C, 1 failed, 2 wrong usage\n";

}  // namespace

CommandSpec serve_spec() {
  CommandSpec spec;
  spec.program = "ttscope serve";
  spec.summary = "the library of reports as a page in the browser";
  spec.description =
      "Serves the reports in the given folders, or in the library of reports ($TTMEM_HOME/reports or "
      "~/.ttmem/reports), on this machine only and under an address with a random token. Logs that are "
      "dropped onto "
      "the page or added to a served folder are profiled and appear by themselves. Prints the address, and "
      "the ssh "
      "command for another computer.";
  spec.positional = {
      "PATH", "folder of reports, report page, or log to be profiled", 0, 1000, ValueKind::kFile, {}};
  spec.options = serve_options();
  spec.examples = kServeExamples;
  return spec;
}

int run_serve(const ParsedArgs& args) {
  return run(app::find_places(args.positionals, own_environment()), args);
}

CommandSpec ttmem_serve_spec() {
  CommandSpec spec = serve_spec();
  spec.program = "ttmem serve";
  spec.summary = "serve the library of reports, or open one report of it";
  spec.positional = {
      "NAME", "report of the library, as `ttmem list` shows it; or a path", 0, 1, ValueKind::kFile, {}};
  spec.examples =
      "Examples:\n"
      "  ttmem serve\n"
      "  ttmem serve my-model --open\n"
      "\n"
      "Exit codes: 0 stopped by Ctrl-C, 1 failed, 2 wrong usage\n";
  return spec;
}

int run_ttmem_serve(const ParsedArgs& args) {
  return run(app::find_report_place(args.positionals, own_environment()), args);
}

int serve_library(const std::string& report) {
  ParsedArgs args;
  if (!report.empty()) args.positionals = {report};
  return run_ttmem_serve(args);
}

}  // namespace ttscope::cli
