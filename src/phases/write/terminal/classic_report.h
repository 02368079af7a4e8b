#pragma once

#include <string>
#include <string_view>

#include "phases/analyse/classic_breakdown.h"

namespace ttscope::phases {

/// The lines that say which sizes were found in the log.
std::string classic_sizes_text(const FoundClassicSizes& found);
/// What the script's exception says when it has not found what it needs; empty when it has.
std::string_view classic_missing_text(const FoundClassicSizes& found);
/// One section of what analyze_memory.py prints, character by character.
std::string classic_section_text(const ClassicSection& section, const ClassicSizes& sizes);
/// The lines behind the last section.
std::string classic_end_text();
/// `1,848.93`, with commas and two decimals.
std::string classic_number(double number);
/// `969,369,600`.
std::string classic_count(double number);

}  // namespace ttscope::phases
