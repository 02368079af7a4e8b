#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ttscope::perf {

/// Lines of more than `width` columns broken at blanks; what follows hangs below the text of its line. Escape
/// sequences of colours take no column. 0: as it is.
std::string folded_text(std::string_view text, std::size_t width);

}  // namespace ttscope::perf
