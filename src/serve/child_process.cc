#include "serve/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <thread>

#include "base/file_descriptor.h"

namespace ttscope::serve {
namespace {

constexpr std::size_t kMostMessageBytes = 2000;
constexpr int kLookMs = 50;
constexpr std::chrono::milliseconds kGrace{500};

struct Becoming {
  char* const* arguments;
  const char* folder;
  const std::vector<int>& descriptors;
  int error_pipe;
  pid_t parent;
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const Becoming& child) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != child.parent || chdir(child.folder) != 0) _exit(127);
  setpgid(0, 0);  // Ctrl-C is for the server, which then ends this process
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(nothing, STDIN_FILENO);
  dup2(nothing, STDOUT_FILENO);
  dup2(child.error_pipe, STDERR_FILENO);
  for (const int descriptor : child.descriptors) fcntl(descriptor, F_SETFD, 0);  // not closed by exec
  execv(child.arguments[0], child.arguments + 1);
  _exit(127);
}

void end(pid_t child) {
  kill(child, SIGTERM);
  const auto until = std::chrono::steady_clock::now() + kGrace;
  while (std::chrono::steady_clock::now() < until) {
    siginfo_t info{};
    if (waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == child)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  kill(child, SIGKILL);
}

/// The last lines are kept: progress may come before the complaint.
void keep(std::string& message, std::string_view more) {
  message += more;
  if (message.size() > 2 * kMostMessageBytes) message.erase(0, message.size() - kMostMessageBytes);
}

/// What the child says until it closes its end.
std::string listen_to(int pipe, pid_t child, const std::function<bool()>& is_stopping) {
  std::string message;
  while (true) {
    pollfd look{pipe, POLLIN, 0};
    const int ready = poll(&look, 1, kLookMs);
    if (is_stopping()) {
      end(child);
      return message;
    }
    if (ready <= 0) continue;
    std::array<char, 4096> piece{};
    const ssize_t got = read(pipe, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return message;
    keep(message, {piece.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace

Result<void> run_child(const std::vector<std::string>& command, const HandedFiles& handed,
                       const std::function<bool()>& is_stopping, int good_code) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return failure(bad_input(std::strerror(errno)));
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const std::vector<int> descriptors = handed.descriptors();
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) return failure(bad_input(fmt::format("no process for the log: {}", std::strerror(errno))));
  if (child == 0) become({arguments.data(), handed.folder().c_str(), descriptors, to.number(), parent});
  to = FileDescriptor();
  std::string message = listen_to(from.number(), child, is_stopping);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == good_code)) return {};
  while (!message.empty() && message.back() == '\n') message.pop_back();
  if (message.empty()) {
    message = WIFSIGNALED(status) ? fmt::format("the profiler was ended by signal {}", WTERMSIG(status))
                                  : fmt::format("the profiler failed with code {}", WEXITSTATUS(status));
  }
  return failure(bad_input(std::move(message)));
}

}  // namespace ttscope::serve
