#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace ttscope::capture {

/// Exit codes of a command that runs another one, as `env`, `nohup` and shells use them.
inline constexpr int kOwnFailure = 125;   ///< our part failed: no log, or one with holes
inline constexpr int kNotRunnable = 126;  ///< found, but it cannot be started
inline constexpr int kNotFound = 127;

/// Why a program did not start.
struct StartFailure {
  int exit_code = kOwnFailure;
  std::string message;
};

/// What execve() is given for a command as typed: itself when it holds a slash, else the first executable of
/// that name in the folders of `search_path` (the value of PATH).
tl::expected<std::string, StartFailure> find_program(const std::string& name, const std::string& search_path);

/// The failure of execve() on `path` in words. A script whose interpreter is missing is told by its first
/// line: the system only says that there is no such file.
StartFailure explain_exec_failure(const std::string& path, int error_number);

}  // namespace ttscope::capture
