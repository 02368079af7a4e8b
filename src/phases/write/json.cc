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
    json_.begin_object();
    ui::write_document_head(json_, "ttscope.phases/1", options.tool_version);
    json_.field("title",
                options.title.empty() ? std::nullopt : std::optional<std::string_view>(options.title));
    list("inputs", log_.files.size(), [&](std::size_t i) {
      json_.field("path", log_.files[i]);
      json_.field("lines", log_.lines[i]);
    });
    write_trust();
    json_.field("verdict", analysis_.verdict ? std::optional<std::string_view>(name_of(*analysis_.verdict))
                                             : std::nullopt);
    list("configurations", analysis_.configurations.size(),
         [&](std::size_t i) { write_run(analysis_.configurations[i]); });
    json_.end_object();
  }

 private:
  template <typename Write>
  void list(std::string_view name, std::size_t count, Write write) {
    json_.key(name);
    json_.begin_array();
    for (std::size_t i = 0; i < count; ++i) {
      json_.begin_object();
      write(i);
      json_.end_object();
    }
    json_.end_array();
  }

  template <typename Write>
  void object(std::string_view name, Write write) {
    json_.key(name);
    json_.begin_object();
    write();
    json_.end_object();
  }

  void write_trust() {
    object("trust", [&] {
      json_.field("scope", scope_words());
      std::vector<PhaseProblem> found;
      for (std::size_t i = 0; i < kPhaseProblemCount; ++i) {
        const auto problem = static_cast<PhaseProblem>(i);
        if (log_.problems.count(problem) > 0) found.push_back(problem);
      }
      list("problems", found.size(), [&](std::size_t i) { write_problem(found[i]); });
      write_missing_verdicts();
      json_.key("warnings");
      json_.begin_array();
      for (const std::string& warning : log_.warnings) json_.value(warning);
      json_.end_array();
    });
  }

  /// Runs whose figures do not tell whether they fit, and why.
  void write_missing_verdicts() {
    std::vector<const Configuration*> without;
    for (const Configuration& run : analysis_.configurations) {
      if (!run.has_verdict()) without.push_back(&run);
    }
    list("no_verdict", without.size(), [&](std::size_t i) {
      json_.field("run", without[i]->name);
      json_.field("reason", no_verdict_words(*without[i]));
    });
  }

  void write_problem(PhaseProblem problem) {
    rows_.problems.write_next(json_);
    const auto& places = log_.problems.places(problem);
    list("first_places", places.size(), [&](std::size_t i) {
      json_.field("file", places[i].file);
      json_.field("line", places[i].line);
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
    json_.field("verdict", run.has_verdict() ? std::optional<std::string>(verdict_words(run)) : std::nullopt);
    json_.field("parameters", run.parameters);
    write_device(run);
    object("peak", [&] { rows_.peak.write_next(json_); });
    json_.field("final_bytes", run.final_bytes);
    write_sizes(run);
    write_components(run);
    write_phases(run);
    list("steps", run.steps.size(), [&](std::size_t) { rows_.steps.write_next(json_); });
    write_findings(run);
  }

  void write_device(const Configuration& run) {
    object("device", [&] {
      json_.field("bytes", run.device.bytes);
      json_.field("bytes_of_all_devices", run.device.bytes_of_all);
      json_.field("devices", run.device.devices);
      json_.field("origin", name_of(run.device.origin));
      json_.field("devices_origin", name_of(run.device.devices_origin));
    });
  }

  void write_sizes(const Configuration& run) {
    object("sizes", [&] {
      const auto size = [&](std::string_view name, const SizeCheck& check) {
        object(name, [&] {
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
    list("components", run.components.size(), [&](std::size_t i) {
      const Component& part = run.components[i];
      json_.field("kind", name_of(part.kind));
      json_.field("label", style_of(part.kind).label);
      json_.field("color", style_of(part.kind).color);
      rows_.components.write_next(json_);
      json_.field("meaning", meaning_of(part.kind));
    });
  }

  void write_phases(const Configuration& run) {
    list("phases", run.phases.size(), [&](std::size_t i) {
      rows_.phases.write_next(json_);
      write_l1(run.phases[i]);
    });
  }

  void write_l1(const PhaseStep& phase) {
    if (!phase.l1) {
      json_.field("l1", nullptr);
      return;
    }
    object("l1", [&] {
      json_.field("peak_cb_mb", phase.l1->peak_cb_mb);
      json_.field("peak_buffer_mb", phase.l1->peak_buffer_mb);
      json_.field("peak_total_mb", phase.l1->peak_total_mb);
    });
  }

  void write_findings(const Configuration& run) {
    list("violations", run.violations.size(), [&](std::size_t i) {
      rows_.violations.write_next(json_);
      json_.field("text", violation_words(run, run.violations[i]));
    });
    list("advice", run.advice.size(), [&](std::size_t i) {
      rows_.advice.write_next(json_);
      json_.field("text", advice_words(analysis_, run, run.advice[i]));
    });
    json_.key("notes");
    json_.begin_array();
    for (const PhaseNote& note : run.notes) json_.value(note_words(note));
    json_.end_array();
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
  rest = ui::write_page_until(out, rest, ui::kTitleMark, rest.find(ui::kTitleMark));
  out.write(options.title.empty() ? "Training memory by phase" : markup_text(options.title));
  rest = ui::write_page_until(out, rest, ui::kHeadMark, rest.find(ui::kHeadMark));
  ui::TextCatcher document;
  write_phases_json(profile, document, options);
  ui::write_page_block(out, "application/json", "ttscope-phases", document.text());
  out.write(rest);
}

}  // namespace ttscope::phases
