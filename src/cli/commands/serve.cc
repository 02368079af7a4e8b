#include "cli/commands/serve.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <system_error>
#include <thread>

#include "app/formats.h"
#include "app/report_library.h"
#include "app/timeline/open_timeline.h"
#include "app/timeline/windows.h"
#include "base/files.h"
#include "base/result.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/option_values.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "serve/http_server.h"
#include "serve/library_service.h"
#include "serve/request_checks.h"
#include "timeline/write/outputs.h"

namespace ttscope::cli {
namespace {

std::string user_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? std::string(entry->pw_name) : std::string(environment_value("USER"));
}

/// Only what cannot be mistaken for anything else by a shell.
bool is_safe_in_a_shell(const std::string& word) {
  for (const char c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("-._:").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !word.empty() && word[0] != '-';
}

/// How the user came here, as sshd says: client address and port, our address and port.
struct SshConnection {
  std::string address;
  std::string port = "22";
};

SshConnection ssh_connection() {
  std::istringstream words{std::string(environment_value("SSH_CONNECTION"))};
  SshConnection way;
  std::string client;
  std::string client_port;
  words >> client >> client_port >> way.address >> way.port;
  if (!is_safe_in_a_shell(way.address) || !is_safe_in_a_shell(way.port)) way = {machine_name(), "22"};
  return way;
}

std::string bracketed(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

/// Empty: there is none to be seen.
std::string browser_program() {
  const std::string own(environment_value("BROWSER"));
  if (!own.empty()) return own.substr(0, own.find(':'));
  const bool has_screen =
      !environment_value("DISPLAY").empty() || !environment_value("WAYLAND_DISPLAY").empty();
  return has_screen ? "xdg-open" : std::string();
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_browser(const char* program, char* const* arguments, int failure_pipe, mode_t mask) {
  // In a group of its own: Ctrl-C ends the server, not the browser. Signals that we block are not blocked
  // there.
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  umask(mask);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  execvp(program, arguments);
  const char failed = 1;
  (void)!write(failure_pipe, &failed, 1);
  _exit(127);
}

/// False when there is no such program.
bool start_browser(const std::string& program, const std::string& page, mode_t mask) {
  std::array<char*, 3> arguments = {const_cast<char*>(program.c_str()), const_cast<char*>(page.c_str()),
                                    nullptr};
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) become_browser(program.c_str(), arguments.data(), to.number(), mask);
  to = FileDescriptor();
  // It may end at once, having told another one, or stay as long as its window.
  std::thread([child] {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }).detach();
  char failed = 0;
  ssize_t got = 0;
  do {
    got = read(from.number(), &failed, 1);
  } while (got < 0 && errno == EINTR);
  return got == 0;
}

std::string reachable(const serve::ListenSocket& socket) {
  if (!socket.is_any) return socket.address;
  return socket.address == "::" ? "::1" : "127.0.0.1";
}

}  // namespace

std::string machine_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return is_safe_in_a_shell(name.data()) ? name.data() : std::string();
}

std::string page_address(const serve::ListenSocket& socket, const std::string& token,
                         const std::string& path) {
  return fmt::format("http://{}:{}/{}/{}", bracketed(reachable(socket)), socket.port, token, path);
}

std::string tunnel_command(const serve::ListenSocket& socket) {
  const SshConnection way = ssh_connection();
  const std::string user = user_name();
  const std::string host = way.address.empty() ? "HOST" : way.address;
  return fmt::format("ssh -N -L {0}:{1}:{0}{2} {3}{4}", socket.port, bracketed(reachable(socket)),
                     way.port == "22" ? "" : " -p " + way.port, is_safe_in_a_shell(user) ? user + "@" : "",
                     host);
}

std::unique_ptr<BrowserPage> BrowserPage::open(const std::string& address, mode_t mask) {
  const std::string program = browser_program();
  if (program.empty()) return nullptr;
  std::unique_ptr<BrowserPage> page(new BrowserPage);
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
  std::string folder = (base / "ttscope-open-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return nullptr;
  page->folder_ = folder;
  const std::string path = folder + "/open.html";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return nullptr;
  page->path_ = path;
  // A number, hexadecimal digits and names of reports that are encoded: nothing in it ends the attribute.
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0;url={0}\"><a href=\"{0}\">ttscope</a>\n",
      address);
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return is_written && start_browser(program, path, mask) ? std::move(page) : nullptr;
}

BrowserPage::~BrowserPage() {
  if (!path_.empty()) unlink(path_.c_str());
  if (!folder_.empty()) rmdir(folder_.c_str());
}

serve::ServeSettings serve_settings(const serve::ListenSocket& socket, const std::string& host,
                                    std::string token) {
  serve::ServeSettings settings;
  settings.token = std::move(token);
  settings.tool_version = version_text();
  settings.any_address = !socket.is_loopback;
  if (!socket.is_loopback) {
    for (std::string name : {host, machine_name()}) {
      std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
      settings.host_names.push_back(std::move(name));
    }
  }
  settings.library_page = std::make_shared<const std::string>(library_page());
  settings.library_policy = fmt::format(
      "default-src 'none'; script-src '{}'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      serve::script_hash_of(library_page()));
  settings.frame_page = std::make_shared<const std::string>(frame_page());
  settings.frame_policy = fmt::format(
      "default-src 'none'; script-src '{}'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; webrtc 'block'",
      serve::script_hash_of(frame_page()));
  return settings;
}

namespace {

constexpr std::uint16_t kFirstPort = 8000;
constexpr unsigned kPortsToTry = 100;
constexpr std::int64_t kUploadLimitBytes = std::int64_t{4} << 30;

struct ServeOptions {
  std::vector<std::string> paths;
  serve::ListenRequest listen = usual_listen_request();
  std::vector<std::string> timeline;  ///< files of the one that is shown; empty: none
  std::int64_t upload_limit_bytes = kUploadLimitBytes;
  bool opens_browser = false;

  static serve::ListenRequest usual_listen_request() {
    serve::ListenRequest request;
    request.host = "127.0.0.1";
    request.port = kFirstPort;
    request.attempts = kPortsToTry;
    return request;
  }
};

/// `8000` means that port, `8000+` the next free one from there on, `0` any.
std::string take_port(std::string text, serve::ListenRequest& request) {
  request.attempts = 1;
  if (!text.empty() && text.back() == '+') {
    request.attempts = kPortsToTry;
    text.pop_back();
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), request.port);
  const bool is_read = error == std::errc() && end == text.data() + text.size();
  return is_read ? "" : "--port takes a number up to 65535, or one with a + behind it";
}

std::string take_upload_limit(const std::string& text, std::int64_t& limit_bytes) {
  const std::optional<LimitValue> limit = parse_limit(text);
  if (!limit || limit->fraction >= 0 || limit->bytes < 0)
    return "--max-upload takes bytes: 4GiB, 500MB, 0 for no upload";
  limit_bytes = limit->bytes;
  return {};
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
    RETURN_IF_ERROR(
        serve::run_child({"/proc/self/exe", "ttscope", log, "-q", "--html", page}, handed, is_stopping));
    return std::vector<std::string>{page};
  };
  const app::ReportTarget place{whole_path(base), handed.folder() + "/" + name};
  return app::write_report_folder(place, write_page) ? Result<void>() : memory;
}

/// The page of a comparison as a report of its own.
Result<void> compare_in_child(const serve::HandedFiles& handed, const std::vector<std::string>& inputs,
                              const std::string& name, const std::string& base,
                              const std::function<bool()>& is_stopping) {
  const auto write_page = [&](const std::string& folder,
                              const std::string& report) -> Result<std::vector<std::string>> {
    const std::string page = app::page_path(folder, report);
    RETURN_IF_ERROR(
        serve::run_child({"/proc/self/exe", "ttscope", "diff", inputs[0], inputs[1], "-q", "--html", page},
                         handed, is_stopping, kLimitExceeded));
    return std::vector<std::string>{page};
  };
  // What stands behind the last dot of a name is taken for the ending of a file.
  const Result<app::ReportFolder> made =
      app::write_report_folder({whole_path(base), name + ".diff"}, write_page);
  return made ? Result<void>() : failure(made.error());
}

/// Before anything is served: what cannot be read is said at once.
Result<void> open_served_timeline(const std::vector<std::string>& given, serve::ServeSettings& settings) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, hold_streams(given));
  app::TimelineOptions options;
  options.threads = std::max(1u, std::thread::hardware_concurrency());
  ASSIGN_OR_RETURN(timeline::Profile profile, app::open_timeline(paths, options));
  if (!profile.timeline.has_content()) return failure(nothing_found(timeline::no_input_text(paths)));
  ASSIGN_OR_RETURN(serve::ServedTimeline served, app::served_timeline(std::move(profile), version_text()));
  settings.timeline = std::make_shared<const serve::ServedTimeline>(std::move(served));
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

Result<void> serve_until_stopped(app::ServeTargets places, const ServeOptions& given) {
  StopSignal stop;
  const PrivateFiles keeps_private;
  ASSIGN_OR_RETURN(serve::ListenSocket socket, serve::open_listen_socket(given.listen));
  ASSIGN_OR_RETURN(std::string token, serve::new_token());
  serve::ServiceOptions options;
  options.settings = serve_settings(socket, given.listen.host, token);
  options.report_base = places.report_base;
  options.first_logs = std::move(places.logs);
  options.profile = profile_in_child;
  options.compare = compare_in_child;
  options.settings.can_compare = !options.report_base.empty();
  // Logs, whose telling lines may come late, are not told by their beginnings.
  options.is_profile = [](const std::string& path) {
    const Result<app::Detected> found = app::detect(path, app::LogSearch::kBeginning);
    return found && found->path_kind == io::PathKind::kFile && found->is_profile();
  };
  if (!options.report_base.empty())
    options.settings.upload_limit_bytes = static_cast<std::uint64_t>(given.upload_limit_bytes);
  const bool shows_timeline = !given.timeline.empty();
  if (shows_timeline) {
    if (Result<void> opened = open_served_timeline(given.timeline, options.settings); !opened) return opened;
  }
  serve::LibraryService service(std::move(places.places), std::move(options));
  warn_of_network(socket);
  const std::string path = shows_timeline ? "timeline/"
                           : places.shown_report.empty()
                               ? ""
                               : fmt::format("reports/{}/", serve::url_encoded(places.shown_report));
  const std::string address = page_address(socket, token, path);
  const std::string text = start_text(socket, address, *service.library());
  // Serves as long as it lives.
  ASSIGN_OR_RETURN(const std::unique_ptr<serve::HttpServer> server,
                   serve::HttpServer::start(std::move(socket.descriptor), service));
  if (Result<void> printed = print(text); !printed) return printed;
  std::unique_ptr<BrowserPage> shown;
  if (given.opens_browser && !(shown = BrowserPage::open(address, keeps_private.mask_before())))
    complain("no browser to open; use the address above");
  stop.wait();
  return {};
}

int serve_places(Result<app::ServeTargets> places, const ServeOptions& options) {
  if (!places) {  // nothing can be served, for whatever reason
    complain(places.error().message);
    return kFailed;
  }
  raise_descriptor_limit();
  const Result<void> served = serve_until_stopped(std::move(*places), options);
  if (served) {
    say("Server stopped.\n");
    return kOk;
  }
  return fail(served.error());
}

std::vector<OptionSpec> serve_options(ServeOptions& options) {
  OptionSpec timeline = value_option(
      "--timeline", "PATH",
      [&options](std::string_view, const std::string& path) {
        options.timeline.push_back(path);
        return std::string();
      },
      "show the timeline of this capture or folder of the profiler, of any size: the page asks for what it "
      "shows; again for each further file of it (a runtime log, another host)");
  timeline.kind = ValueKind::kFile;
  timeline.repeats = true;
  return {
      value_option(
          "--port", "PORT",
          [&options](std::string_view, const std::string& text) { return take_port(text, options.listen); },
          "listen there; 8000+ takes the next free port from 8000 on (default), 0 any"),
      value_option(
          "--host", "ADDRESS",
          [&options](std::string_view key, const std::string& text) {
            options.listen.host = text;
            return text.empty() ? fmt::format("{} needs an address", key) : std::string();
          },
          "listen on this address instead of 127.0.0.1; others can then reach the reports"),
      flag_option("--open", options.opens_browser, "show the page in the browser"),
      std::move(timeline),
      value_option(
          "--max-upload", "SIZE",
          [&options](std::string_view, const std::string& text) {
            return take_upload_limit(text, options.upload_limit_bytes);
          },
          "largest log that may be dropped onto the page (default 4GiB); 0: none"),
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

CommandSpec describe_serve(ServeOptions& options) {
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
  spec.positional = {"PATH", "folder of reports, report page, or log to be profiled", 0, 1000};
  spec.arguments = &options.paths;
  spec.options = serve_options(options);
  spec.examples = kServeExamples;
  return spec;
}

int run_serve(ServeOptions& options) {
  return serve_places(app::find_places(options.paths, own_environment()), options);
}

CommandSpec describe_ttmem_serve(ServeOptions& options) {
  CommandSpec spec = describe_serve(options);
  spec.program = "ttmem serve";
  spec.summary = "serve the library of reports, or open one report of it";
  spec.positional = {"NAME", "report of the library, as `ttmem list` shows it; or a path", 0, 1};
  spec.examples =
      "Examples:\n"
      "  ttmem serve\n"
      "  ttmem serve my-model --open\n"
      "\n"
      "Exit codes: 0 stopped by Ctrl-C, 1 failed, 2 wrong usage\n";
  return spec;
}

int run_ttmem_serve(ServeOptions& options) {
  return serve_places(app::find_report_place(options.paths, own_environment()), options);
}

}  // namespace

Command serve_command() { return make_command("serve", describe_serve, run_serve); }

Command ttmem_serve_command() { return make_command("serve", describe_ttmem_serve, run_ttmem_serve); }

}  // namespace ttscope::cli
