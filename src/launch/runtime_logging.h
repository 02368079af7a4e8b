#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ttscope::launch {

enum class Tristate { kNo, kYes, kUnknown };

/// `no`, `yes` or `unknown`.
std::string_view tristate_text(Tristate known);

/// What the libraries of a TT-XLA installation can print. Told by the texts inside them: a text that was not
/// compiled in cannot be printed.
struct RuntimeBuild {
  std::string plugin;                 ///< path of pjrt_plugin_tt.so; empty: not found
  std::vector<std::string> runtimes;  ///< paths of the tt-mlir runtime libraries that belong to it
  Tristate reads_memory_variable =
      Tristate::kUnknown;                      ///< TT_RUNTIME_MEMORY_LOG_LEVEL; no: the source edit is needed
  Tristate has_op_lines = Tristate::kUnknown;  ///< compiled with TT_RUNTIME_DEBUG
  Tristate has_memory_lines = Tristate::kUnknown;
};

/// Looks for the plugin in the given folders (a Python package, a build folder, a checkout), in their order,
/// and at the libraries around it.
RuntimeBuild find_runtime_build(const std::vector<std::string>& folders);

/// Whether a file holds a text; kUnknown when it cannot be read.
Tristate file_holds(const std::string& path, std::string_view text);

/// A variable that decides what a runtime prints.
struct LogVariable {
  std::string name;
  std::string value;      ///< that the program gets
  bool is_users = false;  ///< it was set already and stays as it is
  std::string remark;     ///< what is wrong with the user's value; empty: nothing
};

/// The environment of a captured program.
struct LogEnvironment {
  std::vector<LogVariable> variables;    ///< those that make the log useful, in the order they are told
  std::vector<std::string> obstacles;    ///< other variables that keep lines out of the log, with what to do
  std::vector<std::string> environment;  ///< all of it, `NAME=value`
};

/// Adds what makes a log useful to `environment` (`NAME=value`) and keeps what is set there.
LogEnvironment plan_environment(const std::vector<std::string>& environment);

/// The value of a variable in `environment`; null when it is not set.
const std::string* find_variable(const std::vector<std::string>& environment, std::string_view name,
                                 std::string& value);

}  // namespace ttscope::launch
