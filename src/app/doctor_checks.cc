#include "app/doctor_checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/profiler_checks.h"
#include "app/report_library.h"
#include "app/run_folder.h"
#include "app/script_command.h"
#include "capture/command_output.h"
#include "capture/log_variables.h"
#include "capture/program_path.h"
#include "report/number_text.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using capture::Known;

constexpr long long kPlentyBytes = 4LL << 30;
constexpr long long kLeastBytes = 256LL << 20;
constexpr std::string_view kDebugBuild =
    "cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Debug -DTT_RUNTIME_DEBUG=ON && cmake --build build";

std::string meaning_of(const std::string& variable) {
  if (variable == "TTMLIR_RUNTIME_LOGGER_LEVEL") return "op lines";
  if (variable == "TT_RUNTIME_MEMORY_LOG_LEVEL") return "memory lines for each op";
  if (variable == "TTXLA_LOGGER_LEVEL") return "module dumps, which name weights and inputs";
  return "Python's own lines in their place";
}

void check_variables(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const capture::LogEnvironment plan = capture::plan_environment(environment);
  for (const capture::LogVariable& variable : plan.variables) {
    Check check;
    check.name = variable.name;
    check.means = meaning_of(variable.name);
    if (!variable.is_users) {
      check.found = fmt::format("not set; ttscope run sets {}", variable.value);
      check.fix = fmt::format("without ttscope run: export {}={}", variable.name, variable.value);
    } else {
      check.found = fmt::format("{} (kept)", variable.value);
      if (!variable.remark.empty()) {
        check.status = CheckStatus::kProblem;
        check.means = "missing: " + variable.remark;
        check.fix = fmt::format("unset {}", variable.name);
      }
    }
    diagnosis.checks.push_back(std::move(check));
  }
  for (const std::string& obstacle : plan.obstacles) {
    const std::size_t end = obstacle.rfind("; ");
    const std::size_t name_end = obstacle.find_first_of("= :");
    diagnosis.checks.push_back({CheckStatus::kProblem, obstacle.substr(0, name_end), "set",
                                obstacle.substr(0, end), obstacle.substr(end + 2)});
  }
}

/// The program that `tt-memory-profiler MODEL.py` takes, as a path; empty if there is none.
std::string python_path(const std::vector<std::string>& environment) {
  std::string search_path;
  capture::find_variable(environment, "PATH", search_path);
  const auto path = capture::find_program(
      script_command({.script = "model.py", .environment = environment}).front(), search_path);
  return path && access(path->c_str(), X_OK) == 0 ? *path : std::string();
}

/// Asks Python where the package is, without loading it.
std::string package_folder(const std::string& python, const std::vector<std::string>& environment) {
  constexpr std::chrono::seconds kPatience{10};
  const std::string code =
      "import importlib.util as u\n"
      "for n in ('pjrt_plugin_tt', 'jax_plugins.pjrt_plugin_tt'):\n"
      "  try: s = u.find_spec(n)\n"
      "  except ImportError: s = None\n"
      "  if s and s.submodule_search_locations:\n"
      "    print(list(s.submodule_search_locations)[0])\n"
      "    break\n";
  const auto text = capture::command_output(python, {python, "-c", code}, environment, kPatience);
  if (!text) return {};
  return text->substr(0, text->find('\n'));
}

Check check_python(const std::string& python) {
  if (!python.empty()) return {CheckStatus::kOk, "python", python, "runs MODEL.py of tt-memory-profiler", ""};
  return {CheckStatus::kNote, "python", "not found in PATH", "tt-memory-profiler MODEL.py cannot run",
          "source venv/activate, or put python3 into PATH"};
}

Check check_debug(const capture::RuntimeBuild& build) {
  if (build.has_op_lines == Known::kYes) {
    return {CheckStatus::kOk, "runtime build", "with TT_RUNTIME_DEBUG", "op lines are compiled in", ""};
  }
  if (build.has_op_lines == Known::kNo) {
    return {CheckStatus::kProblem, "runtime build", "without TT_RUNTIME_DEBUG",
            "neither op lines nor memory lines are compiled in", std::string(kDebugBuild)};
  }
  return {CheckStatus::kNote, "runtime build", "its library libTTMLIRRuntime.so was not found",
          "op lines need a build with TT_RUNTIME_DEBUG", std::string(kDebugBuild)};
}

Check check_memory_level(const capture::RuntimeBuild& build) {
  if (build.reads_memory_variable == Known::kYes) {
    return {CheckStatus::kOk, "memory log level", "TT-XLA reads TT_RUNTIME_MEMORY_LOG_LEVEL",
            "no source edit is needed", ""};
  }
  return {
      CheckStatus::kProblem, "memory log level",
      "this TT-XLA is older than 2025-12-02 and does not read TT_RUNTIME_MEMORY_LOG_LEVEL",
      "no memory lines without an edit of its source",
      "update TT-XLA, or add tt::runtime::setMemoryLogLevel(tt::runtime::MemoryLogLevel::Operation); at the "
      "beginning of execute() in pjrt_implementation/src/api/flatbuffer_loaded_executable_instance.cc and "
      "build "
      "again"};
}

capture::RuntimeBuild check_runtime(const std::vector<std::string>& folders, Diagnosis& diagnosis) {
  capture::RuntimeBuild build = capture::find_runtime_build(folders);
  if (build.plugin.empty()) {
    diagnosis.checks.push_back({CheckStatus::kNote, "TT-XLA", "pjrt_plugin_tt.so not found",
                                "what it prints cannot be told from here",
                                "activate its virtual environment, or name it: ttscope doctor --tt-xla DIR"});
    return build;
  }
  diagnosis.checks.push_back(
      {CheckStatus::kOk, "TT-XLA", build.plugin, "the plugin that JAX and PyTorch load", ""});
  diagnosis.checks.push_back(check_debug(build));
  diagnosis.checks.push_back(check_memory_level(build));
  return build;
}

Check check_devices() {
  std::error_code ignored;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator("/dev/tenstorrent", ignored)) {
    if (entry.path().filename().string().find_first_not_of("0123456789") == std::string::npos) ++count;
  }
  if (count > 0) {
    return {CheckStatus::kOk, "devices", report::counted(count, "chip") + " in /dev/tenstorrent", "", ""};
  }
  return {CheckStatus::kNote, "devices", "none in /dev/tenstorrent", "models cannot run on this machine",
          "run on the machine with the accelerator, or install its driver (tt-kmd)"};
}

Check check_disk(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored);
  while (!fs::exists(place, ignored) && place != place.parent_path()) place = place.parent_path();
  const long long room = free_bytes_at(folder);
  Check check{CheckStatus::kOk, name, fmt::format("{}: {} free", folder, report::size_text(room)),
              "a log takes about 1.7 KB for each op", ""};
  if (access(place.c_str(), W_OK) != 0) {
    check = {CheckStatus::kProblem, name, fmt::format("{} cannot be written", place.string()),
             "nothing can be kept there", "choose another place: --output-dir DIR"};
  } else if (room >= 0 && room < kLeastBytes) {
    check.status = CheckStatus::kProblem;
    check.fix = "make room, choose another place (--output-dir DIR), or use --compress";
  } else if (room >= 0 && room < kPlentyBytes) {
    check.status = CheckStatus::kNote;
    check.fix = "a long run may need more: --compress writes about a tenth";
  }
  return check;
}

Known both(Known a, Known b) {
  if (a == Known::kNo || b == Known::kNo) return Known::kNo;
  return a == Known::kYes && b == Known::kYes ? Known::kYes : Known::kUnknown;
}

/// Whether the variable, as `ttscope run` would have it, lets the lines through.
Known lets_through(const capture::LogEnvironment& plan, std::string_view name, std::string_view obstacle) {
  for (const capture::LogVariable& variable : plan.variables) {
    if (variable.name == name && !variable.remark.empty()) return Known::kNo;
  }
  const bool blocked =
      std::any_of(plan.obstacles.begin(), plan.obstacles.end(),
                  [&](const std::string& text) { return text.compare(0, obstacle.size(), obstacle) == 0; });
  return blocked ? Known::kNo : Known::kYes;
}

Prospects prospects_of(const std::vector<std::string>& environment, const capture::RuntimeBuild& build) {
  const capture::LogEnvironment plan = capture::plan_environment(environment);
  Prospects prospects;
  prospects.op_lines =
      both(build.has_op_lines, lets_through(plan, "TTMLIR_RUNTIME_LOGGER_LEVEL", "TTMLIR_RUNTIME_LOGGER"));
  prospects.memory_lines =
      both(both(build.has_memory_lines, build.reads_memory_variable),
           lets_through(plan, "TT_RUNTIME_MEMORY_LOG_LEVEL", "TTMLIR_RUNTIME_LOGGER_FILE"));
  prospects.module_dumps = both(build.plugin.empty() ? Known::kUnknown : Known::kYes,
                                lets_through(plan, "TTXLA_LOGGER_LEVEL", "TTXLA_LOGGER_FILE"));
  return prospects;
}

}  // namespace

bool Diagnosis::has_problem() const {
  return std::any_of(checks.begin(), checks.end(),
                     [](const Check& check) { return check.status == CheckStatus::kProblem; });
}

Diagnosis diagnose(const DoctorRequest& request) {
  const auto& [build_folder, base, environment] = request;
  Diagnosis diagnosis;
  check_variables(environment, diagnosis);
  const std::string python = python_path(environment);
  diagnosis.checks.push_back(check_python(python));
  std::vector<std::string> folders;
  if (!build_folder.empty()) {
    folders = {build_folder};
  } else {
    if (!python.empty()) {
      const std::string package = package_folder(python, environment);
      if (!package.empty()) folders.push_back(package);
    }
    folders.push_back(".");
  }
  const capture::RuntimeBuild build = check_runtime(folders, diagnosis);
  diagnosis.checks.push_back(check_devices());
  add_profiler_checks(environment, diagnosis);
  diagnosis.checks.push_back(check_disk("disk room for runs", base));
  if (const Result<std::string> library = library_folder(environment)) {
    diagnosis.checks.push_back(check_disk("disk room for reports", *library));
  }
  diagnosis.prospects = prospects_of(environment, build);
  return diagnosis;
}

}  // namespace ttscope::app
