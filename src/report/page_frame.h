#pragma once

#include <cstddef>
#include <string_view>

#include "base/writer.h"

namespace ttscope::report {

/// The marks in a built page where a report puts its own text.
inline constexpr std::string_view kTitleMark = "<!--ttscope:title-->";
inline constexpr std::string_view kHeadMark = "<!--ttscope:head-->";

/// A data block of a page: a script element that no browser runs.
void write_page_block(Writer& out, std::string_view type, std::string_view id, std::string_view content);

/// Writes the page up to a mark, which stands at `at`, and returns what stands behind it.
std::string_view write_page_until(Writer& out, std::string_view page, std::string_view mark, std::size_t at);

}  // namespace ttscope::report
