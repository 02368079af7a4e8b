#include "app/doctor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "app/captured_run.h"
#include "app/report_library.h"
#include "app/trace/python.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "base/writer.h"
#include "launch/child.h"
#include "launch/runtime_logging.h"
#include "ui/text.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using launch::Tristate;

constexpr long long kEnoughBytes = 4LL << 30;
constexpr long long kMinBytes = 256LL << 20;
constexpr std::string_view kDebugBuild =
    "cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Debug -DTT_RUNTIME_DEBUG=ON && cmake --build build";

std::string meaning_of(const std::string& variable) {
  if (variable == "TTMLIR_RUNTIME_LOGGER_LEVEL") return "op lines";
  if (variable == "TT_RUNTIME_MEMORY_LOG_LEVEL") return "memory lines for each op";
  if (variable == "TTXLA_LOGGER_LEVEL") return "module dumps, which name weights and inputs";
  return "Python's own lines in their place";
}

void check_variables(const std::vector<std::string>& environment, Diagnosis& diagnosis) {
  const launch::LogEnvironment plan = launch::plan_environment(environment);
  for (const launch::LogVariable& variable : plan.variables) {
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
  launch::find_variable(environment, "PATH", search_path);
  const auto path = launch::find_program(
      script_command({.script = "model.py", .environment = environment}).front(), search_path);
  return path && access(path->c_str(), X_OK) == 0 ? *path : std::string();
}

/// Asks Python where the package is, without loading it. Asked for `a.b`, find_spec() would load `a`.
std::string package_folder(const std::string& python, const std::vector<std::string>& environment) {
  constexpr std::chrono::seconds kPatience{10};
  const std::string code = fmt::format("{}{}", kLeaveCurrentFolder,
                                       "import os, importlib.util as u\n"
                                       "def find(n):\n"
                                       "  try: s = u.find_spec(n)\n"
                                       "  except (ImportError, ValueError): s = None\n"
                                       "  return list(s.submodule_search_locations or []) if s else []\n"
                                       "found = find('pjrt_plugin_tt')\n"
                                       "found += [p for p in (os.path.join(f, 'pjrt_plugin_tt') for f in "
                                       "find('jax_plugins')) if os.path.isdir(p)]\n"
                                       "print(*found[:1])\n");
  const auto text = launch::command_output(python, {python, "-c", code}, environment, kPatience);
  if (!text) return {};
  return text->substr(0, text->find('\n'));
}

Check check_python(const std::string& python) {
  if (!python.empty()) return {CheckStatus::kOk, "python", python, "runs MODEL.py of tt-memory-profiler", ""};
  return {CheckStatus::kNote, "python", "not found in PATH", "tt-memory-profiler MODEL.py cannot run",
          "source venv/activate, or put python3 into PATH"};
}

Check check_debug(const launch::RuntimeBuild& build) {
  if (build.has_op_lines == Tristate::kYes) {
    return {CheckStatus::kOk, "runtime build", "with TT_RUNTIME_DEBUG", "op lines are compiled in", ""};
  }
  if (build.has_op_lines == Tristate::kNo) {
    return {CheckStatus::kProblem, "runtime build", "without TT_RUNTIME_DEBUG",
            "neither op lines nor memory lines are compiled in", std::string(kDebugBuild)};
  }
  return {CheckStatus::kNote, "runtime build", "its library libTTMLIRRuntime.so was not found",
          "op lines need a build with TT_RUNTIME_DEBUG", std::string(kDebugBuild)};
}

Check check_memory_level(const launch::RuntimeBuild& build) {
  if (build.reads_memory_variable == Tristate::kYes) {
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

launch::RuntimeBuild check_runtime(const std::vector<std::string>& folders, Diagnosis& diagnosis) {
  launch::RuntimeBuild build = launch::find_runtime_build(folders);
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
    return {CheckStatus::kOk, "devices", ui::counted(count, "chip") + " in /dev/tenstorrent", "", ""};
  }
  return {CheckStatus::kNote, "devices", "none in /dev/tenstorrent", "models cannot run on this machine",
          "run on the machine with the accelerator, or install its driver (tt-kmd)"};
}

Check check_disk(const std::string& name, const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored);
  while (!fs::exists(place, ignored) && place != place.parent_path()) place = place.parent_path();
  const long long room = free_bytes_at(folder);
  Check check{CheckStatus::kOk, name, fmt::format("{}: {} free", folder, ui::size_text(room)),
              "a log takes about 1.7 KB for each op", ""};
  if (access(place.c_str(), W_OK) != 0) {
    check = {CheckStatus::kProblem, name, fmt::format("{} cannot be written", place.string()),
             "nothing can be kept there", "choose another place: --output-dir DIR"};
  } else if (room >= 0 && room < kMinBytes) {
    check.status = CheckStatus::kProblem;
    check.fix = "make room, choose another place (--output-dir DIR), or use --compress";
  } else if (room >= 0 && room < kEnoughBytes) {
    check.status = CheckStatus::kNote;
    check.fix = "a long run may need more: --compress writes about a tenth";
  }
  return check;
}

Tristate both(Tristate a, Tristate b) {
  if (a == Tristate::kNo || b == Tristate::kNo) return Tristate::kNo;
  return a == Tristate::kYes && b == Tristate::kYes ? Tristate::kYes : Tristate::kUnknown;
}

/// Whether the variable, as `ttscope run` would have it, lets the lines through.
Tristate allows_lines(const launch::LogEnvironment& plan, std::string_view name, std::string_view obstacle) {
  for (const launch::LogVariable& variable : plan.variables) {
    if (variable.name == name && !variable.remark.empty()) return Tristate::kNo;
  }
  const bool blocked =
      std::any_of(plan.obstacles.begin(), plan.obstacles.end(),
                  [&](const std::string& text) { return text.compare(0, obstacle.size(), obstacle) == 0; });
  return blocked ? Tristate::kNo : Tristate::kYes;
}

ExpectedOutput expected_output_of(const std::vector<std::string>& environment,
                                  const launch::RuntimeBuild& build) {
  const launch::LogEnvironment plan = launch::plan_environment(environment);
  ExpectedOutput expected_output;
  expected_output.op_lines =
      both(build.has_op_lines, allows_lines(plan, "TTMLIR_RUNTIME_LOGGER_LEVEL", "TTMLIR_RUNTIME_LOGGER"));
  expected_output.memory_lines =
      both(both(build.has_memory_lines, build.reads_memory_variable),
           allows_lines(plan, "TT_RUNTIME_MEMORY_LOG_LEVEL", "TTMLIR_RUNTIME_LOGGER_FILE"));
  expected_output.module_dumps = both(build.plugin.empty() ? Tristate::kUnknown : Tristate::kYes,
                                      allows_lines(plan, "TTXLA_LOGGER_LEVEL", "TTXLA_LOGGER_FILE"));
  return expected_output;
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
  const launch::RuntimeBuild build = check_runtime(folders, diagnosis);
  diagnosis.checks.push_back(check_devices());
  add_profiler_checks(environment, diagnosis);
  diagnosis.checks.push_back(check_disk("disk room for runs", base));
  if (const Result<std::string> library = library_folder(environment)) {
    diagnosis.checks.push_back(check_disk("disk room for reports", *library));
  }
  diagnosis.expected_output = expected_output_of(environment, build);
  return diagnosis;
}

namespace {

using Ink = ui::Painter::Ink;

std::string_view word_of(CheckStatus status) {
  constexpr std::array<std::string_view, 3> kWords = {"ok", "note", "problem"};
  return kWords[static_cast<std::size_t>(status)];
}

std::array<std::pair<std::string_view, launch::Tristate>, 3> expected_output_rows(
    const ExpectedOutput& expected_output) {
  return {{{"op lines", expected_output.op_lines},
           {"memory lines", expected_output.memory_lines},
           {"module dumps", expected_output.module_dumps}}};
}

}  // namespace

std::string doctor_text(const Diagnosis& diagnosis, bool color, std::size_t width) {
  constexpr std::array<Ink, 3> kInks = {Ink::kGreen, Ink::kYellow, Ink::kRed};
  ui::Painter painter(color, width);
  for (const Check& check : diagnosis.checks) {
    const std::string word = ui::pad_right(word_of(check.status), 8);
    painter.line(painter.paint(word, kInks[static_cast<std::size_t>(check.status)]) +
                 terminal_safe(check.name));
    constexpr std::size_t kIndent = 8;
    painter.paragraph(kIndent, terminal_safe(check.found));
    if (!check.means.empty()) {
      painter.paragraph(kIndent, terminal_safe(check.means));
    }
    if (!check.fix.empty()) painter.paragraph(kIndent, "-> " + terminal_safe(check.fix));
  }
  painter.heading("A run by `ttscope run` gives here");
  for (const auto& [name, known] : expected_output_rows(diagnosis.expected_output)) {
    painter.line(fmt::format("  {} {}", ui::pad_right(name, 14), launch::tristate_text(known)));
  }
  return painter.take();
}

std::string doctor_markdown(const Diagnosis& diagnosis) {
  std::string text = "# ttscope doctor\n\n> ";
  for (const auto& [name, known] : expected_output_rows(diagnosis.expected_output)) {
    text += fmt::format("{}{}: {}", text.ends_with("> ") ? "" : " | ", name, launch::tristate_text(known));
  }
  text += "\n\n| status | check | found | means | fix |\n|---|---|---|---|---|\n";
  for (const Check& check : diagnosis.checks) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", word_of(check.status), markdown_cell(check.name),
                        markdown_cell(check.found), markdown_cell(check.means), markdown_cell(check.fix));
  }
  return text;
}

std::string doctor_json(const Diagnosis& diagnosis, std::string_view version) {
  StringWriter text;
  JsonWriter json(text, {.indented = true});
  json.object([&] {
    json.field("schema", "ttscope.doctor/1");
    json.field("version", version);
    json.field("ok", !diagnosis.has_problem());
    json.object("gives", [&] {
      json.field("op_lines", launch::tristate_text(diagnosis.expected_output.op_lines));
      json.field("memory_lines", launch::tristate_text(diagnosis.expected_output.memory_lines));
      json.field("module_dumps", launch::tristate_text(diagnosis.expected_output.module_dumps));
    });
    json.objects("checks", diagnosis.checks, [&](const Check& check) {
      json.field("status", word_of(check.status));
      json.field("name", check.name);
      json.field("found", check.found);
      json.field("means", check.means);
      json.field("fix", check.fix);
    });
  });
  text.write('\n');
  return text.finish() ? text.text() : std::string();
}

}  // namespace ttscope::app
