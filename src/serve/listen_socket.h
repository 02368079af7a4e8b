#pragma once

#include <cstdint>
#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

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

}  // namespace ttscope::serve
