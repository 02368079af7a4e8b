#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "capture/program_path.h"

namespace ttscope::capture {

/// The words behind the options of `ttscope trace`.
struct ProgramWords {
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
tl::expected<ProfiledProgram, StartFailure> resolve_program(const ProgramWords& given);

}  // namespace ttscope::capture
