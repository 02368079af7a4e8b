// library_simulator() of chip/simulator.h: both simulators stand behind one interface.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/file_descriptor.h"
#include "chip/driver/library_process.h"
#include "chip/simulator.h"

namespace ttscope::chip {

namespace {

class LibrarySimulator final : public Simulator {
 public:
  LibrarySimulator(std::string path, pid_t child, FileDescriptor socket, FileDescriptor output)
      : path_(std::move(path)), child_(child), socket_(std::move(socket)), output_(std::move(output)) {}

  ~LibrarySimulator() override {
    const LibraryRequest end;
    if (connected_) send_all(socket_.number(), &end, sizeof(end));
    wait_for_end();
  }

  std::uint32_t config_read(std::uint32_t bus_device, std::uint32_t offset) override {
    std::uint32_t value = ~0u;
    ask({Kind::kConfig, 0, std::uint64_t{bus_device} << 32 | offset}, nullptr, {&value, sizeof(value)});
    return value;
  }
  void memory_read(std::uint64_t address, void* to, std::uint32_t bytes) override {
    std::memset(to, 0, bytes);
    ask({Kind::kRead, bytes, address}, nullptr, {to, bytes});
  }
  void memory_write(std::uint64_t address, const void* from, std::uint32_t bytes) override {
    ask({Kind::kWrite, bytes, address}, from, {});
  }
  void clock(std::uint32_t ticks) override {
    if (!error_.empty()) return;
    std::uint32_t value = 0;
    ask({Kind::kClock, 0, ticks}, nullptr, {&value, sizeof(value)});
    nanoseconds_ += ticks;
  }
  std::uint64_t nanoseconds() const override { return nanoseconds_; }
  std::string error() override { return error_; }
  bool has_memory() const override { return connected_; }

 private:
  using Kind = LibraryRequest::Kind;
  struct Place {
    void* data = nullptr;
    std::size_t bytes = 0;
  };

  void ask(const LibraryRequest& request, const void* data, Place answer) {
    if (!connected_) return;
    LibraryAnswer head;
    connected_ = send_all(socket_.number(), &request, sizeof(request)) &&
                 (data == nullptr || send_all(socket_.number(), data, request.bytes)) &&
                 (answer.data == nullptr || (receive_all(socket_.number(), &head, sizeof(head)) &&
                                             receive_all(socket_.number(), answer.data, answer.bytes)));
    if (!error_.empty()) return;
    if (!connected_) {
      note_end(wait_for_end());
    } else if (head.exit_code != LibraryAnswer::kRuns) {
      note_end(fmt::format("exit code {}", head.exit_code));
    }
  }

  void note_end(const std::string& how) {
    const std::string said = what_it_said();
    error_ = fmt::format("{} ended: {}", path_, said.empty() ? how : fmt::format("{} ({})", said, how));
  }

  /// Without waiting: the process may live on, for its memory to be read.
  std::string what_it_said() {
    std::string said;
    char buffer[4096];
    while (true) {
      const ssize_t got = ::read(output_.number(), buffer, sizeof(buffer));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      said.append(buffer, static_cast<std::size_t>(got));
    }
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return said;
  }

  /// Waits for the end of the child; how it ended.
  std::string wait_for_end() {
    if (child_ <= 0) return {};
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    return WIFSIGNALED(status) ? fmt::format("signal {}", WTERMSIG(status))
                               : fmt::format("exit code {}", WEXITSTATUS(status));
  }

  std::string path_;
  pid_t child_;
  FileDescriptor socket_;
  FileDescriptor output_;
  std::string error_;
  bool connected_ = true;
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
  ::fcntl(reading.number(), F_SETFL, O_NONBLOCK);
  std::fflush(nullptr);  // the child must not write what this process has not written yet
  const pid_t child = ::fork();
  if (child < 0) return failure(bad_input(fmt::format("no simulator process: {}", std::strerror(errno))));
  if (child == 0) {
    ::dup2(writing.number(), STDOUT_FILENO);
    ::dup2(writing.number(), STDERR_FILENO);
    ::close(here.number());
    ::close(reading.number());
    serve_library(library_path, there.number());
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
