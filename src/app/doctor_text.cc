#include "app/doctor_text.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/json_writer.h"
#include "base/text_escape.h"
#include "base/writer.h"
#include "report/text_layout.h"

namespace ttscope::app {
namespace {

using Ink = report::Painter::Ink;

std::string_view word_of(CheckStatus status) {
  constexpr std::array<std::string_view, 3> kWords = {"ok", "note", "problem"};
  return kWords[static_cast<std::size_t>(status)];
}

std::array<std::pair<std::string_view, capture::Known>, 3> prospect_rows(const Prospects& prospects) {
  return {{{"op lines", prospects.op_lines},
           {"memory lines", prospects.memory_lines},
           {"module dumps", prospects.module_dumps}}};
}

}  // namespace

std::string doctor_text(const Diagnosis& diagnosis, bool color, std::size_t width) {
  constexpr std::array<Ink, 3> kInks = {Ink::kGreen, Ink::kYellow, Ink::kRed};
  report::Painter painter(color, width);
  for (const Check& check : diagnosis.checks) {
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

std::string doctor_markdown(const Diagnosis& diagnosis) {
  std::string text = "# ttscope doctor\n\n> ";
  for (const auto& [name, known] : prospect_rows(diagnosis.prospects)) {
    text += fmt::format("{}{}: {}", text.ends_with("> ") ? "" : " | ", name, capture::known_word(known));
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
  json.begin_object();
  json.field("schema", "ttscope.doctor/1");
  json.field("version", version);
  json.field("ok", !diagnosis.has_problem());
  json.key("gives");
  json.begin_object();
  json.field("op_lines", capture::known_word(diagnosis.prospects.op_lines));
  json.field("memory_lines", capture::known_word(diagnosis.prospects.memory_lines));
  json.field("module_dumps", capture::known_word(diagnosis.prospects.module_dumps));
  json.end_object();
  json.key("checks");
  json.begin_array();
  for (const Check& check : diagnosis.checks) {
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

}  // namespace ttscope::app
