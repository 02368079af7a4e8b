#pragma once

#include <string>
#include <vector>

#include "phases/analyse/phase_analysis.h"

namespace ttscope::phases {

/// The sentences about a run that every output form shares. They hold text of the log as it is: each form
/// escapes them in its own way.

/// `fits: peak 8.08 GB is 67.4% of the device's 12.00 GB, 3.92 GB left`.
std::string verdict_words(const Configuration& run);
/// Why there is none; for runs without a verdict.
std::string no_verdict_words(const Configuration& run);
std::string advice_words(const PhaseAnalysis& analysis, const Configuration& run, const Advice& advice);
std::string note_words(const PhaseNote& note);
std::string violation_words(const Configuration& run, const Violation& violation);
/// `FORWARD_PASS (line 17)`; empty when no phase makes the peak.
std::string peak_place(const Configuration& run);
/// What a part of the peak is, in one sentence.
std::string_view meaning_of(ComponentKind kind);

/// What is said of logs that can be read and hold no summary.
std::string nothing_words(const std::vector<std::string>& logs);

/// What the figures of all runs include and leave out.
std::string_view scope_words();

}  // namespace ttscope::phases
