#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/files.h"
#include "base/result.h"
#include "serve/library_service.h"

namespace ttscope::serve {

struct ListenRequest {
  std::string host = "127.0.0.1";  ///< a numeric address or a name of this machine
  std::uint16_t port = 0;          ///< 0: any
  unsigned attempts = 1;           ///< how many ports to try, from `port` on
};

struct ListenSocket {
  FileDescriptor descriptor;
  std::string address;  ///< numeric, as bound
  std::uint16_t port = 0;
  bool is_loopback = false;
  bool is_any = false;  ///< all addresses of the machine
};

/// Opens a listening socket on the first of the ports that is free. It stays open, so nobody can take the
/// port in between.
Result<ListenSocket> open_listen_socket(const ListenRequest& request);

/// Answers HTTP requests with handle() until it is destroyed. libmicrohttpd does the protocol: one epoll loop
/// a thread, so that a connection that says nothing costs a descriptor and a few hundred bytes, and a fixed
/// buffer for each request's head (docs/design/server.md).
class HttpServer {
 public:
  /// `listener` is a listening socket. The service outlives the server and is started and stopped by it.
  static Result<std::unique_ptr<HttpServer>> start(FileDescriptor listener, LibraryService& service);
  /// Ends every connection at once.
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

 private:
  class Loop;
  explicit HttpServer(std::unique_ptr<Loop> loop);

  std::unique_ptr<Loop> loop_;
};

}  // namespace ttscope::serve
