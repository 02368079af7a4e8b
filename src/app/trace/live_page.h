#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/result.h"
#include "launch/trace_folders.h"
#include "serve/http_server.h"
#include "serve/library.h"
#include "timeline/write/outputs.h"

namespace ttscope::app {

/// The page of a run at one moment.
struct LivePageText {
  std::string text;
  std::string problem;  ///< why it shows nothing of the run; empty: it does
};

/// How it is written. The last one stands still, others are got anew by the browser. Above `most_bytes` it is
/// empty and says so.
struct LivePageForm {
  bool is_last = false;
  std::string tool_version{};
  std::size_t most_bytes = timeline::kMaxPageBytes;
};

LivePageText live_page_text(const timeline::Profile& profile, const LivePageForm& form);

/// Where a live page is served: the address is made of socket, token and path.
struct LivePageAddress {
  const serve::ListenSocket& socket;
  const std::string& token;
  std::string path;
};

/// What a live page needs of the program around it.
struct LivePageRequest {
  std::uint16_t port = 0;  ///< 0: the next free one from 8080 on
  std::string tool_version{};
  /// Of a server at this socket; `host` is the name that it was asked for by.
  std::function<serve::ServeSettings(const serve::ListenSocket& socket, const std::string& host,
                                     const std::string& token)>
      settings{};
  std::function<void(const LivePageAddress& place)> on_open{};
};

/// The page of a run that goes on, made anew every few seconds, on loopback and under an address with a
/// token.
class LivePage {
 public:
  /// Starts to serve and tells where.
  static Result<std::unique_ptr<LivePage>> start(const launch::TraceFolders& folders,
                                                 const LivePageRequest& request);
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  /// Makes the last page; why it does not show the run, empty: it does.
  std::string finish();

 private:
  struct Served;
  LivePage(const launch::TraceFolders& folders, std::string tool_version);
  Result<void> open_server(const LivePageRequest& request);
  /// Makes the page anew until the run is over.
  void renew();
  void stop();
  /// Writes the page of what was recorded until now; an error: it does not show the run.
  Result<void> write_page(bool is_last) const;

  std::string recording_;
  std::string folder_;
  std::string tool_version_;
  std::unique_ptr<Served> served_;
  std::atomic<bool> is_over_ = false;
  std::thread writer_;
};

}  // namespace ttscope::app
