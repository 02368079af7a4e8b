#include "phases/write/json/phases_json.h"

#include "base/json_writer.h"
#include "phases/write/plot/component_style.h"
#include "phases/write/terminal/phase_words.h"
#include "report/document_head.h"

namespace ttscope::phases {
namespace {

class Document {
 public:
  Document(const Profile& profile, Writer& out)
      : log_(profile.log), analysis_(profile.analysis), json_(out, {.indented = true}) {}

  void write(const PhasesJsonOptions& options) {
    json_.begin_object();
    report::write_document_head(json_, "ttscope.phases/1", options.tool_version);
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
    json_.field("problem", info_of(problem).key);
    json_.field("count", log_.problems.count(problem));
    json_.field("what", info_of(problem).sentence);
    json_.field("repaired", info_of(problem).repaired);
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
    write_peak(run);
    json_.field("final_bytes", run.final_bytes);
    write_sizes(run);
    write_components(run);
    write_phases(run);
    write_steps(run);
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

  void write_peak(const Configuration& run) {
    object("peak", [&] {
      json_.field("bytes", run.peak_bytes);
      json_.field("phase", run.peak_phase);
      const bool known = run.device.bytes && *run.device.bytes > 0;
      json_.field("share_of_device", known ? std::optional<double>(static_cast<double>(run.peak_bytes) /
                                                                   static_cast<double>(*run.device.bytes))
                                           : std::nullopt);
      const bool told = run.device.bytes && run.has_verdict();
      json_.field("fits", told ? std::optional<bool>(!exceeds_device(run)) : std::nullopt);
      json_.field("left_bytes", run.device.bytes
                                    ? std::optional<std::int64_t>(*run.device.bytes - run.peak_bytes)
                                    : std::nullopt);
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
      json_.field("bytes", part.bytes);
      json_.field("measured_bytes", part.measured_bytes);
      json_.field("confidence", name_of(part.confidence));
      json_.field("meaning", meaning_of(part.kind));
    });
  }

  void write_phases(const Configuration& run) {
    list("phases", run.phases.size(), [&](std::size_t i) {
      const PhaseStep& phase = run.phases[i];
      json_.field("name", phase.name);
      json_.field("base", phase.label.base);
      json_.field("role", name_of(phase.label.role));
      json_.field("micro_step", phase.label.micro_step);
      json_.field("counter", phase.label.counter);
      json_.field("line", phase.line);
      json_.field("start_bytes", phase.start_bytes);
      json_.field("segment_peak_bytes", phase.segment_peak_bytes);
      json_.field("reached_bytes", phase.reached_bytes());
      json_.field("allocations_bytes", phase.allocations_bytes);
      json_.field("deallocations_bytes", phase.deallocations_bytes);
      json_.field("change_bytes", phase.change_bytes);
      json_.field("cumulative_peak_bytes", phase.peak_so_far_bytes);
      json_.field("current_bytes", phase.current_bytes);
      json_.field("all_figures_printed", phase.complete);
      write_l1(phase);
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

  void write_steps(const Configuration& run) {
    list("steps", run.steps.size(), [&](std::size_t i) {
      const TrainingStep& step = run.steps[i];
      json_.field("micro_step", step.micro_step);
      json_.field("first_phase", step.first_phase);
      json_.field("last_phase", step.last_phase);
      json_.field("has_backward", step.has_backward);
      json_.field("activations_bytes", step.activations_bytes);
      json_.field("net_bytes", step.net_bytes);
      json_.field("peak_bytes", step.peak_bytes);
    });
  }

  void write_findings(const Configuration& run) {
    list("violations", run.violations.size(), [&](std::size_t i) {
      const Violation& violation = run.violations[i];
      json_.field("relation", name_of(violation.relation));
      json_.field("phase", violation.phase);
      json_.field("printed_mb", violation.printed_mb);
      json_.field("expected_mb", violation.expected_mb);
      json_.field("text", violation_words(run, violation));
    });
    list("advice", run.advice.size(), [&](std::size_t i) {
      const Advice& advice = run.advice[i];
      json_.field("kind", name_of(advice.kind));
      json_.field("bytes", advice.bytes);
      json_.field("peak_after_bytes", advice.peak_after_bytes);
      json_.field("confidence", advice.kind == AdviceKind::kOtherConfiguration ? "measured" : "modelled");
      json_.field("text", advice_words(analysis_, run, advice));
    });
    json_.key("notes");
    json_.begin_array();
    for (const PhaseNote& note : run.notes) json_.value(note_words(note));
    json_.end_array();
  }

  const PhaseLog& log_;
  const PhaseAnalysis& analysis_;
  JsonWriter json_;
};

}  // namespace

void write_phases_json(const Profile& profile, Writer& out, const PhasesJsonOptions& options) {
  Document(profile, out).write(options);
  out.write('\n');
}

}  // namespace ttscope::phases
