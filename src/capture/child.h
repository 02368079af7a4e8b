#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "base/file_descriptor.h"
#include "capture/program_path.h"

namespace ttscope::capture {

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

}  // namespace ttscope::capture
