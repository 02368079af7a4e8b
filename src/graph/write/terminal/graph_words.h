#pragma once

#include <string>
#include <vector>

#include "graph/analyse/differences.h"

namespace ttscope::graph {

/// The sentences that every output form shares.

/// What the corrected figures differ in, and how the original counts.
std::string difference_words(const Difference& difference);
/// Why a file is not in the database that was asked for. The path is as given: each form escapes it.
std::string skipped_words(const std::string& path);
/// What is said of files that can be read and hold no capture.
std::string nothing_words(const std::vector<std::string>& files);

}  // namespace ttscope::graph
