#include "cli/cmd_doctor.h"

#include <fmt/format.h>

#include <array>

#include "app/doctor_checks.h"
#include "base/json_writer.h"
#include "base/text_escape.h"
#include "cli/environment.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "report/text_layout.h"

namespace ttscope::cli {
namespace {

using Ink = report::Painter::Ink;

std::string_view word_of(app::CheckStatus status) {
  constexpr std::array<std::string_view, 3> kWords = {"ok", "note", "problem"};
  return kWords[static_cast<std::size_t>(status)];
}

std::array<std::pair<std::string_view, capture::Known>, 3> prospect_rows(const app::Prospects& prospects) {
  return {{{"op lines", prospects.op_lines},
           {"memory lines", prospects.memory_lines},
           {"module dumps", prospects.module_dumps}}};
}

std::string text_form(const app::Diagnosis& diagnosis) {
  constexpr std::array<Ink, 3> kInks = {Ink::kGreen, Ink::kYellow, Ink::kRed};
  report::Painter painter(use_color("auto", Stream::kOut),
                          static_cast<std::size_t>(terminal_width(Stream::kOut)));
  for (const app::Check& check : diagnosis.checks) {
    const std::string word = report::pad_right(word_of(check.status), 8);
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
  for (const auto& [name, known] : prospect_rows(diagnosis.prospects)) {
    painter.line(fmt::format("  {} {}", report::pad_right(name, 14), capture::known_word(known)));
  }
  return painter.take();
}

std::string markdown_form(const app::Diagnosis& diagnosis) {
  std::string text = "# ttscope doctor\n\n> ";
  for (const auto& [name, known] : prospect_rows(diagnosis.prospects)) {
    text += fmt::format("{}{}: {}", text.ends_with("> ") ? "" : " | ", name, capture::known_word(known));
  }
  text += "\n\n| status | check | found | means | fix |\n|---|---|---|---|---|\n";
  for (const app::Check& check : diagnosis.checks) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", word_of(check.status), markdown_cell(check.name),
                        markdown_cell(check.found), markdown_cell(check.means), markdown_cell(check.fix));
  }
  return text;
}

std::string json_form(const app::Diagnosis& diagnosis) {
  StringWriter text;
  JsonWriter json(text, {.indented = true});
  json.begin_object();
  json.field("schema", "ttscope.doctor/1");
  json.field("version", version_text());
  json.field("ok", !diagnosis.has_problem());
  json.key("gives");
  json.begin_object();
  json.field("op_lines", capture::known_word(diagnosis.prospects.op_lines));
  json.field("memory_lines", capture::known_word(diagnosis.prospects.memory_lines));
  json.field("module_dumps", capture::known_word(diagnosis.prospects.module_dumps));
  json.end_object();
  json.key("checks");
  json.begin_array();
  for (const app::Check& check : diagnosis.checks) {
    json.begin_object();
    json.field("status", word_of(check.status));
    json.field("name", check.name);
    json.field("found", check.found);
    json.field("means", check.means);
    json.field("fix", check.fix);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  text.write('\n');
  return text.finish() ? text.text() : std::string();
}

}  // namespace

CommandSpec doctor_spec() {
  CommandSpec spec;
  spec.program = "ttscope doctor";
  spec.summary = "what a run in this environment will produce";
  spec.description =
      "Looks at the variables, the TT-XLA installation (is it there, built with TT_RUNTIME_DEBUG, new enough "
      "to need "
      "no source edit), the devices and the room on disk, and says which lines a log will hold and how to "
      "get the "
      "missing ones. For ttscope trace: the capture tools, every variable of the profiler with what follows "
      "from it, what "
      "excludes each other, and whether the last run fitted.";
  spec.options = {
      {"--json", "", "print it as JSON (ttscope.doctor/1)", ValueKind::kText, {}},
      {"--llm", "", "print it as markdown", ValueKind::kText, {}},
      {"--tt-xla", "DIR", "a TT-XLA package, build folder or checkout to look at", ValueKind::kFolder, {}},
      {"--output-dir", "DIR", "where runs will be kept (default: ./logs)", ValueKind::kFolder, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope doctor\n"
      "  ttscope doctor --tt-xla ~/tt-xla --json\n"
      "\n"
      "Exit codes: 0 nothing stands in the way, 1 a problem was found, 2 wrong usage\n";
  return spec;
}

int run_doctor(const ParsedArgs& args) {
  if (args.has("--json") && args.has("--llm")) {
    complain("choose one of --json and --llm");
    return kUsage;
  }
  const app::Diagnosis diagnosis =
      app::diagnose({args.value("--tt-xla"), args.value("--output-dir", "logs"), own_environment()});
  const std::string text = args.has("--json")  ? json_form(diagnosis)
                           : args.has("--llm") ? markdown_form(diagnosis)
                                               : text_form(diagnosis);
  if (const Result<void> printed = print(text); !printed) {
    return fail(printed.error());
  }
  return diagnosis.has_problem() ? kFailed : kOk;
}

}  // namespace ttscope::cli
