#include <memory>

#include "base/json_writer.h"
#include "base/text.h"
#include "phases/tables/tables.h"
#include "phases/write/outputs.h"
#include "phases/write/plot.h"
#include "table/write.h"
#include "ui/json_text.h"
#include "ui/page.h"

namespace ttscope::phases {
namespace {

/// The rows of declared tables, each list in the order in which the document has them.
struct DeclaredRows {
  explicit DeclaredRows(const table::TableSet& set)
      : peak(*set.find("configurations"), {{"bytes", "peak_bytes"},
                                           {"phase", "peak_phase"},
                                           {"share_of_device"},
                                           {"fits"},
                                           {"left_bytes"}}),
        components(*set.find("components"), {{"bytes"}, {"measured_bytes"}, {"confidence"}}),
        phases(*set.find("phases"), {{"name"},
                                     {"base"},
                                     {"role"},
                                     {"micro_step"},
                                     {"counter"},
                                     {"line"},
                                     {"start_bytes"},
                                     {"segment_peak_bytes"},
                                     {"reached_bytes"},
                                     {"allocations_bytes"},
                                     {"deallocations_bytes"},
                                     {"change_bytes"},
                                     {"cumulative_peak_bytes"},
                                     {"current_bytes"},
                                     {"all_figures_printed"}}),
        steps(*set.find("steps"), {{"micro_step"},
                                   {"first_phase"},
                                   {"last_phase"},
                                   {"has_backward"},
                                   {"activations_bytes"},
                                   {"net_bytes"},
                                   {"peak_bytes"}}),
        violations(*set.find("violations"), {{"relation"}, {"phase"}, {"printed_mb"}, {"expected_mb"}}),
        advice(*set.find("advice"), {{"kind"}, {"bytes"}, {"peak_after_bytes"}, {"confidence"}}),
        problems(*set.find("problems"), {{"problem"}, {"count"}, {"what"}, {"repaired"}}) {}

  table::JsonRows peak;
  table::JsonRows components;
  table::JsonRows phases;
  table::JsonRows steps;
  table::JsonRows violations;
  table::JsonRows advice;
  table::JsonRows problems;
};

class Document {
 public:
  Document(const Profile& profile, Writer& out)
      : log_(profile.log),
        analysis_(profile.analysis),
        rows_(tables_of(std::shared_ptr<const Profile>(std::shared_ptr<const void>(), &profile))),
        json_(out, {.indented = true}) {}

  void write(const PhasesJsonOptions& options) {
    json_.object([&] {
      ui::write_document_head(json_, "ttscope.phases/1", options.tool_version);
      json_.field("title", text_or_null(options.title));
      json_.array("inputs", [&] {
        for (std::size_t i = 0; i < log_.files.size(); ++i)
          json_.object([&] {
            json_.field("path", log_.files[i]);
            json_.field("lines", log_.lines[i]);
          });
      });
      write_trust();
      json_.field("verdict", analysis_.verdict ? std::optional<std::string_view>(name_of(*analysis_.verdict))
                                               : std::nullopt);
      json_.objects("configurations", analysis_.configurations,
                    [&](const Configuration& run) { write_run(run); });
    });
  }

 private:
  void write_trust() {
    json_.object("trust", [&] {
      json_.field("scope", scope_text());
      std::vector<PhaseProblem> found;
      for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
        const auto problem = static_cast<PhaseProblem>(i);
        if (log_.problems.count(problem) > 0) found.push_back(problem);
      }
      json_.objects("problems", found, [&](PhaseProblem problem) { write_problem(problem); });
      write_missing_verdicts();
      json_.list("warnings", log_.warnings);
    });
  }

  /// Runs whose figures do not tell whether they fit, and why.
  void write_missing_verdicts() {
    std::vector<const Configuration*> without;
    for (const Configuration& run : analysis_.configurations) {
      if (!run.has_verdict()) without.push_back(&run);
    }
    json_.objects("no_verdict", without, [&](const Configuration* run) {
      json_.field("run", run->name);
      json_.field("reason", no_verdict_text(*run));
    });
  }

  void write_problem(PhaseProblem problem) {
    rows_.problems.write_next(json_);
    json_.objects("first_places", log_.problems.places(problem), [&](const auto& place) {
      json_.field("file", place.file);
      json_.field("line", place.line);
    });
  }

  void write_run(const Configuration& run) {
    const PhaseSummary& summary = log_.summaries[run.summary];
    json_.field("name", run.name);
    json_.field("file", summary.file);
    json_.field("line", summary.line);
    json_.field("rank", summary.rank);
    json_.field("cut", summary.cut);
    json_.field("severity", name_of(run.severity));
    json_.field("verdict", run.has_verdict() ? std::optional<std::string>(verdict_text(run)) : std::nullopt);
    json_.field("parameters", run.parameters);
    write_device(run);
    json_.object("peak", [&] { rows_.peak.write_next(json_); });
    json_.field("final_bytes", run.final_bytes);
    write_sizes(run);
    write_components(run);
    write_phases(run);
    json_.objects("steps", run.steps, [&](const auto&) { rows_.steps.write_next(json_); });
    write_findings(run);
  }

  void write_device(const Configuration& run) {
    json_.object("device", [&] {
      json_.field("bytes", run.device.bytes);
      json_.field("bytes_of_all_devices", run.device.bytes_of_all);
      json_.field("devices", run.device.devices);
      json_.field("origin", name_of(run.device.origin));
      json_.field("devices_origin", name_of(run.device.devices_origin));
    });
  }

  void write_sizes(const Configuration& run) {
    json_.object("sizes", [&] {
      const auto size = [&](std::string_view name, const SizeCheck& check) {
        json_.object(name, [&] {
          json_.field("actual_bytes", check.actual_bytes);
          json_.field("expected_bytes", check.expected_bytes);
        });
      };
      size("model", run.model);
      size("optimizer", run.optimizer);
      size("gradients", run.gradients);
      json_.field("activations_bytes", run.activations_bytes);
    });
  }

  void write_components(const Configuration& run) {
    json_.field("actual_sizes", run.actual_sizes);
    json_.objects("components", run.components, [&](const Component& part) {
      json_.field("kind", name_of(part.kind));
      json_.field("label", style_of(part.kind).label);
      json_.field("color", style_of(part.kind).color);
      rows_.components.write_next(json_);
      json_.field("meaning", meaning_of(part.kind));
    });
  }

  void write_phases(const Configuration& run) {
    json_.objects("phases", run.phases, [&](const PhaseStep& phase) {
      rows_.phases.write_next(json_);
      write_l1(phase);
    });
  }

  void write_l1(const PhaseStep& phase) {
    if (!phase.l1) return json_.field("l1", nullptr);
    json_.object("l1", [&] {
      json_.field("peak_cb_mb", phase.l1->peak_cb_mb);
      json_.field("peak_buffer_mb", phase.l1->peak_buffer_mb);
      json_.field("peak_total_mb", phase.l1->peak_total_mb);
    });
  }

  void write_findings(const Configuration& run) {
    json_.objects("violations", run.violations, [&](const auto& violation) {
      rows_.violations.write_next(json_);
      json_.field("text", violation_text(run, violation));
    });
    json_.objects("advice", run.advice, [&](const auto& advice) {
      rows_.advice.write_next(json_);
      json_.field("text", advice_text(analysis_, run, advice));
    });
    json_.list("notes", run.notes, [&](const PhaseNote& note) { json_.value(note_text(note)); });
  }

  const PhaseLog& log_;
  const PhaseAnalysis& analysis_;
  DeclaredRows rows_;
  JsonWriter json_;
};

}  // namespace

void write_phases_json(const Profile& profile, Writer& out, const PhasesJsonOptions& options) {
  Document(profile, out).write(options);
  out.write('\n');
}

void write_phases_page(const Profile& profile, Writer& out, const PhasesJsonOptions& options) {
  std::string_view rest = phases_page_template();
  rest = ui::write_page_until(out, rest, ui::kTitlePlaceholder, rest.find(ui::kTitlePlaceholder));
  out.write(options.title.empty() ? "Training memory by phase" : markup_text(options.title));
  rest = ui::write_page_until(out, rest, ui::kHeadPlaceholder, rest.find(ui::kHeadPlaceholder));
  ui::TextCatcher document;
  write_phases_json(profile, document, options);
  ui::write_page_block(out, "application/json", "ttscope-phases", document.text());
  out.write(rest);
}

}  // namespace ttscope::phases
