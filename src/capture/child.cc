#include "capture/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pty.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace ttscope::capture {
namespace {

/// A full pipe holds back the child; the largest that the kernel gives to everyone.
constexpr int kPipeBytes = 1 << 20;

/// Both ends of what connects us with the child.
struct Ends {
  FileDescriptor ours;
  FileDescriptor child;
};

StartFailure own_failure(const char* what, int error_number) {
  return {kOwnFailure, fmt::format("cannot {}: {}", what, std::generic_category().message(error_number))};
}

void set_not_blocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

tl::expected<Ends, StartFailure> open_pipe(bool child_writes) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(own_failure("make a pipe", errno));
  Ends pipe{FileDescriptor(ends[child_writes ? 0 : 1]), FileDescriptor(ends[child_writes ? 1 : 0])};
  if (child_writes) ::fcntl(pipe.ours.number(), F_SETPIPE_SZ, kPipeBytes);
  set_not_blocking(pipe.ours.number());
  return pipe;
}

tl::expected<Ends, StartFailure> open_pty(int terminal) {
  struct termios settings {};
  struct winsize size {};
  const bool has_settings = terminal >= 0 && ::tcgetattr(terminal, &settings) == 0;
  const bool has_size = terminal >= 0 && ::ioctl(terminal, TIOCGWINSZ, &size) == 0;
  int ours = -1;
  int child = -1;
  if (::openpty(&ours, &child, nullptr, has_settings ? &settings : nullptr, has_size ? &size : nullptr) !=
      0) {
    return tl::unexpected(own_failure("make a pseudo-terminal", errno));
  }
  ::fcntl(ours, F_SETFD, FD_CLOEXEC);
  ::fcntl(child, F_SETFD, FD_CLOEXEC);
  set_not_blocking(ours);
  return Ends{FileDescriptor(ours), FileDescriptor(child)};
}

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Everything the new process needs, made before the fork: afterwards only async-signal-safe calls are left.
struct Launch {
  const char* path;
  char* const* arguments;
  char* const* environment;
  bool pty;
  int output;
  int input;  ///< -1: inherited
  int errors;
  int report;
};

[[noreturn]] void become(const Launch& launch) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  bool ready =
      launch.pty ? ::setsid() >= 0 && ::ioctl(launch.output, TIOCSCTTY, 0) == 0 : ::setpgid(0, 0) == 0;
  if (launch.input >= 0) ready = ready && ::dup2(launch.input, STDIN_FILENO) >= 0;
  ready = ready && ::dup2(launch.output, STDOUT_FILENO) >= 0 && ::dup2(launch.errors, STDERR_FILENO) >= 0;
  if (ready) ::execve(launch.path, launch.arguments, launch.environment);
  const std::array<int, 2> problem = {errno, ready ? 1 : 0};
  [[maybe_unused]] const ssize_t written = ::write(launch.report, problem.data(), sizeof(problem));
  ::_exit(kOwnFailure);
}

/// Reads what become() reports: nothing when the program runs.
std::optional<StartFailure> start_problem(int report, const std::string& path) {
  std::array<int, 2> problem{};
  ssize_t size = 0;
  do {
    size = ::read(report, problem.data(), sizeof(problem));
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof(problem))) return std::nullopt;
  if (problem[1] == 0) return own_failure("set up the new process", problem[0]);
  return explain_exec_failure(path, problem[0]);
}

}  // namespace

tl::expected<Child, StartFailure> Child::start(const ChildSpec& spec) {
  auto output = spec.pty ? open_pty(spec.terminal) : open_pipe(true);
  if (!output) return tl::unexpected(output.error());
  auto report = open_pipe(true);
  if (!report) return tl::unexpected(report.error());
  ::fcntl(report->ours.number(), F_SETFL, 0);
  Ends input;
  if (spec.input == ChildInput::kPipe) {
    auto pipe = open_pipe(false);
    if (!pipe) return tl::unexpected(pipe.error());
    input = std::move(*pipe);
  }
  const std::vector<char*> arguments = pointers_to(spec.arguments);
  const std::vector<char*> environment = pointers_to(spec.environment);
  const int child_input = spec.input == ChildInput::kTerminal ? output->child.number() : input.child.number();
  const int child_errors = spec.error_output >= 0 ? spec.error_output : output->child.number();
  const Launch launch = {spec.path.c_str(), arguments.data(),       environment.data(),
                         spec.pty,          output->child.number(), child_input,
                         child_errors,      report->child.number()};
  const pid_t pid = ::fork();
  if (pid < 0) return tl::unexpected(own_failure("start a process", errno));
  if (pid == 0) become(launch);
  if (!spec.pty) ::setpgid(pid, pid);  // whoever comes first: a signal must find the group
  report->child = FileDescriptor();
  if (auto problem = start_problem(report->ours.number(), spec.path)) {
    ::waitpid(pid, nullptr, 0);
    return tl::unexpected(std::move(*problem));
  }
  Child child;
  child.pid_ = pid;
  child.output_ = std::move(output->ours);
  child.input_ = std::move(input.ours);
  child.is_terminal_input_ = spec.input == ChildInput::kTerminal;
  child.end_ = FileDescriptor(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  return child;
}

bool Child::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == pid_;
}

ChildEnd Child::wait() {
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ChildEnd end;
  if (WIFSIGNALED(status)) {
    end.signal_number = WTERMSIG(status);
    end.exit_code = 128 + end.signal_number;
    end.core_dumped = WCOREDUMP(status);
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

void Child::signal_group(int signal_number) const { ::kill(-pid_, signal_number); }

}  // namespace ttscope::capture
