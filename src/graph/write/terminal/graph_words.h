#pragma once

#include <string>
#include <vector>

#include "graph/analyse/profile.h"
#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// The sentences that every output form shares.

/// What the corrected figures differ in, and how the original counts.
std::string difference_words(const Difference& difference);
/// What a finding says. Names in it are as recorded: each form escapes them.
std::string finding_words(const Profile& profile, const Finding& finding);
/// Why a file is not in the database that was asked for. The path is as given: each form escapes it.
std::string skipped_words(const std::string& path);
/// Why there is no database.
std::string no_database_words(const std::string& database_path);
/// What the database that was written lacks.
std::vector<std::string> import_warnings(const VisualizerImport& import);
/// What is said of files that can be read and hold no capture.
std::string nothing_words(const std::vector<std::string>& files);

}  // namespace ttscope::graph
