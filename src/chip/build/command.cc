#include "chip/build/command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "base/file_descriptor.h"

extern char** environ;

namespace ttscope::chip {

namespace {

std::string read_all(int from) {
  std::string text;
  std::array<char, 4096> buffer{};
  while (true) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& arguments) {
  CommandEnd end;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return end;
  const FileDescriptor reading(ends[0]);
  FileDescriptor writing(ends[1]);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, writing.number(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, writing.number(), STDERR_FILENO);
  pid_t pid = -1;
  const int failed = ::posix_spawnp(&pid, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return end;
  writing = FileDescriptor();
  end.started = true;
  end.output = read_all(reading.number());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return end;
}

}  // namespace ttscope::chip
