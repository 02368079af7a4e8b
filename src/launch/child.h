#pragma once

#include <sys/types.h>
#include <termios.h>

#include <chrono>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/files.h"

namespace ttscope::launch {

/// Exit codes of a command that runs another one, as `env`, `nohup` and shells use them.
inline constexpr int kLauncherFailure = 125;  ///< our part failed: no log, or one with holes
inline constexpr int kNotRunnable = 126;      ///< found, but it cannot be started
inline constexpr int kNotFound = 127;

/// Why a program did not start.
struct StartFailure {
  int exit_code = kLauncherFailure;
  std::string message;
};

/// What execve() is given for a command as typed: itself when it holds a slash, else the first executable of
/// that name in the folders of `search_path` (the value of PATH).
tl::expected<std::string, StartFailure> find_program(const std::string& name, const std::string& search_path);

/// The failure of execve() on `path` in words. A script whose interpreter is missing is told by its first
/// line: the system only says that there is no such file.
StartFailure explain_exec_failure(const std::string& path, int error_number);

/// The words behind the options of `ttscope trace`.
struct ProgramCommand {
  std::vector<std::string> words;
  bool is_module = false;                ///< `-m`
  std::string python;                    ///< that runs Python files; a name or path
  std::vector<std::string> environment;  ///< PATH is looked at
};

/// What is started, without a shell.
struct ProfiledProgram {
  std::string path;                    ///< for execve
  std::vector<std::string> arguments;  ///< [0] is the name it sees
  bool is_python =
      false;  ///< arguments[0] is an interpreter; the rest is a script or `-m MODULE`, and its arguments
};

/// Tells Python files from programs: by `-m`, a leading interpreter (`python x.py`), the ending `.py`, the
/// `#!` line, and by not being a program at all.
tl::expected<ProfiledProgram, StartFailure> resolve_program(const ProgramCommand& given);

/// Puts a terminal into raw mode, so that every key reaches the pseudo-terminal of the child, and back. Does
/// nothing while the program is in the background: the terminal then belongs to someone else.
class TerminalMode {
 public:
  /// `descriptor` < 0: there is no terminal.
  explicit TerminalMode(int descriptor);
  ~TerminalMode() { restore(); }
  TerminalMode(const TerminalMode&) = delete;
  TerminalMode& operator=(const TerminalMode&) = delete;

  bool is_foreground() const;
  bool is_raw() const { return is_raw_; }
  void make_raw();
  void restore();

 private:
  int descriptor_;
  bool has_settings_ = false;
  bool is_raw_ = false;
  struct termios settings_ {};  ///< as they were
};

/// Gives `pty` the size of `terminal`, if that has changed; the child gets SIGWINCH from the kernel.
void copy_window_size(int terminal, int pty);

/// Whether a byte typed on the terminal is the suspend key of the pseudo-terminal's program (Ctrl-Z).
bool is_suspend_key(int pty, char key);
/// Whether a program reads the pseudo-terminal key by key (an editor, a prompt): a status line would disturb.
bool reads_keys(int pty);

/// Where the child's standard input comes from.
enum class ChildInput {
  kInherited,  ///< ours, as it is
  kTerminal,   ///< the pseudo-terminal; needs ChildSpec::pty
  kPipe,       ///< a pipe that we fill
};

struct ChildSpec {
  std::string path;                      ///< what is executed
  std::vector<std::string> arguments;    ///< [0] is the name it sees
  std::vector<std::string> environment;  ///< `NAME=value`
  bool pty = false;                      ///< output to a pseudo-terminal instead of a pipe
  ChildInput input = ChildInput::kInherited;
  int terminal = -1;      ///< pty: the terminal whose settings and size the new one gets
  int error_output = -1;  ///< a descriptor for its standard error; -1: together with its standard output
};

/// How a process ended.
struct ChildEnd {
  int exit_code = 0;      ///< as a shell would tell it: 128 + number after a signal
  int signal_number = 0;  ///< 0: it ended by itself
  bool core_dumped = false;
};

/// A process in a process group of its own (in a session of its own with a pseudo-terminal), started without
/// a shell; its standard output and error come to one descriptor.
class Child {
 public:
  static tl::expected<Child, StartFailure> start(const ChildSpec& spec);

  Child(Child&&) = default;
  Child& operator=(Child&&) = default;

  pid_t pid() const { return pid_; }
  /// What it prints; not blocking. End of file is end of file for a pipe and EIO for a pseudo-terminal.
  int output() const { return output_.number(); }
  /// For its standard input; -1 when that is inherited. Not blocking. The terminal's own descriptor for
  /// kTerminal.
  int input() const { return is_terminal_input_ ? output_.number() : input_.number(); }
  /// The child reads end of file; for kPipe only.
  void close_input() { input_ = FileDescriptor(); }
  /// Readable once the child has ended; -1 where the kernel cannot tell (then ask has_ended()).
  int end_descriptor() const { return end_.number(); }

  /// Does not free its process number, so that signal_group() stays safe.
  bool has_ended() const;
  /// Waits for the end, once.
  ChildEnd wait();
  /// To the child and to all that it started in its group. May be called from any thread until wait().
  void signal_group(int signal_number) const;

 private:
  Child() = default;

  pid_t pid_ = -1;
  FileDescriptor output_;
  FileDescriptor input_;
  FileDescriptor end_;
  bool is_terminal_input_ = false;
};

/// What a short command prints; nothing when it cannot be started, fails, prints more than a page or takes
/// longer than `patience` (its group is killed then). Standard input is empty.
std::optional<std::string> command_output(const std::string& path, const std::vector<std::string>& arguments,
                                          const std::vector<std::string>& environment,
                                          std::chrono::milliseconds patience);

/// The living processes of a process group, or of the session with its number: `python3 (4711)`, by number.
std::vector<std::string> group_members(pid_t group);

}  // namespace ttscope::launch
