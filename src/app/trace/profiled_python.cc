#include "app/trace/profiled_python.h"

#include <fmt/format.h>

#include "app/script_command.h"
#include "base/shell_text.h"
#include "capture/profiler_variables.h"
#include "capture/program_path.h"

namespace ttscope::app {
namespace {

/// tt-metal's own runner sets and removes variables in the program's process again: it is told what holds.
void add_words_for_tracy(const PythonRun& run, const std::vector<std::string>& environment,
                         std::vector<std::string>& words) {
  if (run.makes_report) words.emplace_back("-r");
  if (!run.profiles_devices) words.emplace_back("--no-device");
  if (capture::is_on(environment, "TT_METAL_PROFILER_NO_CACHE_OP_INFO"))
    words.emplace_back("--no-op-info-cache");
  if (run.profiles_devices && !capture::is_on(environment, "TT_METAL_PROFILER_CPP_POST_PROCESS"))
    words.emplace_back("--no-runtime-analysis");
}

}  // namespace

std::string python_of(const std::vector<std::string>& environment) {
  if (const auto given = capture::value_in(environment, "TTSCOPE_PYTHON"); given && !given->empty())
    return *given;
  return script_command({"model.py", {}, environment}).front();
}

void set_python_variables(const PythonRun& run, std::vector<std::string>& environment) {
  const std::string path = python_path_with(run.standins, run.found, environment);
  if (!path.empty()) capture::set_value(environment, "PYTHONPATH", path);
  if (run.found.has_ttnn && !run.found.has_tracy)
    capture::set_value(environment, "TTSCOPE_FORWARD_TTNN", "1");
}

std::vector<std::string> profiled_words(const std::vector<std::string>& typed, const PythonRun& run,
                                        const std::vector<std::string>& environment) {
  std::vector<std::string> words = {typed.front()};
  if (run.found.has_tracy) {
    words.insert(words.end(), {"-m", "tracy", "--no-capture-tool"});
    add_words_for_tracy(run, environment, words);
  } else {
    words.push_back(run.standins.folder + "/tracy/tracy/run_program.py");
  }
  if (run.of_marked_parts) words.emplace_back("-p");
  if (run.of_lines) words.emplace_back("-l");
  words.insert(words.end(), typed.begin() + 1, typed.end());
  return words;
}

Result<std::string> opt_in_commands(const PythonStandins& standins, const std::string& program,
                                    const std::vector<std::string>& environment) {
  if (standins.folder.empty()) return failure(bad_input(kNoStandins));
  const auto path = capture::find_program(python_of(environment),
                                          capture::value_in(environment, "PATH").value_or("/usr/bin:/bin"));
  const PythonFindings found = path ? ask_python(*path, standins, environment) : PythonFindings{};
  std::string text;
  const std::string search = python_path_with(standins, found, environment);
  if (!search.empty()) text += fmt::format("export PYTHONPATH={}\n", shell_quoted(search));
  return text + fmt::format("export TTSCOPE_PROGRAM={}\n", shell_quoted(program));
}

}  // namespace ttscope::app
