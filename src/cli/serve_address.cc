#include "cli/serve_address.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <csignal>
#include <cstdlib>
#include <sstream>

#include "cli/terminal.h"

extern char** environ;

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

bool open_browser(const std::string& address) {
  const std::string own(environment_value("BROWSER"));
  const bool has_screen =
      !environment_value("DISPLAY").empty() || !environment_value("WAYLAND_DISPLAY").empty();
  if (own.empty() && !has_screen) return false;
  std::string program = own.empty() ? "xdg-open" : own.substr(0, own.find(':'));
  std::string target = address;
  std::array<char*, 3> arguments = {program.data(), target.data(), nullptr};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_RDWR, 0);
  }
  // In a group of its own: Ctrl-C ends the server, not the browser. Signals that we block are not blocked
  // there.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0;
}

}  // namespace ttscope::cli
