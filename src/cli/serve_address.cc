#include "cli/serve_address.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <thread>

#include "base/file_descriptor.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

std::string user_name() {
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? std::string(entry->pw_name) : std::string(environment_value("USER"));
}

/// Only what cannot be mistaken for anything else by a shell.
bool is_safe_in_a_shell(const std::string& word) {
  for (const char c : word) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 &&
        std::string_view("-._:").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return !word.empty() && word[0] != '-';
}

/// How the user came here, as sshd says: client address and port, our address and port.
struct SshWay {
  std::string address;
  std::string port = "22";
};

SshWay ssh_way() {
  std::istringstream words{std::string(environment_value("SSH_CONNECTION"))};
  SshWay way;
  std::string client;
  std::string client_port;
  words >> client >> client_port >> way.address >> way.port;
  if (!is_safe_in_a_shell(way.address) || !is_safe_in_a_shell(way.port)) way = {machine_name(), "22"};
  return way;
}

std::string bracketed(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

/// Empty: there is none to be seen.
std::string browser_program() {
  const std::string own(environment_value("BROWSER"));
  if (!own.empty()) return own.substr(0, own.find(':'));
  const bool has_screen =
      !environment_value("DISPLAY").empty() || !environment_value("WAYLAND_DISPLAY").empty();
  return has_screen ? "xdg-open" : std::string();
}

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become_browser(const char* program, char* const* arguments, int failure_pipe, mode_t mask) {
  // In a group of its own: Ctrl-C ends the server, not the browser. Signals that we block are not blocked
  // there.
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  umask(mask);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
  execvp(program, arguments);
  const char failed = 1;
  (void)!write(failure_pipe, &failed, 1);
  _exit(127);
}

/// False when there is no such program.
bool start_browser(const std::string& program, const std::string& page, mode_t mask) {
  std::array<char*, 3> arguments = {const_cast<char*>(program.c_str()), const_cast<char*>(page.c_str()),
                                    nullptr};
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
  const FileDescriptor from(ends[0]);
  FileDescriptor to(ends[1]);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) become_browser(program.c_str(), arguments.data(), to.number(), mask);
  to = FileDescriptor();
  // It may end at once, having told another one, or stay as long as its window.
  std::thread([child] {
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }).detach();
  char failed = 0;
  ssize_t got = 0;
  do {
    got = read(from.number(), &failed, 1);
  } while (got < 0 && errno == EINTR);
  return got == 0;
}

std::string reachable(const serve::ListenSocket& socket) {
  if (!socket.is_any) return socket.address;
  return socket.address == "::" ? "::1" : "127.0.0.1";
}

}  // namespace

std::string machine_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return is_safe_in_a_shell(name.data()) ? name.data() : std::string();
}

std::string page_address(const serve::ListenSocket& socket, const std::string& token,
                         const std::string& path) {
  return fmt::format("http://{}:{}/{}/{}", bracketed(reachable(socket)), socket.port, token, path);
}

std::string tunnel_command(const serve::ListenSocket& socket) {
  const SshWay way = ssh_way();
  const std::string user = user_name();
  const std::string host = way.address.empty() ? "HOST" : way.address;
  return fmt::format("ssh -N -L {0}:{1}:{0}{2} {3}{4}", socket.port, bracketed(reachable(socket)),
                     way.port == "22" ? "" : " -p " + way.port, is_safe_in_a_shell(user) ? user + "@" : "",
                     host);
}

std::unique_ptr<BrowserPage> BrowserPage::open(const std::string& address, mode_t mask) {
  const std::string program = browser_program();
  if (program.empty()) return nullptr;
  std::unique_ptr<BrowserPage> page(new BrowserPage);
  std::error_code error;
  std::filesystem::path base = std::filesystem::temp_directory_path(error);
  if (error) base = "/tmp";
  std::string folder = (base / "ttscope-open-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return nullptr;
  page->folder_ = folder;
  const std::string path = folder + "/open.html";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file < 0) return nullptr;
  page->path_ = path;
  // A number, hexadecimal digits and names of reports that are encoded: nothing in it ends the attribute.
  const std::string text = fmt::format(
      "<!doctype html><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">"
      "<meta http-equiv=\"refresh\" content=\"0;url={0}\"><a href=\"{0}\">ttscope</a>\n",
      address);
  const bool is_written = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(file);
  return is_written && start_browser(program, path, mask) ? std::move(page) : nullptr;
}

BrowserPage::~BrowserPage() {
  if (!path_.empty()) unlink(path_.c_str());
  if (!folder_.empty()) rmdir(folder_.c_str());
}

}  // namespace ttscope::cli
