#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "phases/analyze/phase_analysis.h"
#include "ui/text.h"

namespace ttscope::phases {

struct PhasesJsonOptions {
  std::string_view tool_version{};
  std::string title{};
};

/// Writes the document `ttscope.phases/1` (docs/formats/phases_json.md).
void write_phases_json(const Profile& profile, Writer& out, const PhasesJsonOptions& options);

/// The report on training phases as markdown, for language models and for issues.
void write_phases_markdown(const Profile& profile, const std::string& title, Writer& out);

/// The page that compares runs: the built front end with the JSON document inside. One file, no requests.
void write_phases_page(const Profile& profile, Writer& out, const PhasesJsonOptions& options);

/// The built front end, with its marks.
std::string_view phases_page_template();

/// The report on training phases for a terminal: verdicts, then each run with its phases, then how far to
/// trust it. ui::TextOptions::top limits the rows of phases; 0 shows all.
std::string phases_summary_text(const Profile& profile, const ui::TextOptions& options);

/// The sentences about a run that every output form shares. They hold text of the log as it is: each form
/// escapes them in its own way.

/// `fits: peak 8.08 GB is 67.4% of the device's 12.00 GB, 3.92 GB left`.
std::string verdict_text(const Configuration& run);
/// Why there is none; for runs without a verdict.
std::string no_verdict_text(const Configuration& run);
std::string advice_text(const PhaseAnalysis& analysis, const Configuration& run, const Advice& advice);
std::string note_text(const PhaseNote& note);
std::string violation_text(const Configuration& run, const Violation& violation);
/// `FORWARD_PASS (line 17)`; empty when no phase makes the peak.
std::string peak_place(const Configuration& run);
/// What a part of the peak is, in one sentence.
std::string_view meaning_of(ComponentKind kind);

/// What is said of logs that can be read and hold no summary.
std::string no_input_text(const std::vector<std::string>& logs);

/// What the figures of all runs include and leave out.
std::string_view scope_text();

}  // namespace ttscope::phases
