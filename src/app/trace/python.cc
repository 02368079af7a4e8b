#include "app/trace/python.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string_view>

#include "app/captured_run.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/profiler_variables.h"

namespace ttscope::app {
namespace {

std::vector<std::string> entries_of(const std::string& search_path) {
  std::vector<std::string> entries;
  for (std::size_t at = 0; at < search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    entries.push_back(search_path.substr(at, end - at));
    at = end + 1;
  }
  return entries;
}

std::string joined(const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) {
    if (!text.empty()) text += ':';
    text += entry;
  }
  return text;
}

bool is_replacement(const std::string& entry, const PythonStandins& standins) {
  return entry == standins.folder + "/tracy" || entry == standins.folder + "/ttnn";
}

bool is_ours(const std::string& entry, const PythonStandins& standins) {
  return is_replacement(entry, standins) || entry == standins.package_folder;
}

}  // namespace

PythonStandins find_standins(const std::string& program, const std::string& installed) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(program).parent_path();
  PythonStandins found;
  std::error_code ignored;
  for (const fs::path& place : {folder / "python_standins", folder / installed}) {
    if (!found.folder.empty() || !fs::is_directory(place / "tracy", ignored)) continue;
    found.folder = place.lexically_normal().string();
  }
  const fs::path package = folder / "python";
  if (fs::is_directory(package / "ttscope", ignored)) found.package_folder = package.string();
  return found;
}

bool is_opted_in(const PythonStandins& standins, const std::vector<std::string>& environment) {
  const std::vector<std::string> entries =
      entries_of(launch::value_in(environment, "PYTHONPATH").value_or(""));
  return std::any_of(entries.begin(), entries.end(),
                     [&](const std::string& entry) { return is_replacement(entry, standins); });
}

PythonFindings ask_python(const std::string& python, const PythonStandins& standins,
                          const std::vector<std::string>& environment) {
  constexpr std::chrono::seconds kPatience{20};
  // A shell that was opted in has our folders in its path.
  const std::string code =
      fmt::format("{}{}", kLeaveCurrentFolder,
                  "import importlib.util as u\n"
                  "sys.path = [p for p in sys.path if not p.startswith(sys.argv[1] + '/')]\n"
                  "for n in ('tracy', 'ttnn'):\n"
                  "  try: s = u.find_spec(n)\n"
                  "  except (ImportError, ValueError): s = None\n"
                  "  print(n, s is not None)\n");
  PythonFindings found;
  const auto text =
      launch::command_output(python, {python, "-c", code, standins.folder}, environment, kPatience);
  if (!text) return found;
  found.was_asked = true;
  found.has_tracy = text->find("tracy True") != std::string::npos;
  found.has_ttnn = text->find("ttnn True") != std::string::npos;
  return found;
}

std::string python_path_with(const PythonStandins& standins, const PythonFindings& found,
                             const std::vector<std::string>& environment) {
  std::vector<std::string> entries = entries_of(launch::value_in(environment, "PYTHONPATH").value_or(""));
  if (standins.folder.empty()) return joined(entries);
  std::erase_if(entries, [&](const std::string& entry) { return is_ours(entry, standins); });
  if (!standins.package_folder.empty()) entries.insert(entries.begin(), standins.package_folder);
  if (!found.has_ttnn) entries.insert(entries.begin(), standins.folder + "/ttnn");
  if (!found.has_tracy) entries.insert(entries.begin(), standins.folder + "/tracy");
  return joined(entries);
}

namespace {

/// tt-metal's own runner sets and removes variables in the program's process again: it is told what holds.
void add_words_for_tracy(const PythonRun& run, const std::vector<std::string>& environment,
                         std::vector<std::string>& words) {
  if (run.makes_report) words.emplace_back("-r");
  if (!run.profiles_devices) words.emplace_back("--no-device");
  if (launch::is_on(environment, "TT_METAL_PROFILER_NO_CACHE_OP_INFO"))
    words.emplace_back("--no-op-info-cache");
  if (run.profiles_devices && !launch::is_on(environment, "TT_METAL_PROFILER_CPP_POST_PROCESS"))
    words.emplace_back("--no-runtime-analysis");
}

/// What `-m tracy` does, but the module is never that of the current folder. A module that was typed may be
/// there: it is found as by `python -m`.
std::string tracy_code(bool runs_module) {
  const std::string run = "runpy._run_module_as_main('tracy')";
  if (!runs_module) return fmt::format("{}import runpy; {}", kLeaveCurrentFolder, run);
  return fmt::format(
      "import sys; n = sys.path[:1].count(''); {}import os, runpy, tracy; sys.path[:0] = [os.getcwd()] * n; "
      "{}",
      kLeaveCurrentFolder, run);
}

}  // namespace

std::string python_of(const std::vector<std::string>& environment) {
  if (const auto given = launch::value_in(environment, "TTSCOPE_PYTHON"); given && !given->empty())
    return *given;
  return script_command({"model.py", {}, environment}).front();
}

void set_python_variables(const PythonRun& run, std::vector<std::string>& environment) {
  const std::string path = python_path_with(run.standins, run.found, environment);
  if (!path.empty()) launch::set_value(environment, "PYTHONPATH", path);
  if (run.found.has_ttnn && !run.found.has_tracy) launch::set_value(environment, "TTSCOPE_FORWARD_TTNN", "1");
}

std::vector<std::string> profiled_command(const std::vector<std::string>& typed, const PythonRun& run,
                                          const std::vector<std::string>& environment) {
  std::vector<std::string> words = {typed.front()};
  if (run.found.has_tracy) {
    words.insert(words.end(), {"-c", tracy_code(typed.size() > 1 && typed[1] == "-m"), "--no-capture-tool"});
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
  const auto path = launch::find_program(python_of(environment),
                                         launch::value_in(environment, "PATH").value_or("/usr/bin:/bin"));
  const PythonFindings found = path ? ask_python(*path, standins, environment) : PythonFindings{};
  std::string text;
  const std::string search = python_path_with(standins, found, environment);
  if (!search.empty()) text += fmt::format("export PYTHONPATH={}\n", shell_quoted(search));
  return text + fmt::format("export TTSCOPE_PROGRAM={}\n", shell_quoted(program));
}

}  // namespace ttscope::app
