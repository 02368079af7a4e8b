#pragma once

#include <memory>

#include "base/file_descriptor.h"
#include "base/result.h"
#include "serve/library_service.h"

namespace ttscope::serve {

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
