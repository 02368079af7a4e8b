#include "serve/listen_socket.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace ttscope::serve {
namespace {

constexpr int kBacklog = 512;
constexpr unsigned kHighestPort = 65535;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};

void set_port(sockaddr_storage& address, std::uint16_t port) {
  if (address.ss_family == AF_INET6) {
    reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
  }
}

void describe(const sockaddr_storage& address, ListenSocket& socket) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (address.ss_family == AF_INET6) {
    const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
    inet_ntop(AF_INET6, &six.sin6_addr, text.data(), text.size());
    socket.port = ntohs(six.sin6_port);
    socket.is_loopback = IN6_IS_ADDR_LOOPBACK(&six.sin6_addr) != 0;
    socket.is_any = IN6_IS_ADDR_UNSPECIFIED(&six.sin6_addr) != 0;
  } else {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    inet_ntop(AF_INET, &four.sin_addr, text.data(), text.size());
    socket.port = ntohs(four.sin_port);
    socket.is_loopback = ntohl(four.sin_addr.s_addr) >> 24 == 127;
    socket.is_any = four.sin_addr.s_addr == htonl(INADDR_ANY);
  }
  socket.address = text.data();
}

/// 0, or the reason why this port cannot be had.
int try_listen(const sockaddr_storage& address, socklen_t size, FileDescriptor& descriptor) {
  FileDescriptor opened(socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened.is_open()) return errno;
  // The port of a server that has just ended can be had again, not that of one that runs.
  const int yes = 1;
  setsockopt(opened.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(opened.number(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return errno;
  if (listen(opened.number(), kBacklog) != 0) return errno;
  descriptor = std::move(opened);
  return 0;
}

}  // namespace

Result<ListenSocket> open_listen_socket(const ListenRequest& request) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* list = nullptr;
  if (const int error = getaddrinfo(request.host.c_str(), nullptr, &hints, &list); error != 0) {
    return failure(bad_input(fmt::format("--host {}: {}", request.host, gai_strerror(error))));
  }
  const std::unique_ptr<addrinfo, FreeAddresses> addresses(list);
  sockaddr_storage address{};
  std::memcpy(&address, list->ai_addr, list->ai_addrlen);
  int reason = EADDRINUSE;
  for (unsigned attempt = 0; attempt < request.attempts && request.port + attempt <= kHighestPort;
       ++attempt) {
    set_port(address, static_cast<std::uint16_t>(request.port + attempt));
    ListenSocket opened;
    reason = try_listen(address, list->ai_addrlen, opened.descriptor);
    if (reason == 0) {
      sockaddr_storage bound{};
      socklen_t size = sizeof bound;
      getsockname(opened.descriptor.number(), reinterpret_cast<sockaddr*>(&bound), &size);
      describe(bound, opened);
      return opened;
    }
    if (reason != EADDRINUSE && reason != EACCES) break;
  }
  const std::string ports =
      request.attempts > 1 ? fmt::format("ports {} to {}", request.port, request.port + request.attempts - 1)
                           : fmt::format("port {}", request.port);
  return failure(bad_input(fmt::format("{} of {}: {}", ports, request.host, std::strerror(reason))));
}

}  // namespace ttscope::serve
