#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "serve/http_server.h"
#include "serve/library.h"

namespace ttscope::cli {

/// `http://127.0.0.1:8000/TOKEN/`, with the path behind it.
std::string page_address(const serve::ListenSocket& socket, const std::string& token,
                         const std::string& path);

/// The command that brings the port to another computer, typed there.
std::string tunnel_command(const serve::ListenSocket& socket);

/// A page on the disk that leads the user's browser to an address: arguments of programs are seen by all
/// users of the machine, this file by its own alone. Removed by the destructor.
class BrowserPage {
 public:
  /// Null when there is no browser, or it could not be started. `mask` is the umask of what the user starts.
  static std::unique_ptr<BrowserPage> open(const std::string& address, mode_t mask);
  ~BrowserPage();
  BrowserPage(const BrowserPage&) = delete;
  BrowserPage& operator=(const BrowserPage&) = delete;

 private:
  BrowserPage() = default;

  std::string folder_;
  std::string path_;
};

/// What this machine calls itself; empty when it does not say.
std::string machine_name();

/// What a server of our pages is told; `host` as typed.
serve::ServeSettings serve_settings(const serve::ListenSocket& socket, const std::string& host,
                                    std::string token);

}  // namespace ttscope::cli
