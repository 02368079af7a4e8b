// Declared in gate_text.h: the forms that programs read.
#include <fmt/format.h>

#include "base/json_writer.h"
#include "base/text_escape.h"
#include "gate/write/gate_text.h"
#include "gate/write/gate_words.h"
#include "report/document_head.h"

namespace ttscope::gate {
namespace {

/// A value of an attribute, without the quotes.
std::string attribute(std::string_view text) {
  std::string escaped;
  for (const char c : markup_text(text)) {
    if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

void write_gated_run(JsonWriter& json, const GatedRun& run) {
  json.begin_object();
  json.field("input", run.input);
  json.field("section", name_of(run.section));
  json.field("window", run.what);
  json.field("device", run.device);
  json.field("repeats", run.repeats);
  json.key("failure");
  if (run.failure.empty()) {
    json.value(nullptr);
  } else {
    json.value(run.failure);
  }
  json.end_object();
}

void write_check(JsonWriter& json, const Check& check) {
  json.begin_object();
  json.field("name", check.bound.path());
  json.field("input", check.input);
  json.field("outcome", key_of(check.outcome));
  json.field("reason", key_of(check.reason));
  json.field("line", check.bound.line);
  json.field("bound", check.bound.written);
  json.field("unit", unit_of(check.bound.figure->quantity));
  json.field("value", check.value);
  json.field("allowed", check.allowed);
  json.field("baseline", check.baseline);
  json.field("whole", check.whole);
  json.field("text", check_text(check));
  json.end_object();
}

}  // namespace

void write_gate_json(const GateReport& report, std::string_view tool_version, Writer& out) {
  JsonWriter json(out, {.indented = true, .ascii = true});
  json.begin_object();
  report::write_document_head(json, "ttscope.gate/1", tool_version);
  json.field("passed", report.passed());
  json.field("budget", report.budget);
  for (const auto& [key, runs] : {std::pair("runs", &report.runs), std::pair("baseline", &report.baseline)}) {
    json.key(key);
    json.begin_array();
    for (const GatedRun& run : *runs) write_gated_run(json, run);
    json.end_array();
  }
  json.key("cautions");
  json.begin_array();
  for (const diff::Caution& caution : report.cautions) {
    json.begin_object();
    json.field("name", caution.name);
    json.field("before", caution.before);
    json.field("after", caution.after);
    json.end_object();
  }
  json.end_array();
  json.key("checks");
  json.begin_array();
  for (const Check& check : report.checks) write_check(json, check);
  json.end_array();
  json.end_object();
  out.write('\n');
}

std::string gate_junit(const GateReport& report) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  const auto add = [&](std::string_view group, std::string_view name, CheckOutcome outcome,
                       std::string_view text) {
    cases += fmt::format("    <testcase classname=\"ttscope.{}\" name=\"{}\"", group, attribute(name));
    if (outcome == CheckOutcome::kPassed) {
      cases += fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", markup_text(text));
      return;
    }
    const std::string_view word = outcome == CheckOutcome::kFailed ? "failure" : "error";
    ++(outcome == CheckOutcome::kFailed ? failures : errors);
    cases += fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", word, attribute(text));
  };
  for (const GatedRun& run : report.runs) {
    add(name_of(run.section), "run " + run.input,
        run.failure.empty() ? CheckOutcome::kPassed : CheckOutcome::kFailed,
        run.failure.empty() ? run.what : run.failure);
  }
  for (const Check& check : report.checks) {
    add(name_of(check.bound.figure->section), check_name(check), check.outcome, check_text(check));
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                         report.checks.size() + report.runs.size(), failures, errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"ttscope gate {}\" "
      "{}>\n{}  </testsuite>\n</testsuites>\n",
      counts, attribute(report.budget), counts, cases);
}

}  // namespace ttscope::gate
