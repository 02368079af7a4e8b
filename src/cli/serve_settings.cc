#include "cli/serve_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "cli/cmd_serve.h"
#include "cli/serve_address.h"
#include "cli/version.h"
#include "serve/request_checks.h"

namespace ttscope::cli {

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

}  // namespace ttscope::cli
