#pragma once

#include <string>

namespace ttscope::perf {

/// The word of simulated chips that is kept beside a finished report: `simulated_chips_X.txt` beside
/// `ops_perf_results_X.csv`.
std::string simulated_word_of_report(const std::string& report);
/// What stands in it: it names the report, so that it counts for no other one.
std::string simulated_word_text(const std::string& report);
bool is_word_of_report(const std::string& word, const std::string& report);
/// Such a word, or that of its run, where it lies beside a finished report; empty: none. The word of a run
/// counts for one report: of several in a folder others may be of boards.
std::string find_simulated_word(const std::string& report);
/// The word of the run that a file of the profiler is of, where it lies beside; empty: none, or that of a
/// report.
std::string simulated_word_beside(const std::string& file);

}  // namespace ttscope::perf
