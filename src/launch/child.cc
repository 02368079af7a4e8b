#include "launch/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "launch/profiler_variables.h"

namespace ttscope::launch {
namespace {

std::string reason_of(int error_number) { return std::generic_category().message(error_number); }

bool is_regular_file(const std::string& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
}

/// `/usr/bin/env` of `#!/usr/bin/env python3`; empty when the file is no script.
std::string interpreter_of(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 256> start{};
  const ssize_t size = file.is_open() ? ::read(file.number(), start.data(), start.size()) : -1;
  if (size < 3 || start[0] != '#' || start[1] != '!') return {};
  std::string_view line(start.data() + 2, static_cast<std::size_t>(size) - 2);
  line = line.substr(0, line.find('\n'));
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  line.remove_prefix(begin);
  return std::string(line.substr(0, line.find_first_of(" \t")));
}

}  // namespace

tl::expected<std::string, StartFailure> find_program(const std::string& name,
                                                     const std::string& search_path) {
  if (name.empty()) return tl::unexpected(StartFailure{kNotFound, "the command is empty"});
  if (name.find('/') != std::string::npos) return name;
  std::string not_runnable;
  for (std::size_t at = 0; at <= search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    std::string candidate = end == at ? "." : search_path.substr(at, end - at);
    candidate.append("/").append(name);
    if (is_regular_file(candidate)) {
      if (::access(candidate.c_str(), X_OK) == 0) return candidate;
      if (not_runnable.empty()) not_runnable = std::move(candidate);
    }
    at = end + 1;
  }
  if (!not_runnable.empty()) {
    return tl::unexpected(
        StartFailure{kNotRunnable, fmt::format("{}: cannot be run: {}", not_runnable, reason_of(EACCES))});
  }
  return tl::unexpected(
      StartFailure{kNotFound, fmt::format("{}: no such program in the folders of PATH", name)});
}

StartFailure explain_exec_failure(const std::string& path, int error_number) {
  if (error_number == ENOENT) {
    if (::access(path.c_str(), F_OK) != 0) {
      return {kNotFound, fmt::format("{}: {}", path, reason_of(ENOENT))};
    }
    const std::string interpreter = interpreter_of(path);
    if (!interpreter.empty()) {
      return {kNotFound,
              fmt::format("{}: its interpreter {} (named in its first line) does not exist; run it as: "
                          "INTERPRETER {}",
                          path, interpreter, path)};
    }
    return {kNotFound, fmt::format("{}: its loader or a library it needs does not exist", path)};
  }
  if (error_number == ENOEXEC) {
    return {kNotRunnable,
            fmt::format("{}: not a program, and it has no `#!` line that says what runs it", path)};
  }
  if (error_number == EACCES && !is_regular_file(path)) {
    return {kNotRunnable, fmt::format("{}: is not a file that can be run", path)};
  }
  if (error_number == EACCES) {
    return {kNotRunnable, fmt::format("{}: cannot be run: {}; is it executable (chmod +x)?", path,
                                      reason_of(error_number))};
  }
  if (error_number == ENOMEM || error_number == EAGAIN) {
    return {kLauncherFailure, fmt::format("{}: cannot start a process: {}", path, reason_of(error_number))};
  }
  return {kNotRunnable, fmt::format("{}: cannot be run: {}", path, reason_of(error_number))};
}

namespace {

namespace fs = std::filesystem;

/// `python`, `python3`, `python3.11`, also behind a path.
bool is_interpreter(const std::string& word) {
  const std::string name = fs::path(word).filename().string();
  return name.starts_with("python") && name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

/// What Python runs though it is no text: a folder or archive with a `__main__.py`, a compiled module.
bool has_python_ending(const std::string& path) {
  return path.ends_with(".pyz") || path.ends_with(".pyzw") || path.ends_with(".pyc");
}

enum class ExecutableKind { kMissing, kFolder, kBinary, kPython, kOtherScript, kText };

ExecutableKind look_at(const std::string& path) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return ExecutableKind::kMissing;
  if (S_ISDIR(facts.st_mode)) {
    std::error_code ignored;
    return fs::is_regular_file(fs::path(path) / "__main__.py", ignored) ? ExecutableKind::kPython
                                                                        : ExecutableKind::kFolder;
  }
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  std::array<char, 256> start{};
  const ssize_t size = file.is_open() ? ::read(file.number(), start.data(), start.size()) : 0;
  const std::string_view text(start.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::string_view first_line = text.substr(0, text.find('\n'));
  if (text.starts_with("#!") && first_line.find("python") != std::string_view::npos)
    return ExecutableKind::kPython;
  if (has_python_ending(path) || text.starts_with("PK\3\4")) return ExecutableKind::kPython;
  if (text.find('\0') != std::string_view::npos) return ExecutableKind::kBinary;
  if (text.starts_with("#!")) return ExecutableKind::kOtherScript;
  return path.ends_with(".py") ? ExecutableKind::kPython : ExecutableKind::kText;
}

std::string search_path_of(const ProgramCommand& given) {
  return value_in(given.environment, "PATH").value_or("/usr/local/bin:/usr/bin:/bin");
}

tl::expected<ProfiledProgram, StartFailure> python_program(const ProgramCommand& given,
                                                           const std::string& python,
                                                           std::vector<std::string> rest) {
  auto path = find_program(python, search_path_of(given));
  if (!path) return tl::unexpected(path.error());
  ProfiledProgram program;
  program.path = std::move(*path);
  program.is_python = true;
  program.arguments = {python};
  program.arguments.insert(program.arguments.end(), std::make_move_iterator(rest.begin()),
                           std::make_move_iterator(rest.end()));
  return program;
}

/// `python [-u ...] x.py`, `python3 -m pkg`: only where nothing but a script or `-m` follows; `python -c` is
/// a program.
bool runs_script(const std::vector<std::string>& words) {
  return words.size() > 1 && (!words[1].starts_with('-') || (words[1] == "-m" && words.size() > 2));
}

}  // namespace

tl::expected<ProfiledProgram, StartFailure> resolve_program(const ProgramCommand& given) {
  std::vector<std::string> words = given.words;
  if (words.empty()) return tl::unexpected(StartFailure{kNotFound, "the command is empty"});
  if (given.is_module) {
    std::vector<std::string> rest = {"-m"};
    rest.insert(rest.end(), words.begin(), words.end());
    return python_program(given, given.python, std::move(rest));
  }
  if (is_interpreter(words.front()) && runs_script(words)) {
    const std::string python = words.front();
    words.erase(words.begin());
    return python_program(given, python, std::move(words));
  }
  std::string file = words.front();
  ExecutableKind look = look_at(file);
  if (look == ExecutableKind::kFolder)
    return tl::unexpected(StartFailure{
        kNotRunnable, file + ": is a folder, not a program, and has no __main__.py that Python would run"});
  const bool is_here = look == ExecutableKind::kPython || look == ExecutableKind::kText;
  if (is_here) return python_program(given, given.python, std::move(words));
  if (look == ExecutableKind::kMissing) {
    auto path = find_program(file, search_path_of(given));
    if (!path) {
      if (file.ends_with(".py")) return tl::unexpected(StartFailure{kNotFound, file + ": no such file"});
      return tl::unexpected(path.error());
    }
    file = std::move(*path);
    look = look_at(file);
    if (look == ExecutableKind::kMissing)
      return tl::unexpected(StartFailure{kNotFound, file + ": no such file"});
    if (look == ExecutableKind::kPython) {
      words.front() = file;
      return python_program(given, given.python, std::move(words));
    }
  } else if (file.find('/') == std::string::npos) {
    file = "./" + file;  // as it was found: here, not in PATH
  }
  return ProfiledProgram{file, std::move(words), false};
}

TerminalMode::TerminalMode(int descriptor) : descriptor_(descriptor) {
  has_settings_ = descriptor_ >= 0 && ::tcgetattr(descriptor_, &settings_) == 0;
}

bool TerminalMode::is_foreground() const { return has_settings_ && ::tcgetpgrp(descriptor_) == ::getpgrp(); }

void TerminalMode::make_raw() {
  if (is_raw_ || !is_foreground()) return;
  struct termios raw = settings_;
  ::cfmakeraw(&raw);
  is_raw_ = ::tcsetattr(descriptor_, TCSADRAIN, &raw) == 0;
}

void TerminalMode::restore() {
  if (!is_raw_) return;
  is_raw_ = false;
  if (is_foreground()) ::tcsetattr(descriptor_, TCSADRAIN, &settings_);
}

void copy_window_size(int terminal, int pty) {
  struct winsize wanted {};
  struct winsize now {};
  if (::ioctl(terminal, TIOCGWINSZ, &wanted) != 0 || ::ioctl(pty, TIOCGWINSZ, &now) != 0) return;
  if (wanted.ws_row == now.ws_row && wanted.ws_col == now.ws_col) return;
  ::ioctl(pty, TIOCSWINSZ, &wanted);
}

bool is_suspend_key(int pty, char key) {
  struct termios settings {};
  if (::tcgetattr(pty, &settings) != 0 || (settings.c_lflag & ISIG) == 0) return false;
  return settings.c_cc[VSUSP] != _POSIX_VDISABLE && settings.c_cc[VSUSP] == static_cast<unsigned char>(key);
}

bool reads_keys(int pty) {
  struct termios settings {};
  return ::tcgetattr(pty, &settings) == 0 && (settings.c_lflag & ICANON) == 0;
}

namespace {

/// A full pipe holds back the child; the largest that the kernel gives to everyone.
constexpr int kPipeBytes = 1 << 20;

/// Both ends of what connects us with the child.
struct Ends {
  FileDescriptor ours;
  FileDescriptor child;
};

StartFailure launcher_failure(const char* what, int error_number) {
  return {kLauncherFailure,
          fmt::format("cannot {}: {}", what, std::generic_category().message(error_number))};
}

void set_not_blocking(int descriptor) {
  ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
}

tl::expected<Ends, StartFailure> open_pipe(bool child_writes) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(launcher_failure("make a pipe", errno));
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
    return tl::unexpected(launcher_failure("make a pseudo-terminal", errno));
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
  ::_exit(kLauncherFailure);
}

/// Reads what become() reports: nothing when the program runs.
std::optional<StartFailure> start_problem(int report, const std::string& path) {
  std::array<int, 2> problem{};
  ssize_t size = 0;
  do {
    size = ::read(report, problem.data(), sizeof(problem));
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof(problem))) return std::nullopt;
  if (problem[1] == 0) return launcher_failure("set up the new process", problem[0]);
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
  if (pid < 0) return tl::unexpected(launcher_failure("start a process", errno));
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

std::optional<std::string> command_output(const std::string& path, const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& environment,
                                          std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  constexpr std::size_t kMaxBytes = 65536;
  ChildSpec spec;
  spec.path = path;
  spec.arguments = arguments;
  spec.environment = environment;
  spec.input = ChildInput::kPipe;
  auto child = Child::start(spec);
  if (!child) return std::nullopt;
  child->close_input();
  const Clock::time_point end = Clock::now() + patience;
  std::string text;
  bool whole = false;
  while (!whole && text.size() < kMaxBytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    struct pollfd waiting {
      child->output(), POLLIN, 0
    };
    if (left.count() <= 0 || ::poll(&waiting, 1, static_cast<int>(left.count())) == 0) break;
    std::array<char, 4096> piece;
    const ssize_t size = ::read(child->output(), piece.data(), piece.size());
    if (size > 0) text.append(piece.data(), static_cast<std::size_t>(size));
    whole = size == 0 || (size < 0 && errno != EAGAIN && errno != EINTR);
  }
  if (!whole) child->signal_group(SIGKILL);
  const ChildEnd ended = child->wait();
  if (!whole || ended.exit_code != 0) return std::nullopt;
  return text;
}

namespace {

struct Process {
  std::string name;
  char state = '?';
  pid_t group = 0;
  pid_t session = 0;
};

/// `4711 (python3) S 1 4700 4700 ...`; the name may hold blanks and brackets.
std::optional<Process> process_of(const std::string& line) {
  const std::size_t begin = line.find('(');
  const std::size_t end = line.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return std::nullopt;
  Process process;
  process.name = line.substr(begin + 1, end - begin - 1);
  std::istringstream rest(line.substr(end + 1));
  pid_t parent = 0;
  if (!(rest >> process.state >> parent >> process.group >> process.session)) return std::nullopt;
  return process;
}

}  // namespace

std::vector<std::string> group_members(pid_t group) {
  std::vector<std::pair<pid_t, std::string>> found;
  std::error_code error;
  for (fs::directory_iterator at("/proc", error), end; !error && at != end; at.increment(error)) {
    const std::string number = at->path().filename().string();
    pid_t pid = 0;
    const auto [stop, problem] = std::from_chars(number.data(), number.data() + number.size(), pid);
    if (problem != std::errc() || stop != number.data() + number.size()) continue;
    std::ifstream file(at->path() / "stat");
    const std::string line{std::istreambuf_iterator<char>(file), {}};
    const std::optional<Process> process = process_of(line);
    if (!process || process->state == 'Z' || process->state == 'X') continue;
    if (process->group == group || process->session == group)
      found.emplace_back(pid, fmt::format("{} ({})", process->name, pid));
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (auto& [pid, name] : found) names.push_back(std::move(name));
  return names;
}

}  // namespace ttscope::launch
