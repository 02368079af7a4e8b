#pragma once

#include <string>

#include "serve/library.h"
#include "serve/listen_socket.h"

namespace ttscope::cli {

/// What a server of our pages is told; `host` as typed.
serve::ServeSettings serve_settings(const serve::ListenSocket& socket, const std::string& host,
                                    std::string token);

}  // namespace ttscope::cli
