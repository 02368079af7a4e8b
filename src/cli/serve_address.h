#pragma once

#include <string>

#include "serve/listen_socket.h"

namespace ttscope::cli {

/// `http://127.0.0.1:8000/TOKEN/`, with the path behind it.
std::string page_address(const serve::ListenSocket& socket, const std::string& token,
                         const std::string& path);

/// The command that brings the port to another computer, typed there.
std::string tunnel_command(const serve::ListenSocket& socket);

/// Shows an address in the user's browser; false when there is none to be seen.
bool open_browser(const std::string& address);

/// What this machine calls itself; empty when it does not say.
std::string machine_name();

}  // namespace ttscope::cli
