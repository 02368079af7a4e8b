#include "chip/driver/library_process.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "chip/driver/process_end.h"

namespace ttscope::chip {

namespace {

struct Library {
  void (*init)() = nullptr;
  std::uint32_t (*config_read)(std::uint32_t, std::uint32_t) = nullptr;
  void (*memory_read)(std::uint64_t, void*, std::uint32_t) = nullptr;
  void (*memory_write)(std::uint64_t, const void*, std::uint32_t) = nullptr;
  void (*clock)(std::uint32_t) = nullptr;
};

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  if (function == nullptr) fmt::print(stderr, "it has no {}\n", name);
  return function != nullptr;
}

class Server {
 public:
  Server(const Library& library, int socket) : library_(library), socket_(socket) {}

  [[noreturn]] void serve() {
    while (receive_all(socket_, &request_, sizeof(request_)) && request_.kind != Kind::kEnd) take();
    ::_exit(0);
  }

  /// The library wants to end the process in the middle of a request: we go on from here, above its stack.
  [[noreturn]] void end(int exit_code) {
    constexpr int kMostEnds = 64;  // reads that it refuses come here again
    if (++ends_ > kMostEnds) ::_exit(exit_code);
    // As whoever waits for a process gets it: -1 would say that it runs.
    if (ends_ == 1) answer_.exit_code = exit_code & 0xFF;
    std::fflush(nullptr);  // what it said, before the host looks for it
    reply();
    serve();
  }

 private:
  using Kind = LibraryRequest::Kind;

  void take() {
    owes_ = request_.kind != Kind::kWrite;
    const bool has_data = request_.kind == Kind::kRead || request_.kind == Kind::kWrite;
    message_.assign(sizeof(answer_) + (has_data ? request_.bytes : sizeof(std::uint32_t)), 0);
    char* const data = message_.data() + sizeof(answer_);
    switch (request_.kind) {
      case Kind::kConfig: {
        const std::uint32_t value = library_.config_read(static_cast<std::uint32_t>(request_.address >> 32),
                                                         static_cast<std::uint32_t>(request_.address));
        std::memcpy(data, &value, sizeof(value));
        break;
      }
      case Kind::kRead:
        library_.memory_read(request_.address, data, request_.bytes);
        break;
      case Kind::kWrite:
        if (receive_all(socket_, data, request_.bytes))
          library_.memory_write(request_.address, data, request_.bytes);
        break;
      case Kind::kClock:
        if (ends_ == 0) library_.clock(static_cast<std::uint32_t>(request_.address));
        break;
      case Kind::kEnd:
        break;
    }
    reply();
  }

  void reply() {
    if (!owes_) return;
    owes_ = false;
    std::memcpy(message_.data(), &answer_, sizeof(answer_));
    send_all(socket_, message_.data(), message_.size());
  }

  Library library_;
  int socket_;
  LibraryRequest request_;
  LibraryAnswer answer_;
  std::vector<char> message_;  ///< an answer and its data, to be sent at once
  bool owes_ = false;          ///< the host waits for an answer
  int ends_ = 0;
};

/// Of this process; calls out of the library know nothing else. A thread of the library's own has none.
thread_local Server* server = nullptr;

void end_instead(int exit_code) {
  if (server == nullptr) {  // before it was asked for anything, or beside what it was asked for
    std::fflush(nullptr);
    ::_exit(exit_code);
  }
  server->end(exit_code);
}

}  // namespace

bool send_all(int to, const void* from, std::size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = ::send(to, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int from, void* to, std::size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::recv(from, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void serve_library(const std::string& path, int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a killed host leaves no simulator behind
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    fmt::print(stderr, "{}\n", ::dlerror());
    ::_exit(1);
  }
  Library library;
  if (!find(handle, "libttsim_init", library.init) ||
      !find(handle, "libttsim_pci_config_rd32", library.config_read) ||
      !find(handle, "libttsim_pci_mem_rd_bytes", library.memory_read) ||
      !find(handle, "libttsim_pci_mem_wr_bytes", library.memory_write) ||
      !find(handle, "libttsim_clock", library.clock)) {
    ::_exit(1);
  }
  lead_process_end(handle, end_instead);  // where it cannot be, the process ends, and the host says so
  library.init();
  Server here(library, socket);
  server = &here;
  here.serve();
}

}  // namespace ttscope::chip
