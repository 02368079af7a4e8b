#include "app/script_command.h"

#include <unistd.h>

#include "app/run_folder.h"
#include "capture/log_variables.h"
#include "capture/program_path.h"

namespace ttscope::app {
namespace {

std::string python_interpreter(const std::vector<std::string>& environment) {
  std::string virtual_environment;
  if (capture::find_variable(environment, "VIRTUAL_ENV", virtual_environment) &&
      !virtual_environment.empty()) {
    std::string python = virtual_environment + "/bin/python";
    if (access(python.c_str(), X_OK) == 0) return python;
  }
  std::string path;
  const bool has_path = capture::find_variable(environment, "PATH", path);
  for (const char* name : {"python", "python3"}) {
    if (has_path && capture::find_program(name, path)) return name;
  }
  return "python3";
}

}  // namespace

std::vector<std::string> script_command(const ScriptRun& run) {
  std::vector<std::string> command;
  if (!is_python_file(run.script) && access(run.script.c_str(), X_OK) == 0) {
    // Without a slash it would be searched in PATH.
    command = {run.script.find('/') == std::string::npos ? "./" + run.script : run.script};
  } else {
    command = {python_interpreter(run.environment), "-u", run.script};
  }
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  return command;
}

}  // namespace ttscope::app
