#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/file_descriptor.h"
#include "chip/simulator.h"

namespace ttscope::chip {

namespace {

/// What the parent asks for. Data to be written follow it; data that were read, or the value, come back.
struct Request {
  enum class Kind : std::uint32_t { kConfig, kRead, kWrite, kClock, kEnd };
  Kind kind = Kind::kEnd;
  std::uint32_t bytes = 0;
  std::uint64_t address = 0;
};

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

/// The child: answers until it is told to end or the library ends it.
[[noreturn]] void serve(const std::string& path, int socket) {
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
  library.init();
  std::vector<char> data;
  Request request;
  while (receive_all(socket, &request, sizeof(request)) && request.kind != Request::Kind::kEnd) {
    std::uint32_t value = 0;
    data.resize(request.bytes);
    switch (request.kind) {
      case Request::Kind::kConfig:
        value = library.config_read(static_cast<std::uint32_t>(request.address >> 32),
                                    static_cast<std::uint32_t>(request.address));
        send_all(socket, &value, sizeof(value));
        break;
      case Request::Kind::kRead:
        library.memory_read(request.address, data.data(), request.bytes);
        send_all(socket, data.data(), data.size());
        break;
      case Request::Kind::kWrite:
        if (receive_all(socket, data.data(), data.size()))
          library.memory_write(request.address, data.data(), request.bytes);
        break;
      case Request::Kind::kClock:
        library.clock(static_cast<std::uint32_t>(request.address));
        send_all(socket, &value, sizeof(value));
        break;
      case Request::Kind::kEnd:
        break;
    }
  }
  ::_exit(0);
}

class LibrarySimulator final : public Simulator {
 public:
  LibrarySimulator(std::string path, pid_t child, FileDescriptor socket, FileDescriptor output)
      : path_(std::move(path)), child_(child), socket_(std::move(socket)), output_(std::move(output)) {}

  ~LibrarySimulator() override {
    const Request end;
    if (error_.empty()) send_all(socket_.number(), &end, sizeof(end));
    if (child_ > 0) reap();
  }

  std::uint32_t config_read(std::uint32_t bus_device, std::uint32_t offset) override {
    std::uint32_t value = ~0u;
    ask({Request::Kind::kConfig, 0, std::uint64_t{bus_device} << 32 | offset}, nullptr, &value,
        sizeof(value));
    return value;
  }
  void memory_read(std::uint64_t address, void* to, std::uint32_t bytes) override {
    std::memset(to, 0, bytes);
    ask({Request::Kind::kRead, bytes, address}, nullptr, to, bytes);
  }
  void memory_write(std::uint64_t address, const void* from, std::uint32_t bytes) override {
    ask({Request::Kind::kWrite, bytes, address}, from, nullptr, 0);
  }
  void clock(std::uint32_t ticks) override {
    std::uint32_t value = 0;
    ask({Request::Kind::kClock, 0, ticks}, nullptr, &value, sizeof(value));
    nanoseconds_ += ticks;
  }
  std::uint64_t nanoseconds() const override { return nanoseconds_; }
  std::string error() override { return error_; }

 private:
  void ask(const Request& request, const void* data, void* answer, std::size_t answer_bytes) {
    if (!error_.empty()) return;
    const bool fine = send_all(socket_.number(), &request, sizeof(request)) &&
                      (data == nullptr || send_all(socket_.number(), data, request.bytes)) &&
                      (answer == nullptr || receive_all(socket_.number(), answer, answer_bytes));
    if (!fine) error_ = fmt::format("{} ended: {}", path_, reap());
  }

  /// Waits for the end of the child; what it said, and how it ended.
  std::string reap() {
    std::string said;
    char buffer[4096];
    while (true) {
      const ssize_t got = ::read(output_.number(), buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      said.append(buffer, static_cast<std::size_t>(got));
    }
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    while (!said.empty() && said.back() == '\n') said.pop_back();
    const std::string how = WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                                                : fmt::format("exit code {}", WEXITSTATUS(status));
    return said.empty() ? how : fmt::format("{} ({})", said, how);
  }

  std::string path_;
  pid_t child_;
  FileDescriptor socket_;
  FileDescriptor output_;
  std::string error_;
  std::uint64_t nanoseconds_ = 0;
};

}  // namespace

Result<std::unique_ptr<Simulator>> library_simulator(const std::string& library_path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(library_path, ignored)) {
    return failure(
        bad_input(fmt::format("{}: no such file (expected the path of libttsim.so)", library_path)));
  }
  int sockets[2];
  int output[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0 || ::pipe2(output, O_CLOEXEC) != 0) {
    return failure(bad_input(fmt::format("no connection to a simulator process: {}", std::strerror(errno))));
  }
  FileDescriptor here(sockets[0]);
  FileDescriptor there(sockets[1]);
  FileDescriptor reading(output[0]);
  FileDescriptor writing(output[1]);
  std::fflush(nullptr);  // the child must not write what this process has not written yet
  const pid_t child = ::fork();
  if (child < 0) return failure(bad_input(fmt::format("no simulator process: {}", std::strerror(errno))));
  if (child == 0) {
    ::dup2(writing.number(), STDOUT_FILENO);
    ::dup2(writing.number(), STDERR_FILENO);
    ::close(here.number());
    ::close(reading.number());
    serve(library_path, there.number());
  }
  there = FileDescriptor();  // so that the end of the child is seen
  writing = FileDescriptor();
  auto simulator =
      std::make_unique<LibrarySimulator>(library_path, child, std::move(here), std::move(reading));
  simulator->config_read(0, 0);  // it has started, or says why not
  if (const std::string error = simulator->error(); !error.empty()) return failure(bad_input(error));
  return simulator;
}

}  // namespace ttscope::chip
