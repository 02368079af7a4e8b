#pragma once

#include <string_view>
#include <vector>

#include "base/writer.h"
#include "diff/report.h"

namespace ttscope::diff {

/// The page that shows both runs on one axis: the built front end with the reports inside, their ops as
/// columns (docs/formats/report_page.md). One file, no requests.
void write_diff_page(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out);

/// The built front end, with its marks.
std::string_view diff_page_template();

}  // namespace ttscope::diff
