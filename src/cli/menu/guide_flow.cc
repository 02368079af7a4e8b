// Declared in flows.h, as all flows of the menu are.
#include <fmt/format.h>

#include <array>

#include "app/doctor_checks.h"
#include "cli/environment.h"
#include "cli/menu/flows.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kSteps =
    "1. Memory lines for each op. TT-XLA since December 2025 prints them when the variable of step 3 is set. "
    "In "
    "an older one, add at the beginning of execute() in "
    "pjrt_implementation/src/api/flatbuffer_loaded_executable_instance.cc:\n"
    "     tt::runtime::setMemoryLogLevel(\n"
    "         tt::runtime::MemoryLogLevel::Operation);\n"
    "\n"
    "2. A build that can print them:\n"
    "     source venv/activate\n"
    "     cmake -G Ninja -B build -DCMAKE_BUILD_TYPE=Debug -DTT_RUNTIME_DEBUG=ON\n"
    "     cmake --build build\n"
    "\n"
    "3. The variables that make the log useful:\n"
    "     export TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG\n"
    "     export TT_RUNTIME_MEMORY_LOG_LEVEL=operation\n"
    "     export TTXLA_LOGGER_LEVEL=DEBUG\n"
    "\n"
    "4. Run the model. This sets the variables by itself, and keeps the log in ./logs/:\n"
    "     tt-memory-profiler --log path/to/your_model.py";

/// What `ttscope doctor` finds, in few words.
terminal::PanelSpec findings() {
  const app::Diagnosis diagnosis = app::diagnose({{}, "logs", own_environment()});
  terminal::PanelSpec panel;
  panel.title = "This Machine";
  panel.style = diagnosis.has_problem() ? terminal::Style::kWarning : terminal::Style::kGood;
  for (const app::Check& check : diagnosis.checks) {
    constexpr std::array<std::string_view, 3> kMarks = {"✓", "·", "!"};
    panel.paragraphs.push_back(
        fmt::format("{} {}: {}", kMarks[static_cast<std::size_t>(check.status)], check.name, check.found));
    if (check.status == app::CheckStatus::kProblem && !check.fix.empty()) {
      panel.paragraphs.push_back("    " + check.fix);
    }
  }
  const app::Prospects& gives = diagnosis.prospects;
  panel.paragraphs.insert(
      panel.paragraphs.end(),
      {"", fmt::format("A run here gives op lines: {}, memory lines: {}, module dumps: {}. `ttscope doctor` "
                       "says more.",
                       capture::known_word(gives.op_lines), capture::known_word(gives.memory_lines),
                       capture::known_word(gives.module_dumps))});
  return panel;
}

}  // namespace

Flow explain_logs(Ui& ui) {
  ui.show_panel({"Getting Started", {std::string(kSteps)}});
  ui.show_panel(findings());
  if (!ui.wait_for_enter("Press Enter when you have your log file ready, Esc to go back..."))
    return std::nullopt;
  return report_on_users_log(ui);
}

}  // namespace ttscope::cli
