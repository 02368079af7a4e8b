#include "cli/trace_live.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "app/run_report.h"
#include "app/timeline/open_timeline.h"
#include "base/number_text.h"
#include "base/writer.h"
#include "cli/serve_address.h"
#include "cli/serve_settings.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "serve/http_server.h"
#include "serve/library_service.h"
#include "serve/listen_socket.h"
#include "serve/request_checks.h"
#include "timeline/load.h"
#include "timeline/write/page/timeline_page.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportName = "live";
constexpr std::chrono::milliseconds kPageTime{2000};  ///< between two pages
constexpr std::chrono::milliseconds kPause{50};
constexpr unsigned kRefreshSeconds = 3;

bool has_files(const std::string& folder) {
  std::error_code error;
  return !fs::is_empty(folder, error) && !error;
}

}  // namespace

struct LivePage::Served {
  std::unique_ptr<serve::LibraryService> service;
  std::unique_ptr<serve::HttpServer> server;
};

LivePage::LivePage(const capture::TraceFolders& folders, const std::string& port)
    : recording_(folders.recording), folder_(folders.logs + "/live_page") {
  start(port);
}

LivePage::~LivePage() {
  is_over_ = true;
  if (writer_.joinable()) writer_.join();
  if (served_ && !write_page(true)) complain(fmt::format("--live: {}", problem_));
}

void LivePage::start(const std::string& port) {
  const auto number = port.empty() ? std::optional<std::int64_t>(8080) : parse_whole(port);
  if (!number || *number < 1 || *number > 65534) {
    problem_ = fmt::format("--web-app-port {}: expected a port, 1 to 65534", port);
    is_usage_problem_ = true;
    return;
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!write_page(false)) return;
  serve::ListenRequest request;
  request.port = static_cast<std::uint16_t>(*number);
  request.attempts = port.empty() ? 100 : 1;
  Result<serve::ListenSocket> socket = serve::open_listen_socket(request);
  Result<std::string> token = serve::new_token();
  Result<serve::SafeFolder> place = serve::SafeFolder::open(folder_);
  if (!socket || !token || !place) {
    problem_ = !socket ? socket.error().message : !token ? token.error().message : place.error().message;
    return;
  }
  serve::ServiceOptions options;
  options.settings = serve_settings(*socket, request.host, *token);
  served_ = std::make_unique<Served>();
  std::vector<serve::ServedPlace> places;
  places.push_back({folder_, std::move(*place), {}});
  served_->service = std::make_unique<serve::LibraryService>(std::move(places), std::move(options));
  const auto library = served_->service->library();
  const std::string path = library->reports.empty()
                               ? ""
                               : fmt::format("reports/{}/", serve::url_encoded(library->reports.front().id));
  const std::string address = page_address(*socket, *token, path);
  const std::string tunnel = tunnel_command(*socket);
  Result<std::unique_ptr<serve::HttpServer>> server =
      serve::HttpServer::start(std::move(socket->descriptor), *served_->service);
  if (!server) {
    problem_ = server.error().message;
    served_.reset();
    return;
  }
  served_->server = std::move(*server);
  say(fmt::format("Live page: {}\nFrom another computer: {}\n", address, tunnel));
  writer_ = std::thread([this] {
    using Clock = std::chrono::steady_clock;
    Clock::time_point next = Clock::now() + kPageTime;
    while (!is_over_) {
      std::this_thread::sleep_for(kPause);
      const Clock::time_point begin = Clock::now();
      if (begin < next) continue;
      write_page(false);
      // Of a long run the page takes long: the program has most of the machine all the same.
      next = Clock::now() + std::max<Clock::duration>(kPageTime, 4 * (Clock::now() - begin));
    }
  });
}

bool LivePage::write_page(bool is_last) {
  timeline::Profile profile = timeline::profile_of(kReportName, {});
  if (has_files(recording_)) {
    Result<timeline::Profile> opened = app::open_timeline({recording_}, {});
    if (opened) profile = std::move(*opened);
  }
  const LivePageText page = live_page_text(profile, is_last);
  const Result<void> written =
      write_file(app::page_path(folder_, kReportName), [&](Writer& out) { out.write(page.text); });
  problem_ = written ? page.problem : written.error().message;
  return problem_.empty();
}

LivePageText live_page_text(const timeline::Profile& profile, bool is_last, std::size_t most_bytes) {
  timeline::TimelinePageOptions options{is_last ? "run" : "run, while it lasts", version_text()};
  // The page is a whole at one moment: a browser gets the next one by itself as long as the run lasts.
  if (!is_last) options.refresh_s = kRefreshSeconds;
  options.most_bytes = most_bytes;
  StringWriter page;
  const Result<void> made = timeline::write_timeline_page(profile, options, page);
  if (made && page.finish()) return {std::string(page.text()), {}};
  // An empty one says why: the last that was whole would pass for that of the run.
  LivePageText empty;
  empty.problem = made ? "no memory for the page" : made.error().message;
  options.name += ": " + empty.problem;
  options.most_bytes = timeline::kMostPageBytes;
  StringWriter without;
  if (timeline::write_timeline_page(timeline::profile_of(kReportName, {}), options, without) &&
      without.finish())
    empty.text = without.text();
  return empty;
}

}  // namespace ttscope::cli
