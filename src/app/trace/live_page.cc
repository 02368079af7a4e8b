#include "app/trace/live_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

#include "app/report_library.h"
#include "app/timeline/open_timeline.h"
#include "base/result.h"
#include "base/writer.h"
#include "serve/http_server.h"
#include "serve/library_service.h"
#include "serve/request_checks.h"
#include "timeline/load.h"

namespace ttscope::app {
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

serve::ListenRequest listen_request(std::uint16_t port) {
  constexpr std::uint16_t kFirst = 8080;
  constexpr unsigned kAttempts = 100;
  serve::ListenRequest request;
  request.port = port == 0 ? kFirst : port;
  request.attempts = port == 0 ? kAttempts : 1;
  return request;
}

}  // namespace

struct LivePage::Served {
  std::unique_ptr<serve::LibraryService> service;
  std::unique_ptr<serve::HttpServer> server;
};

LivePage::LivePage(const launch::TraceFolders& folders, std::string tool_version)
    : recording_(folders.recording),
      folder_(folders.logs + "/live_page"),
      tool_version_(std::move(tool_version)) {}

LivePage::~LivePage() { stop(); }

Result<std::unique_ptr<LivePage>> LivePage::start(const launch::TraceFolders& folders,
                                                  const LivePageRequest& request) {
  std::unique_ptr<LivePage> page(new LivePage(folders, request.tool_version));
  RETURN_IF_ERROR(page->open_server(request));
  page->writer_ = std::thread([&live = *page] { live.renew(); });
  return page;
}

Result<void> LivePage::open_server(const LivePageRequest& request) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (Result<void> written = write_page(false); !written) return written;
  const serve::ListenRequest listen = listen_request(request.port);
  ASSIGN_OR_RETURN(serve::ListenSocket socket, serve::open_listen_socket(listen));
  ASSIGN_OR_RETURN(const std::string token, serve::new_token());
  ASSIGN_OR_RETURN(serve::SafeFolder place, serve::SafeFolder::open(folder_));
  serve::ServiceOptions options;
  options.settings = request.settings(socket, listen.host, token);
  auto served = std::make_unique<Served>();
  std::vector<serve::ServedPlace> places;
  places.push_back({folder_, std::move(place), {}});
  served->service = std::make_unique<serve::LibraryService>(std::move(places), std::move(options));
  const auto library = served->service->library();
  const std::string path = library->reports.empty()
                               ? ""
                               : fmt::format("reports/{}/", serve::url_encoded(library->reports.front().id));
  Result<std::unique_ptr<serve::HttpServer>> server =
      serve::HttpServer::start(std::move(socket.descriptor), *served->service);
  if (!server) return failure(server.error());
  served->server = std::move(*server);
  served_ = std::move(served);
  request.on_open({socket, token, path});
  return {};
}

void LivePage::renew() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point next = Clock::now() + kPageTime;
  while (!is_over_) {
    std::this_thread::sleep_for(kPause);
    const Clock::time_point begin = Clock::now();
    if (begin < next) continue;
    try {
      static_cast<void>(write_page(false));  // the page says what is wrong with it
    } catch (const std::bad_alloc&) {
      // The page stays as it was; the program that runs may need the memory.
    }
    // Of a long run the page takes long: the program has most of the machine all the same.
    next = Clock::now() + std::max<Clock::duration>(kPageTime, 4 * (Clock::now() - begin));
  }
}

void LivePage::stop() {
  is_over_ = true;
  if (writer_.joinable()) writer_.join();
}

std::string LivePage::finish() {
  stop();
  const Result<void> written = write_page(true);
  return written ? std::string() : written.error().message;
}

Result<void> LivePage::write_page(bool is_last) const {
  timeline::Profile profile = timeline::profile_of(kReportName, {});
  if (has_files(recording_)) {
    Result<timeline::Profile> opened = open_timeline({recording_}, {});
    if (opened) profile = std::move(*opened);
  }
  const LivePageText page = live_page_text(profile, {is_last, tool_version_});
  Result<void> written =
      write_file(page_path(folder_, kReportName), [&](Writer& out) { out.write(page.text); });
  if (!written) return written;
  return page.problem.empty() ? Result<void>{} : failure(write_failed(page.problem));
}

LivePageText live_page_text(const timeline::Profile& profile, const LivePageForm& form) {
  timeline::TimelinePageOptions options{form.is_last ? "run" : "run, while it lasts", form.tool_version};
  // The page is a whole at one moment: a browser gets the next one by itself as long as the run lasts.
  if (!form.is_last) options.refresh_s = kRefreshSeconds;
  options.most_bytes = form.most_bytes;
  StringWriter page;
  const Result<void> made = timeline::write_timeline_page(profile, options, page);
  if (made && page.finish()) return {std::string(page.text()), {}};
  // An empty one says why: the last that was whole would pass for that of the run.
  LivePageText empty;
  empty.problem = made ? "no memory for the page" : made.error().message;
  options.name += ": " + empty.problem;
  options.most_bytes = timeline::kMaxPageBytes;
  StringWriter without;
  if (timeline::write_timeline_page(timeline::profile_of(kReportName, {}), options, without) &&
      without.finish())
    empty.text = without.text();
  return empty;
}

}  // namespace ttscope::app
